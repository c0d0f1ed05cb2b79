// SPDX-License-Identifier: Apache-2.0
#include "metrics/sphere_rows.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace quadrance::internal {
namespace {

struct Direction {
  long double cosine, sine;
};

/// remainder() and quarters are exact, so that multiples of 90 degrees are as well.
Direction of_degrees(double degrees) {
  const double turned = std::remainder(degrees, 360);
  const double quarters = std::round(turned / 90);
  const long double rest =
      static_cast<long double>(turned - 90 * quarters) * (std::numbers::pi_v<long double> / 180);
  const long double c = std::cos(rest);
  const long double s = std::sin(rest);
  switch (static_cast<int>(quarters) & 3) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

Direction of_radians(double radians) {
  const auto angle = static_cast<long double>(radians);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

void SphereRows::prepare(const double* row, bool, double* prepared) const {
  if (!std::isfinite(row[0]) || !std::isfinite(row[1])) {
    prepared[0] = prepared[1] = prepared[2] = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const Direction latitude = degrees_ ? of_degrees(row[0]) : of_radians(row[0]);
  const Direction longitude = degrees_ ? of_degrees(row[1]) : of_radians(row[1]);
  prepared[0] = static_cast<double>(latitude.cosine * longitude.cosine);
  prepared[1] = static_cast<double>(latitude.cosine * longitude.sine);
  prepared[2] = static_cast<double>(latitude.sine);
}

}  // namespace quadrance::internal
