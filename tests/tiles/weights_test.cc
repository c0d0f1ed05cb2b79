// SPDX-License-Identifier: Apache-2.0
// Weights of features and variances: every metric that takes them, on every device and instruction set.
#include <algorithm>
#include <cmath>
#include <limits>

#include "quadrance/pairwise.h"
#include "support/comparator.h"
#include "support/generators.h"
#include "support/oracle.h"
#include "support/runs.h"

namespace quadrance::testing {
namespace {

std::vector<Run> weighted_runs() {
  std::vector<Run> out;
  for (const Run& run : all_runs()) {
    if (run.info().parameters == "w") out.push_back(run);
  }
  return out;
}

double element(const Matrix& out, std::int64_t k) {
  return out.dtype() == DType::kFloat32 ? static_cast<double>(out.as<float>()[k]) : out.as<double>()[k];
}

class Weights : public ::testing::TestWithParam<Run> {
 protected:
  Matrix among(const MatrixView& x, const std::vector<double>& w) const {
    Options options = GetParam().options();
    options.parameters.w = w;
    return distances(x, options);
  }
  const std::string& metric() const { return GetParam().metric; }
};

INSTANTIATE_TEST_SUITE_P(Pairwise, Weights, ::testing::ValuesIn(weighted_runs()), run_name);

std::vector<double> weights_for(std::int64_t d, double unit) {
  std::vector<double> w;
  for (std::int64_t f = 0; f < d; ++f)
    w.push_back(unit * (f % 5 == 3 ? 0 : 0.1 + static_cast<double>(f % 4)));
  return w;
}

TEST_P(Weights, MatchTheOracle) {
  for (const Pattern pattern :
       {Pattern::kNormal, Pattern::kOffset, Pattern::kMixed, Pattern::kHuge, Pattern::kTiny,
        Pattern::kNotFinite, Pattern::kSubnormal, Pattern::kConstantRows}) {
    for (const std::int64_t d : {1, 7, 131}) {
      for (const double unit : {1.0, 1e-30, 1e30, 1e-150, 1e150}) {
        const StoredMatrix x(make_points(pattern, GetParam().dtype, 23, d), GetParam().dtype);
        MetricParameters parameters;
        parameters.w = weights_for(d, unit);
        const auto rows = rows_of(x.view());
        Tolerance tolerance = tolerance_of(metric(), d, GetParam().dtype, GetParam().dtype);
        tolerance.relative *= 1.5L;  // a weight is one more rounding a term
        tolerance.of_root *= 2;
        tolerance.absolute *= 2;
        SCOPED_TRACE(std::string(name_of(pattern)) + " d=" + std::to_string(d) +
                     " unit=" + std::to_string(unit));
        EXPECT_TRUE(compare(
            among(x.view(), parameters.w).view(),
            [&](std::int64_t i, std::int64_t j) {
              return oracle(metric(), rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)],
                            parameters);
            },
            tolerance));
      }
    }
  }
}

TEST_P(Weights, AFeatureOfWeightZeroAddsNothing) {
  Points points = make_points(Pattern::kNormal, GetParam().dtype, 30, 6);
  const StoredMatrix before(points, GetParam().dtype);
  for (std::int64_t i = 0; i < 30; ++i) points.at(i, 2) = static_cast<long double>(i) * 100;
  const StoredMatrix after(points, GetParam().dtype);
  const std::vector<double> w{1, 2, 0, 3, 1, 0.5};
  EXPECT_TRUE(bits_equal(among(before.view(), w).view(), among(after.view(), w).view()));
}

// As in SciPy, where it is 0 times these.
TEST_P(Weights, NanAndInfOfWeightZeroCount) {
  for (const long double value :
       {static_cast<long double>(NAN), std::numeric_limits<long double>::infinity()}) {
    Points points = make_points(Pattern::kNormal, GetParam().dtype, 30, 6);
    points.at(7, 2) = value;
    const StoredMatrix x(points, GetParam().dtype);
    for (const std::vector<double>& w :
         {std::vector<double>{1, 2, 0, 3, 1, 0.5}, std::vector<double>(6, 0.0)}) {
      const Matrix out = among(x.view(), w);
      for (std::int64_t k = 0; k < 900; ++k)
        EXPECT_EQ(std::isnan(element(out, k)), k / 30 == 7 || k % 30 == 7) << k;
    }
  }
}

