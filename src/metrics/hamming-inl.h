// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <vector>

#include "metrics/boolean-inl.h"
#include "metrics/category_rows.h"
#include "metrics/elementary-inl.h"
#include "metrics/kernel_parameters.h"

#include "metrics/begin-inl.h"

struct Hamming {
  static constexpr MetricInfo info{
      .names = "hamming h ha hamm matching",
      .formula = "sum_f [x[f] != y[f]] / d",
      .source = "scipy.spatial.distance.hamming",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy =
          "relative error <= eps for d <= 2^24; with weights (min(d, 128) + 6) eps, computed in float64",
      .edges =
          "with weights sum_f w[f] [x[f] != y[f]] / sum_f w[f], all 0 -> 0; d = 0 -> 0; Inf equals Inf, 0 "
          "equals -0; NaN in a row -> NaN, equal ones too; Inf in a feature of weight 0 -> NaN",
      .parameters = "w packed",
      .domain = "any numbers, as categories",
  };
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 4;  // the row's value, the feature's weight, 0, the condition

  enum Parameter { kAll };
  enum FeatureParameter { kWeight, kFeatureParameters };

  /// Of packed rows the boolean metrics' kernel.
  static std::string_view kernels(const MetricParameters& given) {
    return given.packed ? "boolean" : "hamming";
  }
  static std::unique_ptr<const Preparation> make_preparation(const PreparationParameters& given) {
    if (given.parameters.packed) return std::make_unique<BooleanRows>(given);
    return std::make_unique<CategoryRows>(given);
  }
  static bool in_float64(const MetricParameters& given) { return !given.w.empty() || given.packed; }

  /// What a pair adds up to where all features differ.
  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    if (given.parameters.packed) return Boolean::parameters_of({1, 0, 0, 0}, {1, 1, 1, 0}, given);
    return {total_of(given)};
  }

  /// Each feature's weight, and 4 times all of them for the one that only NaN differs in.
  static std::vector<double> feature_parameters(const ParametersGiven& given) {
    if (given.parameters.packed) return {};
    std::vector<double> weights = weights_of(given);
    weights.push_back(4 * total_of(given));
    return weights;
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    sum[0] = o.add(sum[0], o.zero_if(o.equal(x, y), o.feature_parameter(kWeight)));
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V all = o.parameter(kAll);
    return nan_if(o, o.less(o.add(all, all), sum[0]), o.divide(sum[0], all));
  }

 private:
  static std::vector<double> weights_of(const ParametersGiven& given) {
    if (given.parameters.w.empty()) return std::vector<double>(static_cast<std::size_t>(given.d), 1.0);
    return scaled_weights(given);
  }

  static double total_of(const ParametersGiven& given) {
    if (given.parameters.w.empty()) return static_cast<double>(std::max<std::int64_t>(given.d, 1));
    long double total = 0;
    for (const double weight : weights_of(given)) total += weight;
    return total > 0 ? static_cast<double>(total) : 1;
  }
};

#include "metrics/end-inl.h"
