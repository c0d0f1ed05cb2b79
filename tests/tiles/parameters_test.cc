// SPDX-License-Identifier: Apache-2.0
// Metrics under other parameters than tests/tiles/contract_test.cc gives them, on every device and
// instruction set.
#include <algorithm>
#include <cmath>
#include <limits>

#include "quadrance/error.h"
#include "quadrance/pairwise.h"
#include "support/comparator.h"
#include "support/generators.h"
#include "support/oracle.h"
#include "support/runs.h"

namespace quadrance::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<Run> runs_of(const std::string& metric) {
  std::vector<Run> out = all_runs();
  std::erase_if(out, [&](const Run& run) { return run.metric != metric; });
  return out;
}

/// Some pairs of x and y, within the bound that the metric states for these parameters.
void compare_some(const Run& run, const MetricParameters& parameters, const Tolerance& bound,
                  const MatrixView& x, const MatrixView& y) {
  Options options = run.options();
  options.parameters = parameters;
  const Matrix got = distances(x, y, options);
  const auto x_rows = rows_of(x);
  const auto y_rows = rows_of(y);
  for (const std::int64_t i : {std::int64_t{0}, x.rows / 2, x.rows - 1}) {
    MatrixView row = got.view();
    row.data = static_cast<const std::byte*>(row.data) + i * row.row_stride;
    row.rows = 1;
    EXPECT_TRUE(compare(
        row,
        [&](std::int64_t, std::int64_t j) {
          return oracle(run.metric, x_rows[static_cast<std::size_t>(i)], y_rows[static_cast<std::size_t>(j)],
                        parameters);
        },
        bound))
        << "row " << i;
  }
}

class MinkowskiRuns : public ::testing::TestWithParam<Run> {};
INSTANTIATE_TEST_SUITE_P(Pairwise, MinkowskiRuns, ::testing::ValuesIn(runs_of("minkowski")), run_name);

/// ((b + 8 + 4 ln d) / p + 6) eps, computed in float64 with weights and for small p.
Tolerance minkowski_bound(const Run& run, double p, std::int64_t d, bool weighted) {
  const DType compute = weighted || p < 0.3 ? DType::kFloat64 : run.dtype;
  const auto epsilon = [](DType dtype) { return dtype == DType::kFloat32 ? 0x1p-23L : 0x1p-52L; };
  const auto size = static_cast<long double>(d);
  const long double sums = (std::min(size, 128.0L) + 10 + 4 * std::log(std::max(size, 1.0L))) / p;
  return {.relative = (sums + 6) * epsilon(compute) + (compute != run.dtype ? epsilon(run.dtype) / 2 : 0),
          .subnormals = 2};
}

TEST_P(MinkowskiRuns, EveryPowerMatchesTheOracle) {
  const auto& run = GetParam();
  for (const double p : {1e-300, 1e-3, 0.02, 0.1, 0.25, 0.5,  0.8,  1.0,  1.5, 2.0,      2.5,
                         3.0,    5.5,  6.0,  7.0, 15.0, 15.5, 16.0, 33.3, 1e4, kInfinity}) {
    for (const Pattern pattern :
         {Pattern::kNormal, Pattern::kOffset, Pattern::kDuplicates, Pattern::kNotFinite, Pattern::kSubnormal,
          Pattern::kHuge, Pattern::kTiny, Pattern::kMixed, Pattern::kConstantRows}) {
      if (pattern == Pattern::kMixed && p < 0.06) continue;  // see the edges of minkowski
      for (const std::int64_t d : {1, 5, 131}) {
        SCOPED_TRACE(std::string(name_of(pattern)) + " p=" + std::to_string(p) + " d=" + std::to_string(d));
        const StoredMatrix x(make_points(pattern, run.dtype, 9, d, 21), run.dtype);
        const StoredMatrix y(make_points(pattern, run.dtype, 6, d, 22), run.dtype);
        MetricParameters parameters;
        parameters.p = p;
        compare_some(run, parameters, minkowski_bound(run, p, d, false), x.view(), y.view());
      }
    }
  }
}

