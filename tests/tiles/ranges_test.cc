// SPDX-License-Identifier: Apache-2.0
// Ranges taken from points: of what numbers, at the ends of the range of float64, of two sets.
#include "tiles/ranges.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<long double> ranges_of(const std::vector<double>& x, std::int64_t d) {
  return ranges(MatrixView(x.data(), static_cast<std::int64_t>(x.size()) / d, d), nullptr, [] {});
}

TEST(Ranges, AreTheLargestLessTheSmallestFiniteNumber) {
  EXPECT_EQ(ranges_of({1, 5, kNaN, /**/ -2, 5, 3, /**/ 4, 5, kInf}, 3), (std::vector<long double>{6, 0, 0}));
  EXPECT_EQ(ranges_of({kNaN, kInf, -kInf, kNaN}, 1), (std::vector<long double>{0}));
}

TEST(Ranges, MayBeBeyondFloat64) {
  const double g = std::numeric_limits<double>::max();
  EXPECT_EQ(ranges_of({g, -g}, 1)[0], 2 * static_cast<long double>(g));
  EXPECT_EQ(ranges_of({5e-324, 0}, 1)[0], 0x1p-1074L);
}

TEST(Ranges, OfTwoSetsAreOfBothTogether) {
  const std::vector<double> x{1, 2};
  const std::vector<double> y{7, 3};
  const MatrixView second(y.data(), 2, 1);
  EXPECT_EQ(ranges(MatrixView(x.data(), 2, 1), &second, [] {})[0], 6);
}

TEST(Ranges, CanBeCancelled) {
  struct Cancelled {};
  const std::vector<double> x(2);
  EXPECT_THROW(ranges(MatrixView(x.data(), 2, 1), nullptr, [] { throw Cancelled(); }), Cancelled);
}

}  // namespace
}  // namespace quadrance::internal
