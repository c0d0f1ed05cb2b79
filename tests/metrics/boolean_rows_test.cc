// SPDX-License-Identifier: Apache-2.0
// Rows of true and false as words and as numbers: their bits, their edges.
#include "metrics/boolean_rows.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> prepared(const std::vector<double>& row, PreparationParameters given = {}) {
  given.d = static_cast<std::int64_t>(row.size());
  const BooleanRows preparation(given);
  std::vector<double> out(static_cast<std::size_t>(preparation.features()));
  preparation.prepare(row.data(), true, out.data());
  return out;
}

std::uint64_t word(double number) { return std::bit_cast<std::uint64_t>(number); }

TEST(BooleanRows, AreWordsAndTheNumberOfTrueFeatures) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> row = prepared({0, 1, -0.0, -2, 5e-324, inf, 0});
  ASSERT_EQ(row.size(), 2);
  EXPECT_EQ(word(row[0]), 0b0111010U);
  EXPECT_EQ(row[1], 4);
  EXPECT_EQ(prepared({}), (std::vector<double>{0}));
}

TEST(BooleanRows, TakeAWordFor64Features) {
  for (const std::size_t d : {63U, 64U, 65U, 128U, 129U}) {
    std::vector<double> features(d);
    features.front() = features.back() = 1;
    const std::vector<double> row = prepared(features);
    ASSERT_EQ(row.size(), (d + 63) / 64 + 1) << d;
    EXPECT_EQ(row.back(), 2);
    EXPECT_EQ(word(row[0]) & 1, 1U);
    EXPECT_NE(word(row[row.size() - 2]) & std::uint64_t{1} << (d - 1) % 64, 0U);
  }
}

TEST(BooleanRows, HaveNoNumberWithNaN) {
  EXPECT_TRUE(std::isnan(prepared({1, kNaN, 0}).back()));
  for (const double number : prepared({1, kNaN, 0}, {.d = 0, .parameters = {}, .weighted = true}))
    EXPECT_TRUE(std::isnan(number));
}

TEST(BooleanRows, AreZeroAndOneWithWeights) {
  EXPECT_EQ(prepared({0, 3, -0.0, -1}, {.d = 0, .parameters = {}, .weighted = true}),
            (std::vector<double>{0, 1, 0, 1}));
}

TEST(BooleanRows, ArePackedInIntegersOfAnySize) {
  const auto packed = [](std::vector<double> row, int bits) {
    return prepared(row, {.d = 0, .parameters = {}, .element_bits = bits});
  };
  // -1 is an integer with all bits set.
  EXPECT_EQ(packed({1, -1, 0, 255}, 8).back(), 1 + 8 + 8);
  EXPECT_EQ(packed({-1, 3}, 16).back(), 16 + 2);
  EXPECT_EQ(packed({4294967295.0, 1, 1}, 32).back(), 32 + 2);
  EXPECT_EQ(packed({-1}, 32).back(), 32);
  const double all = std::bit_cast<double>(~std::uint64_t{0});  // as a number it is NaN
  const std::vector<double> words = packed({all, 0, 5e-324}, 64);
  ASSERT_EQ(words.size(), 4);
  EXPECT_EQ(word(words[0]), ~std::uint64_t{0});
  EXPECT_EQ(words.back(), 65);
  EXPECT_EQ(word(packed({1, 2, 0, 0, 0, 0, 0, 128}, 8)[0]), 0x8000000000000201U);
}

}  // namespace
}  // namespace quadrance::internal
