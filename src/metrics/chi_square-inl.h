// SPDX-License-Identifier: Apache-2.0
#include "metrics/begin-inl.h"

/// Of numbers that are not negative |x| + |y| is x + y; of others it keeps terms from cancelling.
struct ChiSquare {
  static constexpr MetricInfo info{
      .names = "chi_square chisquare chi2",
      .formula = "sum_f (x[f] - y[f])^2 / (|x[f]| + |y[f]|) / 2",
      .source = "sklearn.metrics.pairwise.additive_chi2_kernel, of which this is minus a half",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 1,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= (min(d, 128) + 4) eps for any d",
      .edges =
          "rows are taken as they are: counts, or probabilities that sum to 1; a feature that is 0 in both "
          "rows adds 0; no root; d = 0 -> 0; NaN in a row -> NaN; Inf in a row -> NaN (Inf / Inf); beyond "
          "the "
          "result's range -> Inf",
  };
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  // Elements of 2^large or more are scaled down, so that neither difference nor size overflows.
  static constexpr Redo redo = Redo::kExtremeRows;
  static constexpr Range float32{.lowest = 0, .coarse = -149, .large = 126, .up = 0, .down = -2};
  static constexpr Range float64{.lowest = 0, .coarse = -1074, .large = 1022, .up = 0, .down = -2};
  static constexpr int temporaries = 5;  // the row's value, the difference, both sizes, the mask of the sign

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V difference = o.abs(o.difference(x, y));
    const V size = o.add(o.scaled(o.abs(x)), o.scaled(o.abs(y)));
    const V half = o.multiply(o.ratio(difference, size), o.constant(0.5));
    sum[0] = o.multiply_add(difference, half, sum[0]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops&, const V (&sum)[accumulators]) {
    return sum[0];
  }
};

#include "metrics/end-inl.h"
