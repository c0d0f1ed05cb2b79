// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_INNER_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_INNER_PRODUCT_INL_H
#undef QDR_METRICS_INNER_PRODUCT_INL_H
#else
#define QDR_METRICS_INNER_PRODUCT_INL_H
#endif

#include "metrics/begin-inl.h"

/// Of signs that differ: neither zero for equal rows nor above 0, but the smaller the nearer.
struct InnerProduct {
  static constexpr MetricInfo info{
      .names = "inner_product ip",
      .formula = "-sum_f x[f] y[f]",
      .source = "faiss METRIC_INNER_PRODUCT, with the sign that makes near ones small",
      .symmetric = true,
      .nonnegative = false,
      .zero_self = false,
      .triangle = false,
      .degree = 2,
      .growth = 2,
      .accuracy = "error <= (min(d, 128) + 4) eps sum_f |x[f] y[f]|",
      .edges =
          "not a metric: it orders neighbours; d = 0 -> 0; NaN in a row -> NaN; Inf * 0 -> NaN; a product or "
          "a sum of "
          "128 beyond the dtype's range -> Inf or NaN, below -> 0",
      .form = "product",
  };
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 1;  // the row's value

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    sum[0] = o.multiply_add(x, y, sum[0]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return o.subtract(o.constant(0), sum[0]);  // 0, not -0, for rows at right angles
  }
};

#include "metrics/end-inl.h"

#endif
