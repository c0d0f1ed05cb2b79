// SPDX-License-Identifier: Apache-2.0
#include "metrics/begin-inl.h"

struct BrayCurtis {
  static constexpr MetricInfo info{
      .names = "braycurtis",
      .formula = "sum_f |x[f] - y[f]| / sum_f |x[f] + y[f]|",
      .source = "scipy.spatial.distance.braycurtis",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= 2 (min(d, 128) + 4) eps for any d",
      .edges =
          "d = 0 -> 0; 0 / 0 -> 0 (SciPy: NaN); x = -y -> Inf; NaN in a row -> NaN; Inf in a row -> NaN "
          "(Inf / Inf); the sums do not overflow",
      .parameters = "w",
  };
  static constexpr int accumulators = 2;
  static constexpr Combine combine = Combine::kSum;
  static constexpr int weight_halves = 0;
  static constexpr bool sums_differences = true;
  // Sums of 2^40 features below 2^large stay in range; of any others once they are scaled down, which rounds
  // only what is more than 2^149 (2^1074) below one of the two sums, where the ratio is 0 or Inf in any case.
  static constexpr Redo redo = Redo::kExtremeRows;
  static constexpr Range float32{.lowest = 0, .coarse = -149, .large = 86, .up = 0, .down = -43};
  static constexpr Range float64{.lowest = 0, .coarse = -1074, .large = 982, .up = 0, .down = -43};
  static constexpr int temporaries = 3;  // the row's value, the term, the mask of the sign

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    sum[0] = o.add(sum[0], o.abs(o.difference(x, y)));
    sum[1] = o.add(sum[1], o.abs(o.sum(x, y)));
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return o.ratio(sum[0], sum[1]);
  }
};

#include "metrics/end-inl.h"
