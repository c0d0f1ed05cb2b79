// SPDX-License-Identifier: Apache-2.0
// Places on the earth: angles within a circle, and the cosine of the latitude. Values by hand.
#include "metrics/places.h"

#include <array>
#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

using Place = std::array<double, 3>;

Place prepared(bool degrees, double latitude, double longitude) {
  MetricParameters parameters;
  parameters.degrees = degrees;
  const Places places({2, parameters});
  EXPECT_EQ(places.features(), 3);
  const double row[] = {latitude, longitude};
  Place out{};
  places.prepare(row, true, out.data());
  return out;
}

TEST(Places, DegreesAreExact) {
  EXPECT_EQ(prepared(true, 0, 12), (Place{0, 12, 1}));
  EXPECT_EQ(prepared(true, 90, 12), (Place{90, 12, 0}));
  EXPECT_EQ(prepared(true, -90, 181), (Place{-90, -179, 0}));
  EXPECT_EQ(prepared(true, 0, 360 * 1e9 + 90), (Place{0, 90, 1}));
  EXPECT_NEAR(prepared(true, 60, 0)[2], 0.5, 1e-16);
  EXPECT_NEAR(prepared(true, 120, 0)[2], 0.5, 1e-16);
}

TEST(Places, BeyondAPoleIsTheOtherSide) {
  EXPECT_EQ(prepared(true, 100, 30)[0], 80);
  EXPECT_EQ(prepared(true, 100, 30)[1], -150);
  EXPECT_EQ(prepared(true, -91, -10)[0], -89);
  EXPECT_EQ(prepared(true, -91, -10)[1], 170);
  EXPECT_EQ(prepared(true, 269, 0)[0], -89);
  EXPECT_EQ(prepared(true, 271, 7), (Place{-89, 7, prepared(true, 89, 0)[2]}));
  EXPECT_NEAR(prepared(false, 2, 1)[0], 1.1415926535897932, 1e-15);
  EXPECT_NEAR(prepared(false, 2, 1)[1], -2.1415926535897932, 1e-15);
  EXPECT_NEAR(prepared(false, 2, 1)[2], 0.41614683654714239, 1e-16);
  EXPECT_NEAR(prepared(false, -6, 1)[0], 0.28318530717958648, 1e-15);
  EXPECT_EQ(prepared(false, -6, 1)[1], 1);
}

// sin(1e22) = -0.85220084976713188, cos(1e22) = 0.52321478539513899: the argument that naive reductions miss.
TEST(Places, LargeRadiansLoseNoDigits) {
  EXPECT_NEAR(prepared(false, 1e22, 0)[0], -1.0201773925590870, 1e-15);
  EXPECT_NEAR(prepared(false, 1e22, 0)[2], 0.52321478539513899, 1e-16);
  EXPECT_NEAR(prepared(false, 0, 1e22)[1], -1.0201773925590870, 1e-15);
}

TEST(Places, RadiansUpToTheirCircleAreLeft) {
  EXPECT_EQ(prepared(false, 0.7, -6.25)[0], 0.7);
  EXPECT_EQ(prepared(false, 0.7, -6.25)[1], -6.25);
  EXPECT_DOUBLE_EQ(prepared(false, 0.7, 0)[2], std::cos(0.7));
  EXPECT_NEAR(prepared(false, 0, 10)[1], -2.5663706143591725, 1e-15);
}

TEST(Places, WhatIsNotFiniteIsNaN) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(prepared(false, kInfinity, 0)[2]));
  EXPECT_TRUE(std::isnan(prepared(true, 0, -kInfinity)[2]));
  EXPECT_TRUE(std::isnan(prepared(true, std::nan(""), 0)[0]));
}

}  // namespace
}  // namespace quadrance::internal
