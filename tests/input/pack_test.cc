// SPDX-License-Identifier: Apache-2.0
// Packing rows of every dtype and layout into panels, and what it notes about each row.
#include "input/pack.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "support/elements.h"
#include "support/generators.h"
#include "support/oracle.h"

namespace quadrance::internal {
namespace {

using testing::kAllDTypes;
using testing::kAllStorages;
using testing::make_points;
using testing::Pattern;
using testing::StoredMatrix;

TEST(Pack, PutsEveryElementInItsPlace) {
  for (const DType dtype : kAllDTypes) {
    const bool is_float = testing::is_float(dtype);
    for (const auto storage : kAllStorages) {
      const StoredMatrix x(make_points(is_float ? Pattern::kNormal : Pattern::kIntegers, dtype, 11, 5), dtype,
                           storage);
      for (const std::int64_t width : {1, 4, 16}) {
        const std::int64_t panels = (9 + width - 1) / width;
        std::vector<double> packed(static_cast<std::size_t>(panels * width * 5), -1e300);
        pack_panels<double>(x.view(), 2, 9, width, {0.0, 1.0}, packed.data(), nullptr);
        for (std::int64_t r = 0; r < panels * width; ++r) {
          const auto row =
              testing::row_of(x.view(), 2 + std::min<std::int64_t>(r, 8));  // padded with the last row
          for (std::int64_t f = 0; f < 5; ++f) {
            ASSERT_EQ(packed[static_cast<std::size_t>((r / width * 5 + f) * width + r % width)],
                      static_cast<double>(row[static_cast<std::size_t>(f)]))
                << name_of(dtype) << " " << testing::name_of(storage) << " width " << width << " row " << r;
          }
        }
      }
    }
  }
}

TEST(Pack, FlagsRowsThatAreNotFiniteFineOrLarge) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{1,     2,    0,        0,      1e-20f,         1, nan, 1, 1, -inf, 1e-20f, nan,
                             -0.0f, 0.5f, -0x1p40f, 1e-20f, 0x1.fffffep39f, 0};
  std::vector<float> packed(16 * 2);
  std::vector<std::uint8_t> flags(9);
  pack_panels<float>(MatrixView(x.data(), 9, 2), 0, 9, 16, {0x1p-32f, 0x1p40f}, packed.data(), flags.data());
  EXPECT_EQ(flags, (std::vector<std::uint8_t>{kFinite, kFinite, kFine, kNotFinite, kNotFinite,
                                              kFine | kNotFinite, kFinite, kFine | kLarge, kFinite}));
}

TEST(Pack, NamesTheIntegerThatIsTooLarge) {
  const std::int64_t limit = std::int64_t{1} << 53;
  const std::vector<std::int64_t> fits{limit, -limit, 0, 1};
  EXPECT_NO_THROW(require_exact_integers(MatrixView(fits.data(), 2, 2), "x"));
  const std::vector<std::uint64_t> large{0, 0, 0, std::uint64_t{1} << 63};
  EXPECT_ANY_THROW(require_exact_integers(MatrixView(large.data(), 2, 2), "y"));
}

}  // namespace
}  // namespace quadrance::internal
