// SPDX-License-Identifier: Apache-2.0
// What:  the oracle, against values known without it: Pythagorean triples, integer sums in 128 bits,
//        published digits of roots, digits from mpmath, SciPy's and scikit-learn's float64 where those are
//        right (scipy_values.inc); rows of views with any strides.
// Why:   every other test believes the oracle, so it must not share a fault with the library.
// Sizes: d = 0 to 1,000,000; inputs over the whole range of float64, float32, int64 and uint64.
// Tolerances: none where arithmetic is exact; else 2^-63 relative, the oracle's own bound; for SciPy's values
//        the roundings that SciPy makes, counted by make_scipy_values.py.
// Out of scope: decoding of elements (elements_test.cc), layouts of stored matrices (generators_test.cc).
#include "support/oracle.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

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

TEST(Oracle, CountsAndHalvesOfSmallNumbers) {
  EXPECT_EQ(oracle("hamming", Row{1, 2, -3, 0}, Row{1, 5, -3, -0.0L}), 0.25L);
  EXPECT_EQ(oracle("hamming", Row{kInf, 1}, Row{kInf, 2}), 0.5L);
  EXPECT_TRUE(std::isnan(oracle("hamming", Row{kNaN, 1}, Row{kNaN, 1})));
  EXPECT_EQ(oracle("hamming", Row{}, Row{}), 0);
  MetricParameters weights;
  weights.w = {1, 0, 3};
  EXPECT_EQ(oracle("hamming", Row{1, 2, 3}, Row{0, 5, 3}, weights), 0.25L);
  weights.w = {0, 0, 0};
  EXPECT_EQ(oracle("hamming", Row{1, 2, 3}, Row{0, 5, 3}, weights), 0);
  EXPECT_EQ(oracle("total_variation", Row{0.25L, 0.75L}, Row{0.5L, 0.5L}), 0.25L);
  EXPECT_EQ(oracle("total_variation", Row{kLargest}, Row{-kLargest}), kLargest);
  EXPECT_EQ(oracle("chi_square", Row{1, 0, 2, 0}, Row{3, 0, 0, 0}), 1.5L);  // (4 / 4 + 4 / 2) / 2
  EXPECT_EQ(oracle("chi_square", Row{-1, 2}, Row{1, 2}), 1);
  EXPECT_TRUE(std::isnan(oracle("chi_square", Row{kInf}, Row{1})));
}

TEST(Oracle, DistributionsOfSmallNumbers) {
  EXPECT_TRUE(is_near(oracle("hellinger", Row{1, 3}, Row{6, 2}), 0.36602540378443864676372317075294L));
  EXPECT_TRUE(is_near(oracle("bhattacharyya", Row{1, 3}, Row{6, 2}), 0.143841036225890463719609502997L));
  EXPECT_EQ(oracle("hellinger", Row{2, 0}, Row{0, 5}), 1);
  EXPECT_EQ(oracle("bhattacharyya", Row{2, 0}, Row{0, 5}), kInf);
  for (const char* metric : {"hellinger", "bhattacharyya"}) {
    EXPECT_EQ(oracle(metric, Row{1, 2}, Row{2, 4}), 0);
    EXPECT_EQ(oracle(metric, Row{0, 0}, Row{0, 0}), 0);
    EXPECT_EQ(oracle(metric, Row{}, Row{}), 0);
    for (const long double wrong : {-1.0L, kNaN, kInf})
      EXPECT_TRUE(std::isnan(oracle(metric, Row{1, wrong}, Row{1, 1})));
    EXPECT_TRUE(std::isnan(oracle(metric, Row{0, 0}, Row{1, 1})));
  }
}

