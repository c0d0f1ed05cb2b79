// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Latitude between the poles, longitude within a circle of 0, and the cosine of the latitude, which is never
/// negative.
///
/// Angles that are so are left as they are. Degrees are moved by whole circles exactly, radians are rounded
/// once, however large. A latitude beyond a pole is its other side's: 180 degrees less, and the longitude half
/// a circle on, which is rounded. The cosine of 90 degrees is exactly 0: all its longitudes are one place.
class Places : public Preparation {
 public:
  explicit Places(const PreparationParameters& given) : degrees_(given.parameters.degrees.value_or(false)) {}
  std::int64_t features() const override { return 3; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  bool degrees_;
};

}  // namespace quadrance::internal
