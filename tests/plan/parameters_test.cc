// SPDX-License-Identifier: Apache-2.0
// What is refused of parameters, and how. Weights, variances and covariances: tests/tiles/weights_test.cc.
#include "plan/parameters.h"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "quadrance/error.h"

namespace quadrance::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The error, or nothing.
std::string refusal(std::string_view metric, const std::function<void(MetricParameters*)>& set,
                    std::int64_t d = 2) {
  MetricParameters parameters;
  set(&parameters);
  try {
    check_parameters(find_metric(metric), parameters, d);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Parameters, APowerIsAboveZero) {
  const auto with = [](double p) { return [p](MetricParameters* to) { to->p = p; }; };
  for (const double p : {0.1, 1.0, 2.3, 1000.0, kInfinity}) EXPECT_EQ(refusal("minkowski", with(p)), "") << p;
  for (const double p : {0.0, -1.0, -kInfinity, std::nan("")})
    EXPECT_NE(refusal("minkowski", with(p)).find("it must be above 0"), std::string::npos) << p;
  EXPECT_EQ(refusal("euclidean", with(3)), "[metric] euclidean takes no parameter p; it takes w");
}

TEST(Parameters, ABoxHasALengthForEachFeature) {
  const auto with = [](std::vector<double> box) { return [box](MetricParameters* to) { to->box = box; }; };
  EXPECT_EQ(refusal("periodic", with({1, kInfinity})), "");
  EXPECT_EQ(refusal("periodic", with({})),
            "[metric] periodic_euclidean has no box; give 2 lengths, Inf for a feature that does not repeat");
  EXPECT_EQ(refusal("periodic", with({1})), "[metric] box has 1 elements; 2 are needed");
  for (const double bad : {0.0, -1.0, -kInfinity, std::nan(""), 5e-324})
    EXPECT_NE(refusal("periodic", with({1, bad})).find("box[1]"), std::string::npos) << bad;
  EXPECT_EQ(refusal("periodic", with({}), 0), "");
}

TEST(Parameters, HaversineTakesTwoFeatures) {
  const auto none = [](MetricParameters*) {};
  EXPECT_EQ(refusal("haversine", none), "");
  EXPECT_EQ(refusal("haversine", none, 3),
            "[metric] the points have 3 features; haversine takes 2, latitude, longitude");
  for (const double bad : {0.0, -1.0, kInfinity, std::nan("")}) {
    const std::string error = refusal("haversine", [bad](MetricParameters* to) { to->radius = bad; });
    EXPECT_NE(error.find("[metric] radius is "), std::string::npos) << error;
  }
  EXPECT_NE(refusal("angular", [](MetricParameters* to) { to->degrees = true; }), "");
  EXPECT_NE(refusal("angular", [](MetricParameters* to) { to->radius = 2; }), "");
}

TEST(Parameters, OfSimilarities) {
  for (const char* name : {"rbf", "laplacian", "polynomial"}) {
    for (const double gamma : {0.0, 1e-30, 5.0})
      EXPECT_EQ(refusal(name, [gamma](MetricParameters* to) { to->gamma = gamma; }), "");
    for (const double gamma : {-1.0, kInfinity, std::nan("")})
      EXPECT_NE(refusal(name, [gamma](MetricParameters* to) { to->gamma = gamma; }), "") << name << gamma;
  }
  for (const std::int64_t degree : {1, 3, 255})
    EXPECT_EQ(refusal("poly", [degree](MetricParameters* to) { to->degree = degree; }), "");
  for (const std::int64_t degree : {-3, 0, 256})
    EXPECT_NE(refusal("poly", [degree](MetricParameters* to) { to->degree = degree; }), "") << degree;
  EXPECT_NE(refusal("poly", [](MetricParameters* to) { to->coef0 = kInfinity; }), "");
  EXPECT_NE(refusal("rbf", [](MetricParameters* to) { to->coef0 = 1; }), "");
}

}  // namespace
}  // namespace quadrance::internal
