// SPDX-License-Identifier: Apache-2.0
#include "metrics/squared_difference-inl.h"

#include "metrics/begin-inl.h"

struct SqEuclidean : SquaredDifference {
  static constexpr MetricInfo info{
      .names = "sqeuclidean sqe sqeuclid",
      .formula = "sum_f (x[f] - y[f])^2",
      .source = "scipy.spatial.distance.sqeuclidean",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 2,
      .growth = 2,
      .accuracy = "relative error <= (min(d, 128) + 4) eps for any d and any offset from the origin",
      .edges = "d = 0 -> 0; NaN in a row -> NaN; Inf - Inf -> NaN; beyond the result's range -> Inf",
      .parameters = "w",
  };

  static constexpr int weight_halves = 2;

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops&, const V (&sum)[accumulators]) {
    return sum[0];
  }
};

#include "metrics/end-inl.h"
