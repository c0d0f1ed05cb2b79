// SPDX-License-Identifier: Apache-2.0
#include "metrics/begin-inl.h"

struct Canberra {
  static constexpr MetricInfo info{
      .names = "canberra",
      .formula = "sum_f |x[f] - y[f]| / (|x[f]| + |y[f]|)",
      .source = "scipy.spatial.distance.canberra",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= (min(d, 128) + 4) eps for any d",
      .edges =
          "d = 0 -> 0; a feature that is 0 in both rows adds 0; NaN in a row -> NaN; Inf in a row -> NaN "
          "(Inf / Inf); |x| + |y| does not overflow",
      .parameters = "w",
  };
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr int weight_halves = 2;
  // |x| + |y| overflows from 2^(emax - 1) on; there both are scaled by a power of two of their own. Within
  // these ranges quotients may be quicker than a division (VectorOps::ratio_in_range()).
  static constexpr Redo redo = Redo::kExtremeRows;
  static constexpr bool uses_rough_ratio = true;  // with digits of its own where the CPU has one
  static constexpr Range float32{.lowest = 0, .coarse = -96, .large = 120, .up = 0, .down = 0};
  static constexpr Range float64{.lowest = 0, .coarse = -400, .large = 500, .up = 0, .down = 0};
  static constexpr int temporaries = 6;  // the row's value, both terms, the quotient, the mask of the sign, 0

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    o.keep_in_range(&x, &y);
    sum[0] = o.add(sum[0], o.ratio_in_range(o.abs(o.difference(x, y)), magnitude(o, x, y)));
  }

  /// The step of two features, by one quotient: divisions are most of the work. weighed(i, term): of feature
  /// i.
  template <class Ops, class V, class Weighed>
  static QDR_INLINE void step_two(const Ops& o, V (&sum)[accumulators], const V (&x)[2], const V (&y)[2],
                                  const Weighed& weighed) {
    const V first = weighed(0, o.abs(o.difference(x[0], y[0])));
    const V second = weighed(1, o.abs(o.difference(x[1], y[1])));
    sum[0] = o.add(
        sum[0], o.sum_of_ratios_in_range(first, magnitude(o, x[0], y[0]), second, magnitude(o, x[1], y[1])));
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops&, const V (&sum)[accumulators]) {
    return sum[0];
  }

 private:
  template <class Ops, class V>
  static QDR_INLINE V magnitude(const Ops& o, V x, V y) {
    return o.add(o.above_zero(o.abs(x)), o.abs(y));
  }
};

#include "metrics/end-inl.h"
