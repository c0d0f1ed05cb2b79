// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Rows of length 1: half the squared difference of two such rows is 1 - cos of the angle between them, and
/// keeps its digits where the angle is small.
///
/// A zero row becomes a vector of length kZeroRow on an axis of its own, at right angles to all others: two
/// zero rows are 0 apart, and a zero row is farther from any other than units can be. A row with NaN or Inf
/// becomes NaN.
/// Weights, all above 0, count as if feature f stood in the row w[f] times: its number is multiplied by
/// sqrt(w[f]). Accuracy: each number within 1.1 eps of its true value, eps of the dtype it is used in
inline constexpr double kZeroRow = 4;
class UnitRows : public Preparation {
 public:
  explicit UnitRows(const PreparationParameters& given) : UnitRows(given, false) {}
  std::int64_t features() const override { return d_ + 1; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 protected:
  UnitRows(const PreparationParameters& given, bool centred);

 private:
  std::int64_t d_;
  std::vector<double> weights_;  ///< at most 1; empty: all 1
  bool centred_;
};

/// The same after the row's mean (weighted) is taken off. A row of equal values counts as a zero row.
class CentredUnitRows : public UnitRows {
 public:
  explicit CentredUnitRows(const PreparationParameters& given) : UnitRows(given, true) {}
};

}  // namespace quadrance::internal
