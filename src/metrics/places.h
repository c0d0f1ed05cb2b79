// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Latitude and longitude, moved by whole circles to within one of 0, and the cosine of the latitude.
///
/// Degrees are moved exactly, and the cosine of a pole is exactly 0: all its longitudes are one place.
/// Radians up to a circle are left as they are; beyond it they are reduced with an error of 2^-64 of them.
class Places : public Preparation {
 public:
  explicit Places(const PreparationParameters& given) : degrees_(given.parameters.degrees.value_or(false)) {}
  std::int64_t features() const override { return 3; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  bool degrees_;
};

}  // namespace quadrance::internal
