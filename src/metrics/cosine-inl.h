// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_COSINE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_COSINE_INL_H
#undef QDR_METRICS_COSINE_INL_H
#else
#define QDR_METRICS_COSINE_INL_H
#endif

#include "metrics/squared_difference-inl.h"
#include "metrics/unit_rows.h"

#include "metrics/begin-inl.h"

/// Of rows of length 1.
struct Cosine : SquaredDifference {
  static constexpr MetricInfo info{
      .names = "cosine cos",
      .formula = "1 - sum_f x[f] y[f] / (|x| |y|)",
      .source = "scipy.spatial.distance.cosine",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= 4 eps sqrt(c) + 4 eps^2 + (min(d, 127) + 5) eps c for a distance c",
      .edges =
          "two zero rows -> 0, a zero row and another -> 1; d = 0 -> 0; NaN or Inf in a row -> NaN; no norm "
          "over- or underflows; never below 0, never above 2",
      .parameters = "w",
  };
  using Preparation = UnitRows;
  static constexpr Redo redo = Redo::kNever;

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V half = o.at_most(o.multiply(sum[0], o.constant(0.5)), o.constant(2));
    // Two units are at most 2 apart, a zero row and a unit sqrt(kZeroRow^2 + 1).
    return o.select(o.less(o.constant(kZeroRow * kZeroRow / 2), sum[0]), o.constant(1), half);
  }
};

#include "metrics/end-inl.h"

#endif
