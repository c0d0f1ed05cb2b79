// SPDX-License-Identifier: Apache-2.0
#include "metrics/euclidean-inl.h"
#include "metrics/whitened_rows.h"

#include "metrics/begin-inl.h"

/// Of whitened rows.
struct Mahalanobis : Euclidean {
  static constexpr MetricInfo info{
      .names = "mahalanobis mahal mah",
      .formula = "sqrt((x - y)^T VI (x - y)), VI the inverse of the covariance V",
      .source = "scipy.spatial.distance.mahalanobis",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 1,
      .growth = MetricInfo::kNeverExact,
      .accuracy =
          "relative error <= (min(d, 128) + 4) eps, and 4 eps (|x - c| + |y - c|) in lengths of this metric "
          "while V's condition is below 2^20, computed in float64; c the mean of the data that V comes from, "
          "0 "
          "for a matrix that is given",
      .edges =
          "V and VI left out: the covariance (n - 1) of x; a singular or unsymmetric matrix, or one with a "
          "negative square -> error; a VI that is singular is taken; NaN or Inf in a row -> NaN",
      .parameters = "V VI",
      .in_float64 = true,
  };
  using Preparation = WhitenedRows;
};

#include "metrics/end-inl.h"