TEST(Oracle, JensenShannonOfSmallNumbers) {
  EXPECT_TRUE(is_near(oracle("jensenshannon", Row{1, 0}, Row{0.5L, 0.5L}), 0.464501404022459005935437L));
  EXPECT_TRUE(is_near(oracle("jensenshannon", Row{1, 0}, Row{0, 3}), 0.832554611157697756353165L));
  MetricParameters parameters;
  parameters.base = 2;
  EXPECT_EQ(oracle("jensenshannon", Row{1, 0}, Row{0, 3}, parameters), 1);
  EXPECT_EQ(oracle("jensenshannon", Row{1, 2, 0}, Row{2, 4, 0}), 0);
  EXPECT_EQ(oracle("jensenshannon", Row{0, 0}, Row{0, 0}), 0);
  EXPECT_TRUE(std::isnan(oracle("jensenshannon", Row{0, 0}, Row{1, 0})));
  EXPECT_TRUE(std::isnan(oracle("jensenshannon", Row{1, -1}, Row{1, 0})));
}

TEST(Oracle, KullbackLeiblerOfSmallNumbers) {
  // (1/4) ln(1/2) + (3/4) ln(3/2)
  EXPECT_TRUE(is_near(oracle("kl", Row{1, 3}, Row{1, 1}), 0.1308120359411369591292L));
  EXPECT_TRUE(is_near(oracle("kl", Row{1, 1}, Row{1, 3}), 0.143841036225890463719609502997L));
  EXPECT_EQ(oracle("kl", Row{1, 1}, Row{1, 0}), kInf);
  EXPECT_TRUE(is_near(oracle("kl", Row{1, 0}, Row{1, 1}), 0.693147180559945309417232121458L));
  EXPECT_EQ(oracle("kl", Row{1, 2, 0}, Row{2, 4, 0}), 0);
  EXPECT_EQ(oracle("kl", Row{0, 0}, Row{0, 0}), 0);
  EXPECT_TRUE(std::isnan(oracle("kl", Row{0, 0}, Row{1, 0})));
  EXPECT_TRUE(std::isnan(oracle("kl", Row{1, 0}, Row{0, 0})));
  EXPECT_TRUE(std::isnan(oracle("kl", Row{1, -1}, Row{1, 0})));
}

/// a = 1, b = 2, c = 1, neither = 1.
TEST(Oracle, BooleansOfSmallRows) {
  const Row x{1, -2, 3, 0, 0};
  const Row y{5, 0, 0, 0.25L, 0};
  EXPECT_TRUE(is_near(oracle("jaccard", x, y), 3.0L / 4));
  EXPECT_TRUE(is_near(oracle("dice", x, y), 3.0L / 5));
  EXPECT_TRUE(is_near(oracle("rogerstanimoto", x, y), 6.0L / 8));
  EXPECT_TRUE(is_near(oracle("russellrao", x, y), 4.0L / 5));
  EXPECT_TRUE(is_near(oracle("sokalsneath", x, y), 6.0L / 7));
  EXPECT_TRUE(is_near(oracle("yule", x, y), 4.0L / 3));  // 2 * 2 * 1 / (1 * 1 + 2 * 1)
  for (const char* metric : {"jaccard", "dice", "rogerstanimoto", "sokalsneath", "yule"})
    EXPECT_EQ(oracle(metric, Row{0, 0}, Row{0, 0}), 0) << metric;
  EXPECT_EQ(oracle("russellrao", Row{0, 0}, Row{0, 0}), 1);
  EXPECT_EQ(oracle("russellrao", Row{}, Row{}), 0);
  EXPECT_TRUE(std::isnan(oracle("jaccard", Row{kNaN, 1}, Row{1, 1})));
  MetricParameters parameters;
  parameters.w = {2, 1, 0, 3, 1};
  EXPECT_TRUE(is_near(oracle("jaccard", x, y, parameters), 4.0L / 6));
}

