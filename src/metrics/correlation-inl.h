// SPDX-License-Identifier: Apache-2.0
#include "metrics/cosine-inl.h"

#include "metrics/begin-inl.h"

struct Correlation : Cosine {
  static constexpr MetricInfo info{
      .names = "correlation co",
      .formula = "1 - sum_f u[f] v[f] / (|u| |v|), u = x - mean(x), v = y - mean(y)",
      .source = "scipy.spatial.distance.correlation",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= 4 eps sqrt(c) + 4 eps^2 + (min(d, 127) + 5) eps c for a distance c",
      .edges =
          "a row of equal values counts as a zero row: two of them -> 0, one and another row -> 1; d = 0 or "
          "1 -> "
          "0; NaN or Inf in a row -> NaN; no sum over- or underflows; never below 0, never above 2",
      .parameters = "w",
  };
  using Preparation = CentredUnitRows;
};

#include "metrics/end-inl.h"