TEST_P(Weights, AreSymmetricWithZeroDiagonal) {
  const StoredMatrix x(make_points(Pattern::kMixed, GetParam().dtype, 170, 9), GetParam().dtype);
  const Matrix out = among(x.view(), weights_for(9, 1));
  EXPECT_TRUE(is_symmetric_bits(out.view()));
  for (std::int64_t i = 0; i < 170; ++i) {
    EXPECT_EQ(element(out, i * 171), 0) << i;
  }
}

TEST_P(Weights, AllZeroMeansNoDistance) {
  const StoredMatrix x(make_points(Pattern::kNormal, GetParam().dtype, 4, 3), GetParam().dtype);
  const Matrix out = among(x.view(), {0, 0, 0});
  for (std::int64_t k = 0; k < 16; ++k) EXPECT_EQ(element(out, k), 0);
}

TEST_P(Weights, BadOnesAreRefused) {
  const StoredMatrix x(make_points(Pattern::kNormal, GetParam().dtype, 4, 2), GetParam().dtype);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& w : {std::vector<double>{-1, 1}, {nan, 1}, {1, inf}, {1}, {1, 1, 1}}) {
    EXPECT_THROW(among(x.view(), w), Error);
  }
}

/// The distance of two points with these weights, in float64.
class WeightedPair : public ::testing::TestWithParam<std::string> {
 protected:
  double distance(const std::string& metric, const std::vector<double>& x, const std::vector<double>& y,
                  const std::vector<double>& w, const MetricParameters& parameters = {}) const {
    Options options;
    options.metric = metric;
    options.device = GetParam();
    options.parameters = parameters;
    options.parameters.w = w;
    const auto d = static_cast<std::int64_t>(x.size());
    return *distances(MatrixView(x.data(), 1, d), MatrixView(y.data(), 1, d), options).as<double>();
  }
};
INSTANTIATE_TEST_SUITE_P(Pairwise, WeightedPair, ::testing::ValuesIn(device_targets()), [](const auto& run) {
  std::string name = run.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(WeightedPair, TheLargestAndSmallestWeightsAreInRange) {
  EXPECT_EQ(distance("cityblock", {1}, {1}, {1e308}), 0);
  EXPECT_EQ(distance("sqeuclidean", {1}, {1}, {1e308}), 0);
  EXPECT_NEAR(distance("cityblock", {1e-10}, {0}, {1e308}) / 1e298, 1, 1e-15);
  EXPECT_NEAR(distance("canberra", {1}, {2}, {1e308}) / (1e308 / 3), 1, 1e-15);
  EXPECT_EQ(distance("sqeuclidean", {0x1p-500}, {0}, {0x1p1000}), 1);
  EXPECT_EQ(distance("sqeuclidean", {0x1p520}, {0}, {0x1p-1074}), 0x1p-34);
  EXPECT_EQ(distance("euclidean", {0x1p-1074, 0}, {0, 0}, {0x1p920, 0x1p1000}), 0x1p-614);
  EXPECT_EQ(distance("euclidean", {0x1p1000, 0}, {-0x1p1000, 0}, {0x1p-1000, 0x1p-920}), 0x1p501);
  EXPECT_EQ(distance("sqeuclidean", {0x1p-700}, {0}, {0x1p-1000}), 0);
  EXPECT_EQ(distance("sqeuclidean", {0x1p700}, {0}, {0x1p1000}), std::numeric_limits<double>::infinity());
}

TEST_P(WeightedPair, NoDigitOfASubnormalDifferenceIsLost) {
  const double tiny = 5e-324;
  for (const double w : {1e-20, 0.3, 1.0, 3.0, 1e20, 1e300}) {
    EXPECT_DOUBLE_EQ(distance("braycurtis", {tiny}, {2 * tiny}, {w}), 1.0 / 3) << w;
    EXPECT_DOUBLE_EQ(distance("braycurtis", {tiny, 3e-320}, {2 * tiny, 1e-320}, {w, 0}), 1.0 / 3) << w;
    EXPECT_EQ(distance("cityblock", {tiny}, {0}, {w}),
              static_cast<double>(tiny * static_cast<long double>(w)))
        << w;
  }
  EXPECT_DOUBLE_EQ(distance("cityblock", {1e-320}, {0}, {1e20}),
                   static_cast<double>(1e20L * static_cast<long double>(1e-320)));
  EXPECT_DOUBLE_EQ(distance("cityblock", {1e-320, 1}, {0, 1}, {1e20, 1e-5}),
                   static_cast<double>(1e20L * static_cast<long double>(1e-320)));
}

TEST_P(WeightedPair, ADifferenceBeyondTheRangeMayCountLess) {
  const double huge = 0x1p1023;
  for (const double w : {0.125, 0x1p-30, 0x1p-1000})
    EXPECT_EQ(distance("cityblock", {huge, 1}, {-huge, 1}, {w, w}), 2 * w * huge) << w;
  EXPECT_EQ(distance("cityblock", {huge, 1}, {-huge, 0}, {0x1p-80, 1}), 0x1p944);
  EXPECT_EQ(distance("cityblock", {huge}, {-huge}, {0.5}), huge);
  EXPECT_EQ(distance("cityblock", {huge}, {-huge}, {1}), std::numeric_limits<double>::infinity());
  // Equal huge elements leave what is small as it is.
  EXPECT_EQ(distance("cityblock", {huge, 5e-324}, {huge, 0}, {1, 1}), 5e-324);
  for (const double p : {0.5, 1.0, 2.3, 3.0, 2.0}) {
    MetricParameters parameters;
    parameters.p = p;
    EXPECT_NEAR(distance("minkowski", {huge, 1}, {-huge, 1}, {0x1p-10, 1}, parameters) /
                    std::ldexp(std::exp2(1 - 10 / p), 1023),
                1, 1e-14)
        << p;
    EXPECT_DOUBLE_EQ(distance("minkowski", {huge, 5e-324}, {huge, 0}, {1, 1}, parameters), 5e-324) << p;
  }
}

TEST_P(WeightedPair, HammingIsTheWeightThatDiffers) {
  EXPECT_EQ(distance("hamming", {1, 2, 3}, {0, 5, 3}, {1, 0, 3}), 0.25);
  EXPECT_EQ(distance("hamming", {1, 2, 3}, {0, 5, 4}, {0, 0, 0}), 0);
  EXPECT_EQ(distance("hamming", {1, 2}, {0, 3}, {1e308, 1e308}), 1);
  EXPECT_EQ(distance("hamming", {1, 2}, {0, 2}, {5e-324, 1.5e-323}), 0.25);
  EXPECT_TRUE(std::isnan(distance("hamming", {1, NAN}, {1, 2}, {1, 1})));
}

TEST_P(WeightedPair, BooleansCountWeights) {
  const std::vector<double> x{1, -2, 3, 0, 0};
  const std::vector<double> y{5, 0, 0, 0.25, 0};
  const std::vector<double> w{2, 1, 0, 3, 1};  // both 2, only x 1, only y 3, neither 1
  EXPECT_EQ(distance("jaccard", x, y, w), 4.0 / 6);
  EXPECT_EQ(distance("dice", x, y, w), 4.0 / 8);
  EXPECT_EQ(distance("rogerstanimoto", x, y, w), 8.0 / 11);
  EXPECT_EQ(distance("russellrao", x, y, w), 5.0 / 7);
  EXPECT_EQ(distance("sokalsneath", x, y, w), 8.0 / 10);
  EXPECT_EQ(distance("yule", x, y, w), 6.0 / 5);
  EXPECT_EQ(distance("jaccard", x, y, {1e308, 1e308, 1e308, 1e308, 1e308}), 0.75);
  for (const char* metric : {"jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}) {
    EXPECT_EQ(distance(metric, x, y, {0, 0, 0, 0, 0}), 0) << metric;
    EXPECT_TRUE(std::isnan(distance(metric, {NAN, 1}, {1, 1}, {0, 0}))) << metric;
    EXPECT_TRUE(std::isnan(distance(metric, {INFINITY, 1}, {1, 1}, {0, 0}))) << metric;
    EXPECT_TRUE(std::isnan(distance(metric, {NAN, 1}, {1, 1}, {1, 1}))) << metric;
    EXPECT_TRUE(std::isnan(distance(metric, {NAN, 1}, {1, 1}, {0, 1}))) << metric;
  }
}

TEST_P(WeightedPair, WeightsTooFarApartAreRefused) {
  for (const char* metric : {"euclidean", "cosine", "correlation", "canberra"})
    EXPECT_THROW(distance(metric, {0, 1}, {0, 2}, {1e300, 1e-300}), Error) << metric;
  EXPECT_EQ(distance("chebyshev", {0, 1}, {0, 2}, {1e300, 1e-300}), 1);  // there weights only choose
}

TEST_P(WeightedPair, VariancesMayDifferByEightyOrders) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto seuclidean = [&](std::vector<double> x, std::vector<double> y, std::vector<double> V) {
    Options options;
    options.metric = "seuclidean";
    options.parameters.V = std::move(V);
    options.device = GetParam();
    const auto d = static_cast<std::int64_t>(x.size());
    return distances(MatrixView(x.data(), 1, d), MatrixView(y.data(), 1, d), options).as<double>()[0];
  };
  // Powers of two, so that every result is exact.
  EXPECT_DOUBLE_EQ(seuclidean({0, 0}, {0x1p-40, 0x1p100}, {0x1p-80, 0x1p180}), std::sqrt(1 + 0x1p20));
  EXPECT_EQ(seuclidean({0, 0}, {0, 0x1p-900}, {0x1p-100, 0x1p160}), 0x1p-980);
  EXPECT_EQ(seuclidean({3, 0}, {3, 0x1p900}, {0x1p-260, 1}), 0x1p900);
  EXPECT_EQ(seuclidean({0, 0}, {0x1p1000, 1}, {0x1p-200, 1}), inf);
  EXPECT_THROW(seuclidean({0, 0}, {1, 1}, {0x1p-140, 0x1p140}), Error);
}

// --- seuclidean --------------------------------------------------------------------------------------------

double variance_of(const MatrixView& x, std::int64_t f) {
  long double sum = 0;
  for (std::int64_t i = 0; i < x.rows; ++i) sum += row_of(x, i)[static_cast<std::size_t>(f)];
  const long double mean = sum / static_cast<long double>(x.rows);
  long double squares = 0;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const long double difference = row_of(x, i)[static_cast<std::size_t>(f)] - mean;
    squares += difference * difference;
  }
  return static_cast<double>(squares / static_cast<long double>(x.rows - 1));
}

TEST(SEuclidean, TakesTheVariancesOfTheWholeSet) {
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat64, 50, 5), DType::kFloat64);
  Options options;
  options.metric = "seuclidean";
  const Matrix among = distances(x.view(), options);
  const Matrix copy_between = distances(
      x.view(), StoredMatrix(make_points(Pattern::kNormal, DType::kFloat64, 50, 5), DType::kFloat64).view(),
      options);
  EXPECT_TRUE(bits_equal(among.view(), copy_between.view())) << "a copy is the same set";
  MetricParameters given;
  for (std::int64_t f = 0; f < 5; ++f) given.V.push_back(variance_of(x.view(), f));
  const auto rows = rows_of(x.view());
  Tolerance tolerance{.relative = 20 * 0x1p-52L};
  EXPECT_TRUE(compare(
      among.view(),
      [&](std::int64_t i, std::int64_t j) {
        return oracle("seuclidean", rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)],
                      given);
      },
      tolerance));
}

