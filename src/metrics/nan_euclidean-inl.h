// SPDX-License-Identifier: Apache-2.0
#include "metrics/kernel_parameters.h"
#include "metrics/squared_difference-inl.h"

#include "metrics/begin-inl.h"

/// NaN is a feature that is missing.
struct NanEuclidean {
  static constexpr MetricInfo info{
      .names = "nan_euclidean",
      .formula = "sqrt(d / c sum_f (x[f] - y[f])^2) over the c features that neither row misses",
      .source = "sklearn.metrics.pairwise.nan_euclidean_distances",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 1,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= (min(d, 128) + 6) eps for any d and any offset from the origin",
      .edges =
          "NaN is missing; nothing in common -> NaN, also of a row and itself; d = 0 -> 0; Inf - Inf -> NaN; "
          "no "
          "overflow or underflow of the squares",
      .domain = "numbers, NaN where one is missing",
      .nan_is_missing = true,
  };
  static constexpr int accumulators = 2;
  static constexpr Combine combine = Combine::kSum;
  static constexpr int temporaries = 4;  // the row's value, the difference, a choice, a one
  // As of squared differences; but d / c may be 2^36, so that the result alone tells 36 bits less of a small
  // sum: then 2^-110 (2^-956), of which subnormal terms, rounded but not flushed, are below 2^-33 (2^-104).
  // Where c = d the sum may be 2^lowest and must not overflow times 2^(2 up).
  static constexpr Redo redo = Redo::kOutOfRange;
  static constexpr Range float32 = SquaredDifference::float32.with_lowest(-74);
  static constexpr Range float64 = SquaredDifference::float64.with_lowest(-920);

  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    return {static_cast<double>(given.d)};
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const auto present = o.are_numbers(x, y);
    const V difference = o.select(present, o.difference(x, y), o.constant(0));
    sum[0] = o.multiply_add(difference, difference, sum[0]);
    sum[1] = o.add(sum[1], o.select(present, o.constant(1), o.constant(0)));
  }

  /// d / 0 is Inf, and Inf * 0 the NaN of two rows with nothing in common.
  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return o.sqrt(o.multiply(sum[0], o.ratio(o.parameter(0), sum[1])));
  }

  /// The result of this sum where nothing is missing.
  template <class Ops, class V>
  static QDR_INLINE V finish_alone(const Ops& o, V sum) {
    return o.sqrt(sum);
  }
};

#include "metrics/end-inl.h"
