// SPDX-License-Identifier: Apache-2.0
#include "metrics/places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace quadrance::internal {
namespace {

constexpr long double kPi = std::numbers::pi_v<long double>;

struct Place {
  long double latitude, longitude;
};

long double half_a_circle_on(long double longitude, long double half_circle) {
  return longitude - std::copysign(half_circle, longitude);
}

/// remainder() is exact.
Place place_of_degrees(const double* row) {
  const Place at{std::remainder(row[0], 360), std::remainder(row[1], 360)};
  if (std::abs(at.latitude) <= 90) return at;
  return {std::copysign(180, at.latitude) - at.latitude, half_a_circle_on(at.longitude, 180)};
}

/// The C library reduces arguments of sine and cosine by as many digits of pi as they need.
Place place_of_radians(const double* row) {
  Place at{row[0], row[1]};
  if (std::abs(at.longitude) > 2 * kPi)
    at.longitude = std::atan2(std::sin(at.longitude), std::cos(at.longitude));
  if (std::abs(at.latitude) <= kPi / 2) return at;
  const long double cosine = std::cos(at.latitude);
  if (cosine < 0) at.longitude = half_a_circle_on(at.longitude, kPi);
  at.latitude = std::atan2(std::sin(at.latitude), std::abs(cosine));
  return at;
}

}  // namespace

void Places::prepare(const double* row, bool, double* prepared) const {
  if (!std::isfinite(row[0]) || !std::isfinite(row[1])) {
    std::fill_n(prepared, 3, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Place at = degrees_ ? place_of_degrees(row) : place_of_radians(row);
  prepared[0] = static_cast<double>(at.latitude);
  prepared[1] = static_cast<double>(at.longitude);
  prepared[2] = static_cast<double>(degrees_ ? std::sin((90 - std::abs(at.latitude)) * (kPi / 180))
                                             : std::cos(at.latitude));
}

}  // namespace quadrance::internal