TEST(SEuclidean, AsksForVariancesOfTwoSets) {
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat64, 10, 3, 1), DType::kFloat64);
  const StoredMatrix y(make_points(Pattern::kNormal, DType::kFloat64, 10, 3, 2), DType::kFloat64);
  Options options;
  options.metric = "seuclidean";
  EXPECT_THROW(distances(x.view(), y.view(), options), Error);
  options.parameters.from_both = true;
  EXPECT_GT(distances(x.view(), y.view(), options).as<double>()[0], 0);
  options.parameters.V = {1, 0, 1};
  EXPECT_THROW(distances(x.view(), y.view(), options), Error);
  options.parameters.V = {1, 2};
  EXPECT_THROW(distances(x.view(), y.view(), options), Error);
  options.parameters.V = {1, 2, 3};
  options.parameters.w = {1, 1, 1};
  EXPECT_THROW(distances(x.view(), y.view(), options), Error) << "SciPy takes no w here either";
}

TEST(SEuclidean, AConstantFeatureAddsNothing) {
  const std::vector<double> x{1, 7, 2, 7, 4, 7};
  Options options;
  options.metric = "seuclidean";
  const Matrix out = distances(MatrixView(x.data(), 3, 2), options);
  const double V = 7.0 / 3;  // of 1, 2, 4
  EXPECT_NEAR(out.as<double>()[1], 1 / std::sqrt(V), 1e-15);
  EXPECT_NEAR(out.as<double>()[2], 3 / std::sqrt(V), 1e-15);
  const std::vector<double> one{1, 7};
  EXPECT_EQ(*distances(MatrixView(one.data(), 1, 2), options).as<double>(), 0) << "one point";
  const std::vector<double> huge{1e308, 1, 1e308, 2};
  EXPECT_NEAR(distances(MatrixView(huge.data(), 2, 2), options).as<double>()[1], std::sqrt(2.0), 1e-15);
}

