// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_CITYBLOCK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_CITYBLOCK_INL_H
#undef QDR_METRICS_CITYBLOCK_INL_H
#else
#define QDR_METRICS_CITYBLOCK_INL_H
#endif

#include "metrics/begin-inl.h"

struct CityBlock {
  static constexpr MetricInfo info{
      .names = "cityblock cblock cb c manhattan l1",
      .formula = "sum_f |x[f] - y[f]|",
      .source = "scipy.spatial.distance.cityblock",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 1,
      .growth = 1,
      .accuracy = "relative error <= (min(d, 128) + 4) eps for any d and any offset from the origin",
      .edges = "d = 0 -> 0; NaN in a row -> NaN; Inf - Inf -> NaN; beyond the result's range -> Inf",
      .parameters = "w",
  };
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr int weight_halves = 2;
  static constexpr bool sums_differences = true;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 3;  // the row's value, the difference, the mask of the sign

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    sum[0] = o.add(sum[0], o.abs(o.difference(x, y)));
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops&, const V (&sum)[accumulators]) {
    return sum[0];
  }
};

#include "metrics/end-inl.h"

#endif
