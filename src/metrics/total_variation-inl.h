// SPDX-License-Identifier: Apache-2.0
#include "metrics/cityblock-inl.h"

#include "metrics/begin-inl.h"

struct TotalVariation : CityBlock {
  static constexpr MetricInfo info{
      .names = "total_variation tv",
      .formula = "sum_f |x[f] - y[f]| / 2",
      .source = "D. Levin, Y. Peres, Markov Chains and Mixing Times, proposition 4.2",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 1,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= (min(d, 128) + 4) eps for any d and any offset from the origin",
      .edges =
          "rows are taken as they are: probabilities sum to 1; d = 0 -> 0; NaN in a row -> NaN; Inf - Inf -> "
          "NaN; beyond the result's range -> Inf",
  };
  // Sums of 2^40 differences of numbers below 2^large do not overflow, nor any once they are scaled down.
  static constexpr Redo redo = Redo::kOutOfRange;
  static constexpr Range float32{.lowest = -149, .coarse = -149, .large = 86, .up = 0, .down = -43};
  static constexpr Range float64{.lowest = -1074, .coarse = -1074, .large = 982, .up = 0, .down = -43};

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return o.multiply(sum[0], o.constant(0.5));
  }
};

#include "metrics/end-inl.h"
