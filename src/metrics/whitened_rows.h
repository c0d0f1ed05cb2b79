// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Rows in the coordinates in which the Mahalanobis distance is the Euclidean one: d (d + 1) / 2 steps a row,
/// instead of d^2 a pair.
///
/// With a covariance V = C C^T (Cholesky) a row x becomes C^-1 (x - centre), with its inverse VI = L L^T it
/// becomes L^T (x - centre). Computed in long double.
class WhitenedRows : public Preparation {
 public:
  explicit WhitenedRows(const PreparationParameters& given);
  std::int64_t features() const override { return d_; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  std::int64_t d_;
  bool inverse_;                     ///< factor_ is that of VI
  std::vector<long double> factor_;  ///< [d, d]: C, or L
  std::vector<double> centre_;
};

}  // namespace quadrance::internal
