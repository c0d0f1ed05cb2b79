// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Latitude and longitude become a point of the unit sphere: (cos lat cos lon, cos lat sin lon, sin lat).
///
/// Accuracy: each number within eps of float64. Degrees are reduced exactly: longitudes 180 and -180 are one,
/// and so
///           are all longitudes at a pole
class SphereRows : public Preparation {
 public:
  explicit SphereRows(const PreparationParameters& given) : degrees_(given.parameters.degrees) {}
  std::int64_t features() const override { return 3; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  bool degrees_;
};

}  // namespace quadrance::internal