TEST(Oracle, AnglesOfSmallNumbers) {
  EXPECT_TRUE(is_near(oracle("cosine", Row{1, 0}, Row{1, 1}), 0.29289321881345247559915563789515L));
  EXPECT_TRUE(is_near(oracle("cosine", Row{3, 4}, Row{-3, -4}), 2));
  EXPECT_NEAR(static_cast<double>(oracle("cosine", Row{1, 0}, Row{1, 1e-9L}) / 5e-19L), 1, 1e-12);
  EXPECT_EQ(oracle("cosine", Row{0, 0}, Row{0, 0}), 0);
  EXPECT_EQ(oracle("cosine", Row{0, 0}, Row{1, 2}), 1);
  EXPECT_TRUE(std::isnan(oracle("cosine", Row{kInf, 1}, Row{1, 1})));
  EXPECT_TRUE(is_near(oracle("correlation", Row{1, 2, 3}, Row{3, 2, 1}), 2));
  EXPECT_EQ(oracle("correlation", Row{0.1L, 0.1L, 0.1L}, Row{1, 2, 3}), 1);
  EXPECT_EQ(oracle("correlation", Row{0.1L, 0.1L, 0.1L}, Row{7, 7, 7}), 0);
}

// --- SciPy, scikit-learn ---------------------------------------------------------------------------------

/// Parameters as constants: those that are left out are the metric's defaults.
struct ScipyParameters {
  std::initializer_list<double> w = {};
  std::initializer_list<double> V = {};
  std::initializer_list<double> VI = {};
  std::optional<double> p = {};
  std::optional<double> gamma = {};
  std::optional<double> coef0 = {};
  std::optional<std::int64_t> degree = {};
  std::optional<double> base = {};

  MetricParameters parameters() const {
    MetricParameters out;
    out.w = w;
    out.V = V;
    out.VI = VI;
    out.p = p;
    out.gamma = gamma;
    out.coef0 = coef0;
    out.degree = degree;
    out.base = base;
    return out;
  }
};

struct ScipyCase {
  std::string_view metric;
  ScipyParameters given;
  std::initializer_list<double> x;
  std::initializer_list<double> y;
  double value;
  double roundings;  ///< what SciPy's own arithmetic may have lost, in units of 2^-52 of the value
};

constexpr ScipyCase kScipyCases[] = {
#include "support/scipy_values.inc"
};

TEST(Oracle, AgreesWithScipyAndScikitLearn) {
  for (const ScipyCase& one : kScipyCases) {
    const Row x(one.x.begin(), one.x.end());
    const Row y(one.y.begin(), one.y.end());
    const long double got = oracle(one.metric, x, y, one.given.parameters());
    const long double error = std::fabs(got - one.value) / std::fabs(one.value);
    EXPECT_LE(error, one.roundings * 0x1p-52L)
        << one.metric << " case " << &one - kScipyCases << ", d = " << x.size() << ": " << got << ", SciPy "
        << one.value;
  }
}

// --- powers, angles, kernels -------------------------------------------------------------------------------
// Digits beyond float64 are from mpmath 1.4, with the formula written out.

const Row kX{1.5L, -2.25L, 0.5L, 3};
const Row kY{-0.75L, 1, 0.5L, 2.125L};
const std::vector<double> kWeights{1, 0.5, 2, 0.25};

long double minkowski(const Row& x, const Row& y, double p, const std::vector<double>& w = {}) {
  MetricParameters parameters;
  parameters.p = p;
  parameters.w = w;
  return oracle("minkowski", x, y, parameters);
}

TEST(Oracle, MinkowskiHasItsKnownDigits) {
  EXPECT_TRUE(is_near(oracle("minkowski", kX, kY), 3.680791155507668288182901L)) << "of p = 2.7";
  EXPECT_TRUE(is_near(minkowski(kX, kY, 2.7, kWeights), 3.096773236259704173674658L));
  EXPECT_TRUE(is_near(minkowski(kX, kY, 0.5), 17.96225434408445034525422L));
  EXPECT_TRUE(is_near(minkowski(kX, kY, 0.5, kWeights), 6.944497265469107275434816L));
  EXPECT_TRUE(is_near(minkowski(kX, kY, 0.01), 9.582514238567861498311541e47L));
  EXPECT_TRUE(is_near(minkowski(kX, kY, 0.01, kWeights), 4399242016169886587897206.0L));
  EXPECT_TRUE(is_near(minkowski(kX, kY, 1000, kWeights), 3.247748052218970696247733L));
  EXPECT_EQ(oracle("minkowski", kX, kY, {}), euclidean(kX, kY)) << "p left out";
}

