// SPDX-License-Identifier: Apache-2.0
// What all distances of rows of true and false share: they are ratios of the numbers of features that are
// true in both rows, in one of them only, and in neither.
#if defined(QDR_METRICS_BOOLEAN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_BOOLEAN_INL_H
#undef QDR_METRICS_BOOLEAN_INL_H
#else
#define QDR_METRICS_BOOLEAN_INL_H
#endif

#include <string_view>
#include <vector>

#include "metrics/boolean_rows.h"
#include "metrics/kernel_parameters.h"

#include "metrics/begin-inl.h"

/// One side of a ratio: `one` times the features that are true in one row only, and so on. `products`, above
/// the line, is of those true in x only times those true in y only; below it of that and of those true in
/// both times those true in neither.
struct BooleanTerms {
  double one, both, neither, products;
};

/// Rows of words of 64 features and, as their summary, the number of true ones.
struct Boolean {
  static constexpr MetricInfo info = [] {
    MetricInfo info{};
    info.names = "boolean";
    info.in_float64 = true;
    return info;
  }();
  static constexpr int accumulators = 1;
  static constexpr bool summary = true;
  static constexpr Combine combine = Combine::kCount;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 2;  // the row's word, the bits in common

  enum Parameter { kOver, kUnder = kOver + 4, kAll = kUnder + 4 };

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&count)[accumulators], V x, V y) {
    count[0] = o.count_common(x, y, count[0]);
  }

  /// All counts are whole numbers: only the quotient is rounded.
  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&count)[accumulators]) {
    const V both = o.number_of(count[0]);
    const V only_y = o.subtract(o.column_summary(), both);
    const V neither = o.subtract(o.parameter(kAll), o.add(o.row_summary(), only_y));
    return ratio_of(o, both, o.subtract(o.row_summary(), both), only_y, neither);
  }

  template <class Ops, class V>
  static QDR_INLINE V ratio_of(const Ops& o, V both, V only_x, V only_y, V neither) {
    const V one = o.add(only_x, only_y);
    const V apart = o.multiply(only_x, only_y);
    const V alike = o.multiply_add(both, neither, apart);
    return o.ratio(sum_of_terms(o, kOver, one, both, neither, apart),
                   sum_of_terms(o, kUnder, one, both, neither, alike));
  }

  /// Of a metric: its terms, and the number of features or, with weights, nothing.
  static std::vector<double> parameters_of(const BooleanTerms& over, const BooleanTerms& under,
                                           const ParametersGiven& given) {
    return {over.one,      over.both,      over.neither,
            over.products, under.one,      under.both,
            under.neither, under.products, static_cast<double>(given.d)};
  }

 private:
  template <class Ops, class V>
  static QDR_INLINE V sum_of_terms(const Ops& o, int first, V one, V both, V neither, V products) {
    V sum = o.multiply(o.parameter(first), one);
    sum = o.multiply_add(o.parameter(first + 1), both, sum);
    sum = o.multiply_add(o.parameter(first + 2), neither, sum);
    return o.multiply_add(o.parameter(first + 3), products, sum);
  }
};

/// What a metric adds: `info`, `over` and `under`.
template <class Metric>
struct BooleanMetric : Boolean {
  using Preparation = BooleanRows;
  static constexpr std::string_view kDomain = "any numbers, true where they are not 0";
  static constexpr std::string_view kAccuracy =
      "relative error <= eps; with weights (min(d, 128) + 8) eps, computed in float64";

  static std::string_view kernels(const MetricParameters& given) {
    return given.w.empty() ? "boolean" : "weighted_boolean";
  }
  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    return parameters_of(Metric::over, Metric::under, given);
  }
  /// Of no feature that counts one of weight 0.
  static std::vector<double> feature_parameters(const ParametersGiven& given) {
    if (given.parameters.w.empty()) return {};
    std::vector<double> weights = scaled_weights(given);
    if (weights.empty()) weights.push_back(0);
    return weights;
  }
};

#include "metrics/end-inl.h"

#endif
