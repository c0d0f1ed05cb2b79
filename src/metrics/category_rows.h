// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Rows of categories, any numbers, and a feature that is 0 in all of them. A row with NaN becomes NaN, which
/// differs from everything, in that feature too: from such a row the count of differences is d + 1.
class CategoryRows : public Preparation {
 public:
  explicit CategoryRows(const PreparationParameters& given) : d_(given.d) {}
  std::int64_t features() const override { return d_ + 1; }
  void prepare(const double* row, bool, double* prepared) const override {
    const bool has_nan = std::any_of(row, row + d_, [](double value) { return std::isnan(value); });
    if (has_nan) {
      std::fill_n(prepared, d_ + 1, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    std::copy_n(row, d_, prepared);
    prepared[d_] = 0;
  }

 private:
  std::int64_t d_;
};

}  // namespace quadrance::internal