TEST_P(MinkowskiRuns, WeightsOfAnySizeMatchTheOracle) {
  const auto& run = GetParam();
  for (const double p : {0.5, 1.5, 3.0, 0.7, 2.3, 90.0}) {
    for (const double unit : {1.0, 1e-250, 1e250}) {
      SCOPED_TRACE("p=" + std::to_string(p) + " w=" + std::to_string(unit));
      const StoredMatrix x(make_points(Pattern::kNormal, run.dtype, 9, 7, 23), run.dtype);
      MetricParameters parameters;
      parameters.p = p;
      for (int f = 0; f < 7; ++f) parameters.w.push_back(f == 3 ? 0 : unit * (1 + f));
      compare_some(run, parameters, minkowski_bound(run, p, 7, true), x.view(), x.view());
    }
  }
}

class PeriodicRuns : public ::testing::TestWithParam<Run> {};
INSTANTIATE_TEST_SUITE_P(Pairwise, PeriodicRuns, ::testing::ValuesIn(runs_of("periodic_euclidean")),
                         run_name);

TEST_P(PeriodicRuns, BoxesOfAnySizeMatchTheOracle) {
  const auto& run = GetParam();
  for (const double length : {1e-300, 1e-30, 0.3, 7.25, 1e30, 1e300, kInfinity}) {
    for (const Pattern pattern :
         {Pattern::kNormal, Pattern::kTiny, Pattern::kHuge, Pattern::kNotFinite, Pattern::kConstantRows}) {
      SCOPED_TRACE(std::string(name_of(pattern)) + " length=" + std::to_string(length));
      const StoredMatrix x(make_points(pattern, run.dtype, 9, 5, 24), run.dtype);
      MetricParameters parameters;
      parameters.box = {length, kInfinity, length, 2.5, length};
      compare_some(run, parameters, tolerance_of("periodic_euclidean", 5, DType::kFloat64, run.dtype),
                   x.view(), x.view());
    }
  }
}

TEST_P(PeriodicRuns, AcrossTheEdgeOfABoxNothingIsLost) {
  const auto& run = GetParam();
  Points points{2, 1, {}};
  const long double a = run.dtype == DType::kFloat32 ? 4.9999995L : 4.9999999999999991L;  // the last below 5
  points.elements = {a, -a};
  const StoredMatrix x(points, run.dtype);
  Options options = run.options();
  options.parameters.box = {10};
  const Matrix got = distances(x.view(), options);
  const double want = 10 - 2 * (run.dtype == DType::kFloat32 ? static_cast<double>(static_cast<float>(a))
                                                             : static_cast<double>(a));
  EXPECT_GT(want, 0);
  EXPECT_EQ(run.dtype == DType::kFloat32 ? static_cast<double>(got.as<float>()[1]) : got.as<double>()[1],
            want);
}

class HaversineRuns : public ::testing::TestWithParam<Run> {};
INSTANTIATE_TEST_SUITE_P(Pairwise, HaversineRuns, ::testing::ValuesIn(runs_of("haversine")), run_name);

TEST_P(HaversineRuns, DegreesAndRadiusMatchTheOracle) {
  const auto& run = GetParam();
  Points points{8,
                2,
                {51.5L, -0.125L,  // latitude, longitude
                 51.5L, -0.12499L, -51.5L, 179.875L, 90, 10, -90, 20, 0, 180, 0, -180, -33.86L, 151.21L}};
  const StoredMatrix x(points, run.dtype);
  MetricParameters parameters;
  parameters.degrees = true;
  parameters.radius = 6371008.8;
  const Tolerance bound = tolerance_of("haversine", 2, DType::kFloat64, run.dtype);
  compare_some(run, parameters, bound, x.view(), x.view());
}

