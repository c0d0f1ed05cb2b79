// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Features moved by whole boxes to within half a box of the origin, which takes no rounding.
class PeriodicRows : public Preparation {
 public:
  explicit PeriodicRows(const PreparationParameters& given) : box_(given.parameters.box) {}
  std::int64_t features() const override { return static_cast<std::int64_t>(box_.size()); }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  std::vector<double> box_;
};

}  // namespace quadrance::internal
