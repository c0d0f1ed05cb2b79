// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_ANGULAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_ANGULAR_INL_H
#undef QDR_METRICS_ANGULAR_INL_H
#else
#define QDR_METRICS_ANGULAR_INL_H
#endif

#include "metrics/elementary-inl.h"
#include "metrics/unit_rows.h"

#include "metrics/begin-inl.h"

/// Of rows of length 1, by their difference and their sum: the first keeps small angles, the second those
/// near pi.
struct Angular {
  static constexpr MetricInfo info{
      .names = "angular",
      .formula = "acos(sum_f x[f] y[f] / (|x| |y|)), in radians",
      .source = "W. Kahan, How futile are mindless assessments of roundoff, section 12",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= (min(d, 127) + 12) eps a + 5 eps for an angle a",
      .edges =
          "from 0 to pi; two zero rows -> 0, a zero row and another -> pi / 2; d = 0 -> 0; NaN or Inf in a "
          "row -> NaN; "
          "no norm over- or underflows",
      .parameters = "w",
  };
  using Preparation = UnitRows;
  static constexpr int accumulators = 2;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 2;  // the row's value, the difference or sum

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V difference = o.difference(x, y);
    sum[0] = o.multiply_add(difference, difference, sum[0]);
    const V both = o.sum(x, y);
    sum[1] = o.multiply_add(both, both, sum[1]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return double_angle(o, sum[0], sum[1]);
  }
};

#include "metrics/end-inl.h"

#endif