TEST_P(HaversineRuns, NearPointsKeepTheirDigits) {
  const auto& run = GetParam();
  const Tolerance bound = tolerance_of("haversine", 2, DType::kFloat64, run.dtype);
  for (const double step : {1e-1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    for (const bool degrees : {false, true}) {
      SCOPED_TRACE("step=" + std::to_string(step) + " degrees=" + std::to_string(degrees));
      Points points{4, 2, {0.7L, 2.0L, 0.7L + step, 2.0L, 0.7L, 2.0L + step, -0.7L, 2.0L - step}};
      const StoredMatrix x(points, run.dtype);
      MetricParameters parameters;
      parameters.degrees = degrees;
      compare_some(run, parameters, bound, x.view(), x.view());
    }
  }
}

TEST_P(MinkowskiRuns, SubnormalDifferencesKeepWhatTheirResultsHold) {
  const auto& run = GetParam();
  for (const double p : {0.01, 0.05, 1.1, 3.1, 3.0}) {
    SCOPED_TRACE("p=" + std::to_string(p));
    const long double tiny = run.dtype == DType::kFloat32 ? 0x1p-149L : 0x1p-1074L;
    const StoredMatrix x({2, 3, {0, 0, 0, tiny, tiny, tiny}}, run.dtype);
    MetricParameters parameters;
    parameters.p = p;
    compare_some(run, parameters, minkowski_bound(run, p, 3, false), x.view(), x.view());
    parameters.w = {1e300, 1e300, 1e300};
    compare_some(run, parameters, minkowski_bound(run, p, 3, true), x.view(), x.view());
  }
}

class KernelRuns : public ::testing::TestWithParam<Run> {};
INSTANTIATE_TEST_SUITE_P(Pairwise, KernelRuns, ::testing::ValuesIn(runs_of("polynomial")), run_name);

TEST_P(KernelRuns, EveryDegreeOfAWholeNumberIsExact) {
  const auto& run = GetParam();
  Options options = run.options();
  options.parameters.gamma = 1;
  const StoredMatrix x({1, 2, {1, 1}}, run.dtype);
  for (const double coef0 : {0.0, -1.0, -4.0}) {
    for (const std::int64_t degree : {1, 2, 3, 7, 10, 23, 60, 61, 255}) {
      options.parameters.coef0 = coef0;
      options.parameters.degree = degree;
      const Matrix got = similarities(x.view(), options);
      const double want = std::pow(2 + coef0, degree);  // exact: powers of 2, 1 and -2
      if (run.dtype == DType::kFloat32)
        EXPECT_EQ(got.as<float>()[0], static_cast<float>(want)) << coef0 << "^" << degree;
      else
        EXPECT_EQ(got.as<double>()[0], want) << coef0 << "^" << degree;
    }
  }
}

TEST_P(KernelRuns, AGammaBeyondFloat32CountsAsItIs) {
  const auto& run = GetParam();
  if (run.dtype != DType::kFloat32) return;
  const auto at = [&](const char* kernel, double gamma, long double far) {
    Options options = run.options();
    options.metric = kernel;
    options.parameters.gamma = gamma;
    const StoredMatrix x({2, 1, {0, far}}, run.dtype);
    return similarities(x.view(), options).as<float>()[1];
  };
  EXPECT_NEAR(at("rbf", 1e44, 1e-22L), 0.36787944117, 1e-6);
  EXPECT_NEAR(at("rbf", 1e-41, 1e20L), 0.90483741804, 1e-6);
  EXPECT_NEAR(at("laplacian", 1e36, 1e-36L), 0.36787944117, 1e-6);
}

TEST(Similarities, AreNoDistances) {
  const StoredMatrix x(make_points(Pattern::kNormal, DType::kFloat64, 3, 2), DType::kFloat64);
  Matrix out(DType::kFloat64, 3, 3);
  Options options;
  options.metric = "rbf";
  EXPECT_THROW(distances(x.view(), options), Error);
  EXPECT_THROW(distances(x.view(), x.view(), options), Error);
  EXPECT_THROW(distances_into(out.output(), x.view(), options), Error);
  options.metric = "euclidean";
  EXPECT_THROW(similarities(x.view(), options), Error);
  EXPECT_THROW(similarities_into(out.output(), x.view(), x.view(), options), Error);
}

}  // namespace
}  // namespace quadrance::testing
