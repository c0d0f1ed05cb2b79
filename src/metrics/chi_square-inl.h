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
  // A term is a difference times a ratio of 2^-(digits) or more: of elements of 2^coarse or more it is a
  // normal number. Scaled up, those of the smallest are; the sum of magnitudes is then Inf only where the two
  // numbers are equal, in pairs whose result is redone for being small.
  static constexpr Redo redo = Redo::kOutOfRange;
  static constexpr Range float32{.lowest = -125, .coarse = -77, .large = 86, .up = 60, .down = -43};
  static constexpr Range float64{.lowest = -1021, .coarse = -914, .large = 982, .up = 120, .down = -43};
  static constexpr int temporaries = 5;  // the row's value, the difference, both sizes, the mask of the sign

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V difference = o.abs(o.difference(x, y));
    const V size = o.add(o.scaled(o.abs(x)), o.scaled(o.abs(y)));
    sum[0] = o.multiply_add(difference, o.ratio(difference, size), sum[0]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return o.multiply(sum[0], o.constant(0.5));
  }
};

#include "metrics/end-inl.h"
