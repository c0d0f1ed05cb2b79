// SPDX-License-Identifier: Apache-2.0
// Places on the earth as points of the unit sphere. Values by hand.
#include "metrics/sphere_rows.h"

#include <array>
#include <cmath>
#include <limits>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

std::array<double, 3> prepared(bool degrees, double latitude, double longitude) {
  MetricParameters parameters;
  parameters.degrees = degrees;
  const SphereRows rows({2, parameters});
  EXPECT_EQ(rows.features(), 3);
  const double row[] = {latitude, longitude};
  std::array<double, 3> out{};
  rows.prepare(row, true, out.data());
  return out;
}

TEST(SphereRows, QuartersOfDegreesAreExact) {
  using Point = std::array<double, 3>;
  EXPECT_EQ(prepared(true, 0, 0), (Point{1, 0, 0}));
  EXPECT_EQ(prepared(true, 0, 90), (Point{0, 1, 0}));
  EXPECT_EQ(prepared(true, 0, 180), (Point{-1, 0, 0}));
  EXPECT_EQ(prepared(true, 0, -180), prepared(true, 0, 180));
  EXPECT_EQ(prepared(true, 0, 270), (Point{0, -1, 0}));
  EXPECT_EQ(prepared(true, 0, 360 * 1e9 + 90), (Point{0, 1, 0}));
  EXPECT_EQ(prepared(true, 90, 12), (Point{0, 0, 1}));
  EXPECT_EQ(prepared(true, -90, 77), (Point{0, 0, -1}));
}

TEST(SphereRows, AreOfLengthOne) {
  for (const bool degrees : {false, true}) {
    for (const double angle : {0.1, 0.7, -1.3, 29.0, 44.9, 45.1, -134.5}) {
      const auto [a, b, c] = prepared(degrees, angle, angle / 3 + 1);
      EXPECT_NEAR(a * a + b * b + c * c, 1, 4e-16) << angle;
    }
  }
  const auto [a, b, c] = prepared(true, 30, 60);  // cos 30 cos 60, cos 30 sin 60, sin 30
  EXPECT_NEAR(a, 0.43301270189221932338, 1e-16);
  EXPECT_NEAR(b, 0.75, 1e-16);
  EXPECT_NEAR(c, 0.5, 1e-16);
}

TEST(SphereRows, WhatIsNotFiniteIsNaN) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(prepared(false, kInfinity, 0)[2]));
  EXPECT_TRUE(std::isnan(prepared(true, 0, -kInfinity)[2]));
  EXPECT_TRUE(std::isnan(prepared(true, std::nan(""), 0)[0]));
}

}  // namespace
}  // namespace quadrance::internal
