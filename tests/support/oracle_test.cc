// SPDX-License-Identifier: Apache-2.0
// What:  the oracle, against values known without it: Pythagorean triples, integer sums in 128 bits,
//        published digits of roots; rows of views with any strides.
// Why:   every other test believes the oracle, so it must not share a fault with the library.
// Sizes: d = 0 to 1,000,000; inputs over the whole range of float64, float32, int64 and uint64.
// Tolerances: none where arithmetic is exact; else 2^-63 relative, the oracle's own bound.
// Out of scope: decoding of elements (elements_test.cc), layouts of stored matrices (generators_test.cc).
#include "support/oracle.h"

#include <cmath>
#include <limits>
#include <stdexcept>

#include "gtest/gtest.h"
#include "support/generators.h"

namespace quadrance::testing {
namespace {

__extension__ typedef unsigned __int128 Uint128;

using Row = std::vector<long double>;

constexpr long double kNaN = std::numeric_limits<long double>::quiet_NaN();
constexpr long double kInf = std::numeric_limits<long double>::infinity();
constexpr long double kLargest = std::numeric_limits<double>::max();
constexpr long double kSmallest = std::numeric_limits<double>::denorm_min();

long double euclidean(const Row& x, const Row& y) { return oracle("euclidean", x, y); }
long double sqeuclidean(const Row& x, const Row& y) { return oracle("sqeuclidean", x, y); }

/// The oracle's own bound.
::testing::AssertionResult is_near(long double got, long double want) {
  const long double error = std::fabs(got - want) / want;
  if (error <= 0x1p-63L) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << got << " is off " << want << " by " << error;
}

bool is_positive_zero(long double value) { return value == 0 && !std::signbit(value); }

// --- exactly known distances -------------------------------------------------------------------------------

TEST(Oracle, PythagoreanTriplesAreExactAtEveryPowerOfTwo) {
  constexpr int kTriples[][3] = {{3, 4, 5}, {5, 12, 13}, {8, 15, 17}, {20, 21, 29}, {119, 120, 169}};
  for (int exponent = -1074; exponent <= 1016; ++exponent) {
    const long double unit = std::ldexp(1.0L, exponent);
    for (const auto& [a, b, c] : kTriples) {
      ASSERT_EQ(euclidean({a * unit, 0}, {0, b * unit}), c * unit) << exponent;
      ASSERT_EQ(sqeuclidean({0, b * unit}, {-a * unit, 0}), c * unit * (c * unit)) << exponent;
    }
  }
}

TEST(Oracle, ReachesTheEndsOfTheRange) {
  for (const double value : {1e200, 1e-200, 1e308, 2.3e-308, 5e-324, 1e20, 1e-45}) {
    EXPECT_EQ(euclidean({value}, {0}), value);
    EXPECT_EQ(euclidean({0}, {value}), value);
    EXPECT_EQ(euclidean({value, 0, 0}, {0, 0, 0}), value);
  }
  EXPECT_EQ(euclidean({kLargest}, {-kLargest}), 2 * kLargest);
  EXPECT_EQ(sqeuclidean({0x1p1023L}, {-0x1p1023L}), 0x1p2048L);
  EXPECT_EQ(sqeuclidean({kSmallest}, {0}), 0x1p-2148L);
  EXPECT_EQ(euclidean({kLargest, kSmallest}, {0, 0}), kLargest);
}

TEST(Oracle, KeepsDifferencesFarFromTheOrigin) {
  const long double near = 1e300;
  const long double next = std::nextafter(1e300, 2e300);
  EXPECT_EQ(euclidean({near}, {next}), next - near);
  EXPECT_EQ(euclidean({1e9 + 3}, {1e9 + 6}), 3);
  EXPECT_EQ(euclidean({0x1p53L - 1, 0x1p53L}, {0x1p53L - 4, 0x1p53L - 4}), 5);
  EXPECT_TRUE(is_positive_zero(euclidean(Row(1000, near), Row(1000, near))));
}

// The true value lies just above the middle of two long doubles of 64 bits, by what the difference 1 + 2^-80
// would lose if it were rounded.
TEST(Oracle, KeepsDifferencesThatNoLongDoubleHolds) {
  EXPECT_EQ(sqeuclidean({1, 0x1p-32L}, {-0x1p-80L, 0}), 1 + (0x1p-64L + 0x1p-79L));
}

TEST(Oracle, RowsOfNoFeaturesAndEqualRowsAreZero) {
  EXPECT_TRUE(is_positive_zero(euclidean({}, {})));
  EXPECT_TRUE(is_positive_zero(sqeuclidean({}, {})));
  EXPECT_TRUE(is_positive_zero(euclidean({0.1L, -3, 1e300L}, {0.1L, -3, 1e300L})));
  EXPECT_TRUE(is_positive_zero(sqeuclidean({0.0L, -0.0L, 0.0L, -0.0L}, {0.0L, 0.0L, -0.0L, -0.0L})));
}

// --- sums --------------------------------------------------------------------------------------------------

/// Integers below 2^bits, and the sum of their squared differences without any rounding.
struct IntegerPair {
  Row x;
  Row y;
  Uint128 squares = 0;
};

IntegerPair random_integers(std::int64_t d, int bits, std::uint64_t seed) {
  Random random(seed);
  IntegerPair pair;
  const std::int64_t limit = (std::int64_t{1} << bits) - 1;
  for (std::int64_t f = 0; f < d; ++f) {
    const std::int64_t x = random.integer(-limit, limit);
    const std::int64_t y = random.integer(-limit, limit);
    pair.x.push_back(static_cast<long double>(x));
    pair.y.push_back(static_cast<long double>(y));
    const auto difference = static_cast<std::uint64_t>(x > y ? x - y : y - x);
    pair.squares += Uint128{difference} * difference;
  }
  return pair;
}

TEST(Oracle, IntegerSumsUpTo2To53AreExact) {
  for (const std::int64_t d : {1, 2, 127, 128, 129, 1000}) {
    const IntegerPair pair = random_integers(d, 20, static_cast<std::uint64_t>(d));
    ASSERT_LT(pair.squares, Uint128{1} << 53);
    EXPECT_EQ(sqeuclidean(pair.x, pair.y), static_cast<long double>(pair.squares)) << d;
  }
}

// 52-bit integers: a square has up to 106 bits, the sum of a million 126. Summed in plain long double of 64
// bits that loses 8 bits or more.
TEST(Oracle, AMillionFeaturesCostNoDigits) {
  for (const std::int64_t d : {1, 1000, 1'000'000}) {
    const IntegerPair pair = random_integers(d, 52, 7);
    const auto sum = static_cast<long double>(pair.squares);
    EXPECT_TRUE(is_near(sqeuclidean(pair.x, pair.y), sum)) << d;
    EXPECT_TRUE(is_near(euclidean(pair.x, pair.y), std::sqrt(sum))) << d;
  }
}

TEST(Oracle, RootsOfLargeSumsKeepAllDigits) {
  const long double tenth = 0.1;  // 53 bits that a sum of squares has to keep
  EXPECT_TRUE(is_near(euclidean(Row(1'000'000, tenth), Row(1'000'000, 0)), 1000 * tenth));
  EXPECT_TRUE(is_near(euclidean(Row(65'536, tenth), Row(65'536, -tenth)), 512 * tenth));
}

TEST(Oracle, RootsHaveTheirPublishedDigits) {
  EXPECT_TRUE(is_near(euclidean({1, 0}, {0, 1}), 1.41421356237309504880168872420969807857L));
  EXPECT_TRUE(is_near(euclidean({1, 1, 1}, {0, 0, 0}), 1.73205080756887729352744634150587236694L));
  EXPECT_TRUE(is_near(euclidean({2, 1}, {0, 0}), 2.23606797749978969640917366873127623544L));
  EXPECT_TRUE(is_near(euclidean({3, 1}, {0, 0}), 3.16227766016837933199889354443271853372L));
}

TEST(Oracle, TakesAll64BitIntegersExactly) {
  const long double lowest = std::numeric_limits<std::int64_t>::min();
  const auto highest = static_cast<long double>(std::numeric_limits<std::int64_t>::max());
  const auto all_ones = static_cast<long double>(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(euclidean({lowest}, {highest}), all_ones);
  EXPECT_EQ(euclidean({all_ones}, {all_ones - 1}), 1);
  const Uint128 square =
      Uint128{std::numeric_limits<std::uint64_t>::max()} * std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(sqeuclidean({all_ones}, {0}), static_cast<long double>(square));
}

// --- NaN, Inf, misuse --------------------------------------------------------------------------------------

TEST(Oracle, NaNAndInfFollowArithmetic) {
  for (const char* metric : {"euclidean", "sqeuclidean"}) {
    const auto distance = [&](const Row& x, const Row& y) { return oracle(metric, x, y); };
    EXPECT_TRUE(std::isnan(distance({1, kNaN, 2}, {1, 2, 3})));
    EXPECT_TRUE(std::isnan(distance({1, 2}, {kNaN, 2})));
    EXPECT_TRUE(std::isnan(distance({kNaN}, {kNaN})));
    EXPECT_TRUE(std::isnan(distance({kInf}, {kInf})));
    EXPECT_TRUE(std::isnan(distance({-kInf, 5}, {-kInf, 7})));
    EXPECT_TRUE(std::isnan(distance({kInf, kNaN}, {0, 0})));
    EXPECT_TRUE(std::isnan(distance({kNaN, 0}, {0, kInf})));
    EXPECT_EQ(distance({kInf}, {1}), kInf);
    EXPECT_EQ(distance({-kInf}, {1}), kInf);
    EXPECT_EQ(distance({kInf}, {-kInf}), kInf);
    EXPECT_EQ(distance({3, 1, kInf, 2}, {1, 2, 3, -kInf}), kInf);
  }
}

TEST(Oracle, DoesNotChangeWhenXAndYAreSwapped) {
  for (const Pattern pattern : {Pattern::kNormal, Pattern::kMixed, Pattern::kSubnormal, Pattern::kOffset}) {
    const Points points = make_points(pattern, DType::kFloat64, 2, 1001);
    const Row x(points.elements.begin(), points.elements.begin() + 1001);
    const Row y(points.elements.begin() + 1001, points.elements.end());
    EXPECT_EQ(euclidean(x, y), euclidean(y, x));
    EXPECT_EQ(sqeuclidean(x, y), sqeuclidean(y, x));
  }
}

// --- the other metrics, on numbers whose distances are known by hand
// ------------------------------------------

TEST(Oracle, CityBlockAndChebyshevOfSmallNumbers) {
  EXPECT_EQ(oracle("cityblock", Row{1, 2, -3}, Row{4, -2, -3}), 7);
  EXPECT_EQ(oracle("chebyshev", Row{1, 2, -3}, Row{4, -2, -3}), 4);
  EXPECT_EQ(oracle("cityblock", Row{kLargest}, Row{-kLargest}), 2 * kLargest);
  EXPECT_EQ(oracle("chebyshev", Row{kSmallest}, Row{-kSmallest}), 2 * kSmallest);
  EXPECT_TRUE(std::isnan(oracle("chebyshev", Row{kNaN, 1}, Row{0, 0})));
  EXPECT_TRUE(std::isnan(oracle("chebyshev", Row{1, kInf}, Row{0, kInf})));
  EXPECT_EQ(oracle("chebyshev", Row{}, Row{}), 0);
}

TEST(Oracle, RatiosOfSmallNumbers) {
  EXPECT_EQ(oracle("canberra", Row{0, 1, 0}, Row{0, 3, 2}), 1.5L);
  EXPECT_TRUE(is_near(oracle("canberra", Row{1, -1}, Row{2, 2}), 1.0L / 3 + 1));
  EXPECT_EQ(oracle("canberra", Row{kLargest}, Row{kLargest / 2}), (kLargest / 2) / (kLargest + kLargest / 2));
  EXPECT_TRUE(std::isnan(oracle("canberra", Row{0, kNaN}, Row{0, 0})));
  EXPECT_EQ(oracle("braycurtis", Row{1, 2}, Row{-1, -1.5L}), 11);  // (2 + 3.5) / (0 + 0.5)
  EXPECT_TRUE(is_near(oracle("braycurtis", Row{1, 0, 2}, Row{0, 0, 3}), 2.0L / 6));
  EXPECT_EQ(oracle("braycurtis", Row{0, 0}, Row{0, 0}), 0);
  EXPECT_EQ(oracle("braycurtis", Row{1, -1}, Row{-1, 1}), kInf);
}

TEST(Oracle, AnglesOfSmallNumbers) {
  EXPECT_NEAR(static_cast<double>(oracle("cosine", Row{1, 0}, Row{1, 1})), 0.29289321881345248, 1e-16);
  EXPECT_TRUE(is_near(oracle("cosine", Row{3, 4}, Row{-3, -4}), 2));
  EXPECT_NEAR(static_cast<double>(oracle("cosine", Row{1, 0}, Row{1, 1e-9L}) / 5e-19L), 1, 1e-12);
  EXPECT_EQ(oracle("cosine", Row{0, 0}, Row{0, 0}), 0);
  EXPECT_EQ(oracle("cosine", Row{0, 0}, Row{1, 2}), 1);
  EXPECT_TRUE(std::isnan(oracle("cosine", Row{kInf, 1}, Row{1, 1})));
  EXPECT_TRUE(is_near(oracle("correlation", Row{1, 2, 3}, Row{3, 2, 1}), 2));
  EXPECT_NEAR(static_cast<double>(oracle("correlation", Row{1, 2, 3}, Row{1, 2, 4})), 0.01801949393803437,
              1e-16);
  EXPECT_EQ(oracle("correlation", Row{0.1L, 0.1L, 0.1L}, Row{1, 2, 3}), 1);
  EXPECT_EQ(oracle("correlation", Row{0.1L, 0.1L, 0.1L}, Row{7, 7, 7}), 0);
}

TEST(Oracle, RefusesUnknownMetricsAndUnequalLengths) {
  EXPECT_THROW(oracle("euclid", Row{1}, Row{2}), std::invalid_argument);
  EXPECT_THROW(oracle("", Row{1}, Row{2}), std::invalid_argument);
  EXPECT_THROW(euclidean({1, 2}, {1}), std::invalid_argument);
}

// --- rows of views -----------------------------------------------------------------------------------------

TEST(RowOf, FollowsStridesOfAnySign) {
  const float values[] = {0, 1, 2, 3, 4, 5};
  const MatrixView backwards(values + 5, DType::kFloat32, 2, 3, -4, -8);
  EXPECT_EQ(rows_of(backwards), (std::vector<Row>{{5, 3, 1}, {4, 2, 0}}));
  const MatrixView broadcast(values + 2, DType::kFloat32, 3, 2, 0, 4);
  EXPECT_EQ(rows_of(broadcast), (std::vector<Row>{{2, 3}, {2, 3}, {2, 3}}));
  EXPECT_EQ(rows_of(MatrixView(values, 2, 0)), (std::vector<Row>{{}, {}}));
  EXPECT_TRUE(rows_of(MatrixView(values, 0, 3)).empty());
}

}  // namespace
}  // namespace quadrance::testing
