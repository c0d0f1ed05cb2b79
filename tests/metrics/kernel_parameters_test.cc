// SPDX-License-Identifier: Apache-2.0
// Which kernels a metric runs on, and what of its parameters reaches them.
#include "metrics/kernel_parameters.h"

#include <limits>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

std::size_t place(std::string_view name) {
  return static_cast<std::size_t>(&find_metric(name) - metrics().data());
}

MetricParameters with_p(double p) {
  MetricParameters parameters;
  parameters.p = p;
  return parameters;
}

std::string_view kernels(std::string_view metric, const MetricParameters& given) {
  return name_of_kernels(kernels_of(place(metric), given));
}
std::string_view kernels(double p) { return kernels("minkowski", with_p(p)); }

TEST(KernelsOf, MinkowskiTakesTheFastestOfItsPower) {
  EXPECT_EQ(kernels(1), "cityblock");
  EXPECT_EQ(kernels(2), "euclidean");
  EXPECT_EQ(kernels("minkowski", {}), "euclidean");
  EXPECT_EQ(kernels(std::numeric_limits<double>::infinity()), "chebyshev");
  EXPECT_EQ(kernels(1e300), "chebyshev");
  EXPECT_EQ(kernels(2.3), "minkowski");
  EXPECT_EQ(kernels(16), "minkowski");
  EXPECT_EQ(kernels(0.25), "minkowski");
  EXPECT_EQ(kernels(3), "minkowski_integer");
  EXPECT_EQ(kernels(15), "minkowski_integer");
  EXPECT_EQ(kernels(0.5), "minkowski_half_integer");
  EXPECT_EQ(kernels(15.5), "minkowski_half_integer");
}

TEST(KernelsOf, BooleansCountBitsUnlessTheyAreWeighed) {
  MetricParameters given;
  for (const char* metric : {"jaccard", "dice", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}) {
    EXPECT_EQ(kernels(metric, {}), "boolean") << metric;
    given.w = {1, 2};
    EXPECT_EQ(kernels(metric, given), "weighted_boolean") << metric;
  }
  EXPECT_EQ(kernels("hamming", {}), "hamming");
  given = {};
  given.packed = 0;
  EXPECT_EQ(kernels("hamming", given), "boolean");
  EXPECT_TRUE(counts_bits(kernels_of(place("dice"), {})));
  EXPECT_FALSE(counts_bits(kernels_of(place("hamming"), {})));
}

TEST(KernelsOf, MostOthersHaveTheirOwn) {
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    const std::string_view name = metrics()[m].name();
    if (name == "minkowski" || metrics()[m].form == "bits") continue;
    EXPECT_EQ(kernels(name, {}), name);
  }
}

TEST(InFloat64, HighPowersOfDifferencesBelowFloat32sRange) {
  for (const double p : {0.5, 3.0, 5.5, 7.3, 16.0})
    EXPECT_FALSE(in_float64(place("minkowski"), with_p(p))) << p;
  for (const double p : {6.0, 15.5}) EXPECT_TRUE(in_float64(place("minkowski"), with_p(p))) << p;
  EXPECT_TRUE(in_float64(place("haversine"), {}));
  EXPECT_FALSE(in_float64(place("euclidean"), {}));
}

TEST(KernelParameters, OfMinkowski) {
  const MetricParameters given = with_p(5);
  // 1 / p, the weights' exponent over p in two parts, p, the bits of 5.
  EXPECT_EQ(kernel_parameters(place("minkowski"), {given, 7, 0}),
            (std::vector<double>{0.2, 0, 0, 5, 1, 0, 1, 0, 0, 0}));
  const std::vector<double> weighted = kernel_parameters(place("minkowski"), {given, 7, 6});
  EXPECT_EQ(weighted[1], 1);
  EXPECT_DOUBLE_EQ(weighted[2], 0.2);
}

TEST(KernelParameters, GammaLeftOutIsOneOverD) {
  const MetricParameters none;
  EXPECT_EQ(kernel_parameters(place("polynomial"), {none, 8, 0})[0], 0.125);
  EXPECT_EQ(kernel_parameters(place("polynomial"), {none, 0, 0})[0], 1);
}

TEST(FeatureParameters, ABoxAndItsInverse) {
  MetricParameters given;
  given.box = {4, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(feature_parameters(place("periodic"), {given, 2, 0}), (std::vector<double>{4, 0, 0.25, 0}));
  EXPECT_TRUE(feature_parameters(place("euclidean"), {given, 2, 0}).empty());
}

}  // namespace
}  // namespace quadrance::internal
