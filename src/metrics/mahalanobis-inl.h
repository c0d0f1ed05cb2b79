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
          "relative error <= (min(d, 128) + 4) eps + 2^-64 d^2 k, k the condition of V or VI, and 4 eps "
          "(|x - c| + |y - c|) in lengths of this metric while k < 2^20; computed in float64, for the matrix "
          "that is used; c the mean of the data that V comes from, 0 for a matrix that is given",
      .edges =
          "V and VI left out: the covariance (n - 1) of x (under SciPy's names of x and y together); a "
          "singular V, an unsymmetric matrix, or one with a negative square -> error; a VI that is singular "
          "is "
          "taken, and one of which negative squares are below 2^-36 of the diagonal; NaN or Inf in a row -> "
          "NaN",
      .parameters = "V VI",
      .in_float64 = true,
  };
  using Preparation = WhitenedRows;
};

#include "metrics/end-inl.h"