// Cases 27 and 28 of research/cpu-peers.md: SciPy gave 1, Inf and 0.
TEST(Oracle, MinkowskiOfLargePowersIsTheLargestDifference) {
  EXPECT_NEAR(static_cast<double>(minkowski({1.11132L, 1.15693L}, {1.14994L, 1.15386L}, INFINITY)), 0.03862,
              1e-15);
  EXPECT_TRUE(is_near(minkowski({0, 0}, {3, 4}, 1000), 4));
  EXPECT_TRUE(is_near(minkowski({0, 0}, {0.3L, 0.4L}, 1000), 0.4L));
  EXPECT_TRUE(is_near(minkowski({0, 0}, {kLargest, kSmallest}, 1e300), kLargest));
  EXPECT_EQ(minkowski({5, 1}, {0, 0}, INFINITY, {0, 1}), 1) << "a weight of 0";
}

TEST(Oracle, MinkowskiAtTheEndsOfItsRange) {
  for (const double p : {1e-300, 0.01, 1.0, 2.7, 1000.0, static_cast<double>(kInf)}) {
    EXPECT_TRUE(is_positive_zero(minkowski({1, 2}, {1, 2}, p)));
    EXPECT_TRUE(is_positive_zero(minkowski({}, {}, p)));
    EXPECT_TRUE(std::isnan(minkowski({3, kNaN}, {1, 2}, p, {0, 0})));
    EXPECT_TRUE(is_near(minkowski({kLargest, 0}, {0, 0}, p), kLargest));
    EXPECT_TRUE(is_near(minkowski({kSmallest, 0}, {0, 0}, p), kSmallest));
    EXPECT_TRUE(std::isnan(minkowski({kInf, kNaN}, {1, 2}, p)));
    EXPECT_TRUE(std::isnan(minkowski({3, kInf}, {1, kInf}, p)));
    EXPECT_EQ(minkowski({3, kInf}, {1, 2}, p), kInf);
  }
  EXPECT_EQ(minkowski({1, 1}, {0, 0}, 1e-5), kInf) << "2^100000";
  EXPECT_TRUE(is_near(minkowski({1, 1}, {0, 0}, 0.0078125), 0x1p128L));
}

TEST(Oracle, AnglesInRadiansHaveTheirKnownDigits) {
  constexpr long double kPiDigits = 3.14159265358979323846264338327950288420L;
  MetricParameters weighted;
  weighted.w = kWeights;
  EXPECT_TRUE(is_near(oracle("angular", kX, kY), 1.247751320566543391331989L));
  EXPECT_TRUE(is_near(oracle("angular", kX, kY, weighted), 1.60550868239268938483679L));
  EXPECT_TRUE(is_near(oracle("angular", Row{1, 0}, Row{1, 1}), kPiDigits / 4));
  EXPECT_TRUE(is_near(oracle("angular", Row{1, 0}, Row{-2, 1e-9}), kPiDigits - 5e-10L));
  EXPECT_TRUE(is_near(oracle("angular", Row{kLargest, kLargest}, Row{-kSmallest, -kSmallest}), kPiDigits));
  EXPECT_TRUE(is_near(oracle("angular", Row{3, 0}, Row{1, 1e-30}), 1.000000000000000083336421e-30L));
  // So near, unit vectors of 113 bits have 60 left.
  EXPECT_NEAR(static_cast<double>(oracle("angular", Row{1, 1 + 0x1p-52L}, Row{1, 1}) /
                                  1.110223024625156417164115e-16L),
              1, 1e-15);
  EXPECT_TRUE(is_positive_zero(oracle("angular", kX, kX)));
  EXPECT_TRUE(is_positive_zero(oracle("angular", Row{0.1L, 0.7L}, Row{0.2L, 1.4L})));
  EXPECT_TRUE(is_positive_zero(oracle("angular", Row{0, 0}, Row{0, 0})));
  EXPECT_TRUE(is_positive_zero(oracle("angular", Row{}, Row{})));
  EXPECT_TRUE(is_near(oracle("angular", Row{0, 0}, Row{1, 2}), kPiDigits / 2));
  EXPECT_TRUE(std::isnan(oracle("angular", Row{kInf, 1}, Row{1, 1})));
  EXPECT_TRUE(std::isnan(oracle("angular", Row{0, 0}, Row{1, kNaN})));
}

