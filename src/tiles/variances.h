// SPDX-License-Identifier: Apache-2.0
// Parameters that are taken from the points themselves: once, from all of them, before any tile.
#pragma once

#include <functional>
#include <vector>

#include "quadrance/matrix.h"

namespace quadrance::internal {

/// go_on: of both functions, called every 64 rows; may throw, to cancel.

/// The variance (n - 1) of each feature of the rows of x, and of y if it is not null, taken together.
///
/// Accuracy: two passes with compensated sums: relative error below 4 eps of float64 for n < 2^40
/// A feature that is constant has 0.
/// Errors:   kMetric: fewer than two rows; a feature with NaN or Inf, or whose variance is no normal number
std::vector<double> variances(const MatrixView& x, const MatrixView* y, const std::function<void()>& go_on);

/// The covariance [d, d] (n - 1) of the features, of which the upper triangle is not filled, and their means.
struct Covariance {
  std::vector<long double> matrix;
  std::vector<double> centre;
};
/// Accuracy: two passes in long double
/// Errors:   kMetric: no more rows than features; a feature with NaN or Inf
Covariance covariance(const MatrixView& x, const MatrixView* y, const std::function<void()>& go_on);

/// Do both hold the same numbers?
bool same_numbers(const MatrixView& x, const MatrixView& y, const std::function<void()>& go_on);

}  // namespace quadrance::internal
