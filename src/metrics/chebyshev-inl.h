// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_CHEBYSHEV_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_CHEBYSHEV_INL_H
#undef QDR_METRICS_CHEBYSHEV_INL_H
#else
#define QDR_METRICS_CHEBYSHEV_INL_H
#endif

#include "metrics/begin-inl.h"

/// Weights only choose: a feature counts if its weight is above 0 (SciPy's rule, the limit of minkowski's).
struct Chebyshev {
  static constexpr MetricInfo info{
      .names = "chebyshev chebychev cheby cheb ch linf infinity",
      .formula = "max_f |x[f] - y[f]|",
      .source = "scipy.spatial.distance.chebyshev",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 1,
      .growth = 1,
      .accuracy = "relative error <= eps: one subtraction is rounded",
      .edges =
          "d = 0 -> 0; NaN in a row -> NaN (SciPy's cdist loses it); Inf - Inf -> NaN; beyond the result's "
          "range -> Inf",
      .parameters = "w",
  };
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kMaximum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 3;  // the row's value, the difference, the mask of the sign

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    sum[0] = o.max_magnitude(sum[0], o.abs(o.difference(x, y)));
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops&, const V (&sum)[accumulators]) {
    return sum[0];
  }
};

#include "metrics/end-inl.h"

#endif
