// SPDX-License-Identifier: Apache-2.0
// What:  the error terms of the oracle's arithmetic, one operation at a time.
// Why:   a lost error term changes an oracle's result by less than its bound until a sum is unlucky.
// Sizes: single numbers, chosen so that each error term is known and not 0.
// Tolerances: none for exact sums and products; 2^-110 for roots, which plain x87 misses by far.
// Out of scope: the distances (oracle_test.cc). A long double of 113 bits holds all digits here by itself.
#include "support/wide.h"

#include "gtest/gtest.h"

namespace quadrance::testing {
namespace {

constexpr long double kInf = std::numeric_limits<long double>::infinity();

/// a == b, however their digits are shared out between hi and lo.
bool equal(Wide a, Wide b) { return a.hi - b.hi == b.lo - a.lo; }

TEST(Wide, SumsAreExact) {
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-80L), {1, 0x1p-80L}));
  EXPECT_TRUE(equal(exact_sum(0x1p-80L, -1), {-1, 0x1p-80L}));
  EXPECT_TRUE(equal(exact_sum(0x1p63L - 1, 0x1p64L - 1), {0x1.8p64L, -2}));
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-80L) + exact_sum(-1, 0x1p-90L), {0x1p-80L, 0x1p-90L}));
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-70L) + exact_sum(0x1p-64L, 0x1p-70L), {1, 0x1p-64L + 0x1p-69L}));
}

TEST(Wide, ProductsAreExact) {
  EXPECT_TRUE(equal(exact_product(1 + 0x1p-40L, 1 + 0x1p-40L), {1 + 0x1p-39L, 0x1p-80L}));
  EXPECT_TRUE(equal(exact_product(1 - 0x1p-33L, 1 + 0x1p-33L), {1, -0x1p-66L}));
  EXPECT_TRUE(equal(exact_product(-3 * 0x1p-1074L, 0x1p-1074L), {-3 * 0x1p-2148L, 0}));
  EXPECT_TRUE(equal(exact_sum(1, 0x1p-70L) * Wide{3, 0}, {3, 3 * 0x1p-70L}));
  EXPECT_TRUE(equal(Wide{3, 0} * exact_sum(1, 0x1p-70L), {3, 3 * 0x1p-70L}));
}

TEST(Wide, RootsHaveTwiceTheDigits) {
  for (const long double value : {2.0L, 3.0L, 0.1L, 0x1p-2147L}) {
    const Wide root = sqrt(Wide{value, 0});
    const Wide rest = root * root + Wide{-value, 0};
    EXPECT_LE(std::fabs(rest.hi), value * 0x1p-110L) << value;
  }
  EXPECT_TRUE(equal(sqrt(exact_product(1 + 0x1p-40L, 1 + 0x1p-40L)), {1 + 0x1p-40L, 0}));
  EXPECT_TRUE(equal(sqrt(Wide{0, 0}), {0, 0}));
}

TEST(Wide, InfHasNoErrorTerm) {
  const Wide infinite{kInf, 0};
  for (const Wide result : {exact_sum(kInf, 1), exact_product(-kInf, -2), infinite + Wide{1, 0},
                            infinite * infinite, sqrt(infinite)}) {
    EXPECT_EQ(result.hi, kInf);
    EXPECT_EQ(result.lo, 0);
    EXPECT_EQ(result.rounded(), kInf);
  }
}

}  // namespace
}  // namespace quadrance::testing
