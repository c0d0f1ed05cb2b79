// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_HELLINGER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_HELLINGER_INL_H
#undef QDR_METRICS_HELLINGER_INL_H
#else
#define QDR_METRICS_HELLINGER_INL_H
#endif

#include "metrics/elementary-inl.h"
#include "metrics/probability_rows.h"
#include "metrics/squared_difference-inl.h"

#include "metrics/begin-inl.h"

/// Of the roots of rows that sum to 1.
struct Hellinger : SquaredDifference {
  static constexpr MetricInfo info{
      .names = "hellinger",
      .formula = "sqrt(sum_f (sqrt(p[f]) - sqrt(q[f]))^2 / 2), p = x / sum(x), q = y / sum(y)",
      .source = "Distances.jl HellingerDist",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= 4 eps + (min(d, 127) + 5) eps h for a distance h",
      .edges =
          "from 0 to 1; two zero rows -> 0, a zero row and another -> NaN; a number below 0, NaN or Inf in a "
          "row -> NaN; no sum overflows; d = 0 -> 0",
      .domain = "numbers not below 0",
  };
  using Preparation = RootsOfProbabilities;
  static constexpr Redo redo = Redo::kNever;

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V square = o.multiply(sum[0], o.constant(0.5));
    return nan_unless_distributions(o, square, o.sqrt(o.at_most(square, o.constant(1))));
  }

  /// NaN of a zero row and another: half of their squared difference is above 8, of two distributions 1.
  template <class Ops, class V>
  static QDR_INLINE V nan_unless_distributions(const Ops& o, V half_square, V result) {
    return nan_if(o, o.less(o.constant(kNoDistribution), half_square), result);
  }
};

#include "metrics/end-inl.h"

#endif
