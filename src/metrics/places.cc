// SPDX-License-Identifier: Apache-2.0
#include "metrics/places.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace quadrance::internal {
namespace {

constexpr long double kPi = std::numbers::pi_v<long double>;

/// remainder() is exact, and so are the quarters.
double cosine_of_degrees(double degrees) {
  const double from_pole = 90 - std::abs(std::remainder(degrees, 360));
  if (from_pole == 0) return 0;
  return static_cast<double>(std::sin(static_cast<long double>(from_pole) * (kPi / 180)));
}

double within_a_circle(double radians) {
  if (std::abs(radians) <= 2 * std::numbers::pi) return radians;
  return static_cast<double>(std::remainder(static_cast<long double>(radians), 2 * kPi));
}

}  // namespace

void Places::prepare(const double* row, bool, double* prepared) const {
  if (!std::isfinite(row[0]) || !std::isfinite(row[1])) {
    std::fill_n(prepared, 3, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (degrees_) {
    prepared[0] = std::remainder(row[0], 360);
    prepared[1] = std::remainder(row[1], 360);
    prepared[2] = cosine_of_degrees(row[0]);
    return;
  }
  prepared[0] = within_a_circle(row[0]);
  prepared[1] = within_a_circle(row[1]);
  prepared[2] = static_cast<double>(std::cos(static_cast<long double>(prepared[0])));
}

}  // namespace quadrance::internal
