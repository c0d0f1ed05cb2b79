// SPDX-License-Identifier: Apache-2.0
#include "metrics/elementary-inl.h"
#include "metrics/hellinger-inl.h"
#include "metrics/probability_rows.h"

#include "metrics/begin-inl.h"

/// By the squared distance h^2 of hellinger where rows are near each other, which 1 - c would lose, and by
/// the sum c of the products, which is 1 - h^2, where they are not.
struct Bhattacharyya {
  static constexpr MetricInfo info{
      .names = "bhattacharyya",
      .formula = "-ln(sum_f sqrt(p[f] q[f])), p = x / sum(x), q = y / sum(y)",
      .source = "Distances.jl BhattacharyyaDist",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= 6 eps sqrt(b) + 8 eps^2 + (min(d, 127) + 13) eps b for a distance b, in float64",
      .edges =
          "rows that have no feature in common -> Inf, and so a probability below 2^-1074 counts as 0; two "
          "zero rows -> 0, a zero row and another -> NaN; a "
          "number below 0, NaN or Inf in a row -> NaN; no sum overflows; d = 0 -> 0",
      .domain = "numbers not below 0",
      .in_float64 = true,
  };
  using Preparation = ScaledRootsOfProbabilities;
  static constexpr int accumulators = 2;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 2;  // the row's value, the difference

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V difference = o.difference(x, y);
    sum[0] = o.multiply_add(difference, difference, sum[0]);
    sum[1] = o.multiply_add(x, y, sum[1]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    constexpr double kUnscale = 0x1p-120;
    const V square = o.multiply(sum[0], o.constant(kUnscale / 2));
    const V near = o.at_most(square, o.constant(kOneLessRootOfHalf));
    const V in_common = o.at_least(sum[1], o.smallest_normal());
    const V exponent = o.subtract(o.exponent(in_common), o.constant(2 * Preparation::kExponent));
    const V log = log2_of_parts(o, o.mantissa(in_common), exponent);
    const V far = o.select(o.less(o.constant(0), sum[1]), o.subtract(o.constant(0), log), o.infinity());
    const V bits = o.select(o.less(near, square), far, minus_log2_of_one_less(o, near));
    return Hellinger::nan_unless_distributions(o, square, o.multiply(bits, o.constant(kLn2)));
  }
};

#include "metrics/end-inl.h"