long double in_degrees(const Row& x, const Row& y, double radius = 1) {
  MetricParameters parameters;
  parameters.degrees = true;
  parameters.radius = radius;
  return oracle("haversine", x, y, parameters);
}

TEST(Oracle, HaversineHasItsKnownDigits) {
  constexpr long double kPiDigits = 3.14159265358979323846264338327950288420L;
  EXPECT_TRUE(is_near(oracle("haversine", Row{0.5L, -1.25L}, Row{-0.25L, 2}), 2.872155533674140019649307L));
  // Buenos Aires and Paris: scikit-learn's example, 11099.54 km.
  EXPECT_TRUE(is_near(in_degrees({-34.83333, -58.5166646}, {49.0083899664, 2.53844117956}, 6371),
                      11099.54035581966122378564L));
  // Case 54 of research/cpu-peers.md: NaN of antipodes.
  EXPECT_TRUE(is_near(in_degrees({-15.625L, 1}, {15.625L, -179}), kPiDigits));
  EXPECT_TRUE(is_near(in_degrees({0, 0}, {0, 1e-200}), 1e-200 * (kPiDigits / 180)));
  EXPECT_TRUE(is_near(oracle("haversine", Row{1e-300, 0}, Row{0, 0}), 1e-300));
  for (const long double none : {kNaN, kInf, -kInf}) {
    EXPECT_TRUE(std::isnan(oracle("haversine", Row{none, 0}, Row{0, 0})));
    EXPECT_TRUE(std::isnan(in_degrees({0, 0}, {0, none})));
  }
  EXPECT_TRUE(is_positive_zero(oracle("haversine", Row{}, Row{})));
  EXPECT_THROW(oracle("haversine", Row{1, 2, 3}, Row{1, 2, 3}), std::invalid_argument);
}

TEST(Oracle, DegreesAreReducedExactly) {
  for (const long double turns : {360.0L, -360.0L, 360 * 0x1p50L}) {
    EXPECT_TRUE(is_positive_zero(in_degrees({0, 0}, {0, turns})));
    EXPECT_TRUE(is_positive_zero(in_degrees({12.5L, 100.25L}, {12.5L, 100.25L + turns})));
  }
  EXPECT_TRUE(is_positive_zero(in_degrees({90, 0}, {90, 123}))) << "all longitudes of a pole";
  EXPECT_TRUE(is_positive_zero(in_degrees({-90, 7}, {-90, -170})));
  EXPECT_TRUE(is_positive_zero(in_degrees({0, 180}, {0, -180})));
  for (const long double quarter : {-270.0L, -180.0L, -90.0L, 90.0L, 180.0L, 270.0L, 450.0L})
    EXPECT_TRUE(is_near(in_degrees({30, 10}, {30, 10 + quarter}), in_degrees({30, 0}, {30, quarter})));
}