TEST(SEuclidean, RefusesVariancesThatAreNoNormalNumbers) {
  Options options;
  options.metric = "seuclidean";
  for (const double far : {1e-155, 1e-170, 1e200}) {
    const std::vector<double> x{0, 1, far, 2};
    EXPECT_THROW(distances(MatrixView(x.data(), 2, 2), options), Error) << far;
  }
  options.parameters.V = {1e-310, 1};
  const std::vector<double> x{0, 1, 3, 2};
  EXPECT_THROW(distances(MatrixView(x.data(), 2, 2), options), Error);
}

TEST(SEuclidean, TheSameNumbersInAnotherDtypeAreOneSet) {
  const StoredMatrix x(make_points(Pattern::kUniform, DType::kFloat32, 20, 3), DType::kFloat32);
  const Matrix wide = [&] {
    Matrix out(DType::kFloat64, 20, 3);
    for (std::int64_t k = 0; k < 60; ++k)
      out.as<double>()[k] = static_cast<double>(row_of(x.view(), k / 3)[static_cast<std::size_t>(k % 3)]);
    return out;
  }();
  Options options;
  options.metric = "seuclidean";
  options.dtype = DType::kFloat64;
  EXPECT_TRUE(
      bits_equal(distances(x.view(), wide.view(), options).view(), distances(x.view(), options).view()));
}

