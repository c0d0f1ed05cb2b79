// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_EUCLIDEAN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_EUCLIDEAN_INL_H
#undef QDR_METRICS_EUCLIDEAN_INL_H
#else
#define QDR_METRICS_EUCLIDEAN_INL_H
#endif

#include "metrics/squared_difference-inl.h"

#include "metrics/begin-inl.h"

struct Euclidean : SquaredDifference {
  static constexpr MetricInfo info{
      .names = "euclidean l2 e eu euclid",
      .formula = "sqrt(sum_f (x[f] - y[f])^2)",
      .source = "scipy.spatial.distance.euclidean",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 1,
      .growth = 2,
      .accuracy = "relative error <= (min(d, 128) + 4) eps for any d and any offset from the origin",
      .edges = "d = 0 -> 0; NaN in a row -> NaN; Inf - Inf -> NaN; no overflow or underflow of the squares",
      .parameters = "w",
  };

  static constexpr int weight_halves = 1;

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return o.sqrt(sum[0]);
  }
};

#include "metrics/end-inl.h"

#endif