TEST(Oracle, NanEuclideanScalesUpForWhatIsMissing) {
  const auto distance = [](const Row& x, const Row& y) { return oracle("nan_euclidean", x, y); };
  EXPECT_TRUE(is_near(distance({3, kNaN, kNaN, 6}, {1, kNaN, 4, 5}), 3.162277660168379331998894L));
  EXPECT_EQ(distance({3, 0}, {0, 4}), 5);
  EXPECT_TRUE(std::isnan(distance({1, kNaN, 2.5L}, {kNaN, 4, kNaN}))) << "nothing in common";
  EXPECT_TRUE(std::isnan(distance({kInf, 1}, {kInf, 1})));
  EXPECT_EQ(distance({kInf, kNaN}, {1, 2}), kInf);
  EXPECT_EQ(distance({kNaN, 1}, {kInf, 1}), 0) << "Inf in a feature that does not count";
  EXPECT_TRUE(is_positive_zero(distance({}, {})));
}

long double periodic(const Row& x, const Row& y, const std::vector<double>& box) {
  MetricParameters parameters;
  parameters.box = box;
  return oracle("periodic_euclidean", x, y, parameters);
}

TEST(Oracle, PeriodicTakesTheNearestImage) {
  // Case 53 of research/cpu-peers.md: MDAnalysis #151.
  EXPECT_TRUE(is_near(periodic({7.90146923, -13.72858524, 3.75326586},
                               {-1.36250901, 13.45423985, -0.36317623}, std::vector<double>(3, 5.5457325)),
                      2.383383605769069311789284L));
  EXPECT_EQ(periodic({0.75L, 0}, {0, 0}, {1, 1}), 0.25L);
  EXPECT_EQ(periodic({0.5L, 0}, {0, 0}, {1, 1}), 0.5L);
  EXPECT_EQ(periodic({9.25L}, {-7.5L}, {1}), 0.25L);
  EXPECT_EQ(periodic({3, 10}, {0, 6}, {static_cast<double>(kInf), 8}), 5) << "a feature that does not repeat";
  EXPECT_EQ(periodic({0x1p1000L}, {-0x1p-1000L}, {0.75}), 0.25L) << "2^1000 is 1 modulo 3";
  EXPECT_EQ(periodic({0x1p50L + 0x1p40L}, {0x1p-60L}, {0x1p-55}), 0x1p-60L) << "no digit is lost";
  EXPECT_EQ(periodic({0x1p100L}, {-1}, {3}), 1) << "the parts of 2^100 + 1 are both 1 modulo 3";
  EXPECT_TRUE(is_positive_zero(periodic({7}, {1}, {1.5})));
  EXPECT_TRUE(is_positive_zero(periodic({}, {}, {})));
  EXPECT_TRUE(std::isnan(periodic({kInf}, {1}, {1})));
  EXPECT_TRUE(std::isnan(periodic({kNaN}, {1}, {1})));
  EXPECT_EQ(periodic({kInf}, {1}, {static_cast<double>(kInf)}), kInf);
  EXPECT_THROW(periodic({1, 2}, {1, 2}, {1}), std::invalid_argument);
  EXPECT_EQ(oracle("periodic_euclidean", Row{0, 0, 0}, Row{0, 0.5L, 9}), std::sqrt(81.0625L))
      << "the box of the test parameters";
}

TEST(Oracle, InnerProductIsNegative) {
  EXPECT_EQ(oracle("inner_product", kX, kY), -3.25L);
  EXPECT_EQ(oracle("inner_product", Row{kLargest, 1}, Row{kLargest, 1}), -kLargest * kLargest);
  EXPECT_EQ(oracle("inner_product", Row{1e10, 1, 1e10}, Row{1e10, 3, -1e10}), -3) << "no digit is lost";
  EXPECT_TRUE(is_positive_zero(oracle("inner_product", Row{1, 0}, Row{0, 1})));
  EXPECT_TRUE(is_positive_zero(oracle("inner_product", Row{}, Row{})));
  EXPECT_EQ(oracle("inner_product", Row{kInf, 1}, Row{2, 1}), -kInf);
  EXPECT_TRUE(std::isnan(oracle("inner_product", Row{kInf}, Row{0})));
  EXPECT_TRUE(std::isnan(oracle("inner_product", Row{kInf, kInf}, Row{1, -1})));
  EXPECT_TRUE(std::isnan(oracle("inner_product", Row{kNaN}, Row{0})));
}