TEST(Correlation, OfWeightedFloat32RowsFarFromTheirMeans) {
  // The mean is that of the second feature up to 1e-14, so the rows are in one direction: by hand 0.
  const float x[] = {30000.5F, 30001.25F};
  const float y[] = {29999.75F, 30003.5F};
  Options options;
  options.metric = "correlation";
  options.parameters.w = {1e-7, 1e7};
  EXPECT_LE(*distances(MatrixView(x, 1, 2), MatrixView(y, 1, 2), options).as<float>(), 4 * 0x1p-46F);
}

// --- mahalanobis -------------------------------------------------------------------------------------------

TEST(Mahalanobis, TakesTheCovarianceOfTheWholeSet) {
  const StoredMatrix x(make_points(Pattern::kOffset, DType::kFloat64, 40, 4), DType::kFloat64);
  Options options;
  options.metric = "mahalanobis";
  const auto rows = rows_of(x.view());
  std::vector<long double> mean(4);
  for (const auto& row : rows) {
    for (std::size_t f = 0; f < 4; ++f) mean[f] += row[f] / 40;
  }
  MetricParameters given;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      long double sum = 0;
      for (const auto& row : rows) sum += (row[i] - mean[i]) * (row[j] - mean[j]);
      given.V.push_back(static_cast<double>(sum / 39));
    }
  }
  const Matrix got = distances(x.view(), options);
  for (std::size_t k = 0; k < 1600; ++k) {
    const long double want = oracle("mahalanobis", rows[k / 40], rows[k % 40], given);
    ASSERT_NEAR(got.as<double>()[k], static_cast<double>(want), 1e-13) << k;
  }
  const StoredMatrix copy(make_points(Pattern::kOffset, DType::kFloat64, 40, 4), DType::kFloat64);
  EXPECT_TRUE(bits_equal(distances(x.view(), copy.view(), options).view(), got.view()));
}

