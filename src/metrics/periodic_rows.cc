// SPDX-License-Identifier: Apache-2.0
#include "metrics/periodic_rows.h"

#include <cmath>

namespace quadrance::internal {

void PeriodicRows::prepare(const double* row, bool, double* prepared) const {
  for (std::size_t f = 0; f < box_.size(); ++f)
    prepared[f] = std::isinf(box_[f]) ? row[f] : std::remainder(row[f], box_[f]);
}

}  // namespace quadrance::internal
