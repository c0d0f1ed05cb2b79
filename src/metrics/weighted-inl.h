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
  /// Where weights are large (plan/weights.h) sums overflow early: 2^40 terms below 2^(838 + 1 + 145) do not,
  /// nor, once they are scaled down, any. Else only a difference may, and times its weight be in range again.
  static constexpr Redo redo = Metric::redo == Redo::kNever ? Redo::kOutOfRange : Metric::redo;
  static constexpr Range float64 = [] {
    if constexpr (requires { Metric::sums_differences; })
      return Range{.lowest = -1074, .coarse = -1074, .large = 838, .up = 0, .down = -187};
    else if constexpr (Metric::redo == Redo::kNever)
      return Range{.lowest = -1074, .coarse = -1074, .large = 1022, .up = 0, .down = -2};
    else
      return Metric::float64;
  }();
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

  /// Results of sums that never were redone are trusted over the whole range of numbers.
  template <class Ops, class V>
  requires(Metric::redo == Redo::kNever) static QDR_INLINE V finish_alone(const Ops&, V sum) { return sum; }
};

#include "metrics/end-inl.h"

#endif