Matrix with_inverse(const std::vector<double>& VI, const std::vector<double>& rows) {
  Options options;
  options.metric = "mahalanobis";
  options.parameters.VI = VI;
  return distances(MatrixView(rows.data(), 2, 2), options);
}

TEST(Mahalanobis, OfAnInverseThatIsGiven) {
  // (3, 4) under [[2, 1], [1, 3]]: 2*9 + 2*12 + 3*16 = 90.
  EXPECT_NEAR(with_inverse({2, 1, 1, 3}, {0, 0, 3, 4}).as<double>()[1], std::sqrt(90.0), 1e-14);
  EXPECT_EQ(with_inverse({1, 0, 0, 0}, {0, 0, 3, 4}).as<double>()[1], 3)
      << "singular: a feature that does not count";
  EXPECT_NEAR(with_inverse({1, 1, 1, 1}, {0, 0, 3, 4}).as<double>()[1], 7, 1e-14)
      << "singular: only the sum counts";
  EXPECT_EQ(with_inverse({0, 0, 0, 0}, {0, 0, 3, 4}).as<double>()[1], 0);
}

TEST(Mahalanobis, RefusesWhatIsNoCovariance) {
  const std::vector<double> rows{0, 0, 3, 4};
  EXPECT_THROW(with_inverse({1, 2, 0, 1}, rows), Error) << "not symmetric";
  EXPECT_THROW(with_inverse({1, 2, 2, 1}, rows), Error) << "a negative square";
  const std::vector<double> three{0, 0, 0, 3, 4, 5};
  for (const double third : {1.0, 1e300}) {  // a feature in other units hides nothing
    Options options;
    options.metric = "mahalanobis";
    options.parameters.V = {4, 0.25, 0, 0, 4, 0, 0, 0, third};
    EXPECT_THROW(distances(MatrixView(three.data(), 2, 3), options), Error) << third;
    options.parameters.V = {4, 0.25, 0, 0.25 + 1e-9, 4, 0, 0, 0, third};
    EXPECT_NO_THROW(distances(MatrixView(three.data(), 2, 3), options)) << third;
  }
  EXPECT_THROW(with_inverse({1, 0, 0}, rows), Error);
  EXPECT_THROW(with_inverse({1, NAN, NAN, 1}, rows), Error);
  Options options;
  options.metric = "mahalanobis";
  EXPECT_THROW(distances(MatrixView(rows.data(), 2, 2), options), Error)
      << "two points have a singular covariance";
  options.parameters.V = {1, 1, 1, 1};
  EXPECT_THROW(distances(MatrixView(rows.data(), 2, 2), options), Error);
  options.parameters.V = {1, 0, 0, 1};
  options.parameters.VI = {1, 0, 0, 1};
  EXPECT_THROW(distances(MatrixView(rows.data(), 2, 2), options), Error) << "both";
}

}  // namespace
}  // namespace quadrance::testing
