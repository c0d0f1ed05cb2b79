// SPDX-License-Identifier: Apache-2.0
#include "metrics/euclidean-inl.h"

#include "metrics/begin-inl.h"

/// The weights are 1 / V.
struct SEuclidean : Euclidean {
  static constexpr MetricInfo info{
      .names = "seuclidean se s",
      .formula = "sqrt(sum_f (x[f] - y[f])^2 / V[f])",
      .source = "scipy.spatial.distance.seuclidean",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 1,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= (min(d, 128) + 6) eps, computed in float64, for the V that is used",
      .edges =
          "V left out: the variance (n - 1) of each feature of x (under SciPy's names of x and y together); "
          "a feature that is constant there adds 0; "
          "V <= 0, or variances more than 2^270 apart -> error; else as euclidean",
      .parameters = "V",
  };
};

#include "metrics/end-inl.h"
