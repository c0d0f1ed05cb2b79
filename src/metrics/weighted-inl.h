// SPDX-License-Identifier: Apache-2.0
// Any sum over features with a weight for each: sum_f w[f] term(x[f], y[f]).
#if defined(QDR_METRICS_WEIGHTED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_WEIGHTED_INL_H
#undef QDR_METRICS_WEIGHTED_INL_H
#else
#define QDR_METRICS_WEIGHTED_INL_H
#endif

#include "metrics/begin-inl.h"

/// The weight multiplies the term, never the rows: rounding rows would bring back an error that grows with
/// their distance from the origin. One more rounding a term.
template <class Metric>
struct Weighted : Metric {
  static_assert(Metric::combine == Combine::kSum);
  static constexpr bool weighted = true;
  static constexpr int temporaries = Metric::temporaries + 2;  // the weight, the term

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[Metric::accumulators], V x, V y) {
    V term[Metric::accumulators];
#pragma GCC unroll 4
    for (int a = 0; a < Metric::accumulators; ++a) term[a] = o.constant(0);
    Metric::step(o, term, x, y);
#pragma GCC unroll 4
    for (int a = 0; a < Metric::accumulators; ++a) sum[a] = o.multiply_add(o.weight(), term[a], sum[a]);
  }
};

#include "metrics/end-inl.h"

#endif