TEST(Oracle, KernelsHaveTheirKnownDigits) {
  MetricParameters given;
  given.gamma = 0.7;
  given.coef0 = -0.3;
  given.degree = 5;
  EXPECT_TRUE(is_near(oracle("rbf", kX, kY), 0.01661156316352854352806331L));
  EXPECT_TRUE(is_near(oracle("rbf", kX, kY, given), 0.00001040277979033172089702427L));
  EXPECT_TRUE(is_near(oracle("laplacian", kX, kY), 0.2031623227515317329327995L));
  EXPECT_TRUE(is_near(oracle("laplacian", kX, kY, given), 0.01153349348154362951779309L));
  EXPECT_EQ(oracle("polynomial", kX, kY), 5.954345703125L);
  EXPECT_TRUE(is_near(oracle("polynomial", kX, kY, given), 30.04937889648436486485701L));
  // Of d = 3: gamma is 1 / 3 rounded to float64.
  EXPECT_TRUE(is_near(oracle("polynomial", Row{1, 3, 0}, Row{2, 4, 0}), 181.9629629629629380076165L));
  EXPECT_TRUE(is_near(oracle("rbf", Row{1, 1, 0}, Row{2, 2, 0}), 0.5134171190325920458722367L));
}

TEST(Oracle, KernelsOfNothingNaNAndInf) {
  for (const char* metric : {"rbf", "laplacian"}) {
    EXPECT_EQ(oracle(metric, Row{}, Row{}), 1);
    EXPECT_EQ(oracle(metric, kX, kX), 1);
    EXPECT_EQ(oracle(metric, Row{kInf}, Row{1}), 0);
    EXPECT_EQ(oracle(metric, Row{kLargest}, Row{-kLargest}), 0);
    EXPECT_TRUE(std::isnan(oracle(metric, Row{kInf}, Row{kInf})));
    EXPECT_TRUE(std::isnan(oracle(metric, Row{kNaN}, Row{kInf})));
  }
  EXPECT_EQ(oracle("polynomial", Row{}, Row{}), 1);
  EXPECT_EQ(oracle("polynomial", Row{-kInf}, Row{1}), -kInf);
  EXPECT_TRUE(std::isnan(oracle("polynomial", Row{kInf}, Row{0})));
  MetricParameters highest;
  highest.degree = 255;
  highest.coef0 = 0;
  EXPECT_EQ(oracle("polynomial", Row{kLargest}, Row{kLargest}, highest), kInf);
  EXPECT_EQ(oracle("polynomial", Row{-kLargest}, Row{kLargest}, highest), -kInf);
  EXPECT_EQ(oracle("polynomial", Row{-2}, Row{1}, highest), -0x1p255L);
}

TEST(Oracle, MagnitudesAreOfTermsThatDoNotCancel) {
  const auto of = [](const char* metric) { return magnitudes(metric, kX, kY, {}); };
  EXPECT_EQ(of("inner_product").terms, 1.125L + 2.25L + 0.25L + 6.375L);
  EXPECT_EQ(of("inner_product").result, 10);
  EXPECT_EQ(of("polynomial").terms, 10);
  EXPECT_EQ(of("polynomial").result, 3.5L * 3.5L * 3.5L);
  EXPECT_EQ(of("rbf").terms, 16.390625L);
  EXPECT_EQ(of("laplacian").terms, 2.25L + 3.25L + 0.875L);
  EXPECT_EQ(of("euclidean").terms, 0);
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
