// SPDX-License-Identifier: Apache-2.0
// What the kernels of minkowski share: sums of (s |x - y|)^p, s about one over the largest |x - y| of the
// pair. So no sum over- or underflows whatever p is.
#if defined(QDR_METRICS_MINKOWSKI_POWER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_MINKOWSKI_POWER_INL_H
#undef QDR_METRICS_MINKOWSKI_POWER_INL_H
#else
#define QDR_METRICS_MINKOWSKI_POWER_INL_H
#endif

#include "metrics/elementary-inl.h"

#include "metrics/begin-inl.h"

struct MinkowskiPower {
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int weight_halves = 0;  // the root of the weights' scale goes into finish

  /// The weights' exponent over p comes in two parts: hundreds of it would take the digits of the fraction.
  enum Parameter { kInversePower, kWeightWhole, kWeightFraction, kPower };

  /// unit (2^weight_exponent sum)^(1/p). 2^n apart, which alone may leave the range that the result is in; so
  /// may what is multiplied with a subnormal unit, which is therefore scaled up before.
  template <class Ops, class V>
  static QDR_INLINE V root(const Ops& o, V sum, V unit) {
    const V log =
        o.multiply_add(log2_of_normal(o, sum), o.parameter(kInversePower), o.parameter(kWeightFraction));
    constexpr double kMost = kMostExponent<Ops>;
    const V y = o.at_least(o.at_most(log, o.constant(kMost)), o.constant(-kMost));
    const V whole = o.round(y);
    const auto small = o.less(unit, o.smallest_normal());
    const V normal =
        o.select(small, o.multiply(unit, o.constant(Ops::kDigits <= 24 ? 0x1p24 : 0x1p53)), unit);
    const V taken = o.select(small, o.constant(Ops::kDigits), o.constant(0));
    const V exponent = o.subtract(o.add(whole, o.parameter(kWeightWhole)), taken);
    const V n = o.at_least(o.at_most(exponent, o.constant(kMost)), o.constant(-kMost));
    return times_power_of_two(o, o.multiply(exp2_of_fraction(o, o.subtract(y, whole)), normal), n);
  }
};

#include "metrics/end-inl.h"

#endif
