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
      for (const std::int64_t stride : {5, 16}) {
        std::vector<double> packed(static_cast<std::size_t>(9 * stride), -1e300);
        pack_rows<double>(x.view(), 2, 9, packed.data(), stride);
        for (std::int64_t r = 0; r < 9; ++r) {
          const auto row = testing::row_of(x.view(), 2 + r);
          for (std::int64_t f = 0; f < stride; ++f) {
            const auto want = f < 5 ? static_cast<double>(row[static_cast<std::size_t>(f)]) : 0.0;
            ASSERT_EQ(packed[static_cast<std::size_t>(r * stride + f)], want)
                << name_of(dtype) << " " << testing::name_of(storage) << " row " << r << ", feature " << f;
          }
        }
      }
    }
  }
}

TEST(Pack, NamesTheIntegerThatIsTooLarge) {
  const std::int64_t limit = std::int64_t{1} << 53;
  const std::vector<std::int64_t> fits{limit, -limit, 0, 1};
  EXPECT_NO_THROW(require_exact_integers(MatrixView(fits.data(), 2, 2), "x", [] {}));
  const std::vector<std::uint64_t> large{0, 0, 0, std::uint64_t{1} << 63};
  EXPECT_ANY_THROW(require_exact_integers(MatrixView(large.data(), 2, 2), "y", [] {}));
}

}  // namespace
}  // namespace quadrance::internal
