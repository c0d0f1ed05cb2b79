// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "metrics/kernel_parameters.h"

#include "metrics/begin-inl.h"

struct Gower {
  static constexpr MetricInfo info{
      .names = "gower",
      .formula =
          "sum_f w[f] s[f] / sum_f w[f] over the features that neither row lacks; s[f] = |x[f] - y[f]| / "
          "ranges[f], of a categorical one [x[f] != y[f]]",
      .source =
          "J. C. Gower, A general coefficient of similarity and some of its properties, Biometrics 27, 1971: "
          "1 less that",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = MetricInfo::kNotHomogeneous,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= 2 (min(d, 128) + 6) eps of float64",
      .edges =
          "NaN is a feature that is missing and is left out; nothing in common that counts -> NaN, of a row "
          "and itself too; all w 0 -> 0; ranges left out: those of the finite numbers of the points, of two "
          "sets an error unless from_both (cdist), 0 for a constant feature, which adds 0; Inf against a "
          "finite number -> Inf, Inf - Inf -> NaN, as categories equal; beyond given ranges s is above 1; "
          "Inf or 0 where a term or a sum leaves float64's range; d = 0 -> 0",
      .parameters = "ranges categorical w",
      .domain = "numbers, NaN where one is missing",
      .in_float64 = true,
      .nan_is_missing = true,
  };
  static constexpr int accumulators = 2;
  static constexpr Combine combine = Combine::kSum;
  // Differences of elements of 2^large or more may overflow: such rows are scaled down.
  static constexpr Redo redo = Redo::kExtremeRows;
  static constexpr Range float64{.lowest = 0, .coarse = -1074, .large = 1022, .up = 0, .down = -2};
  static constexpr int kDegree = 1;
  static constexpr int temporaries = 8;  // the row's value, three of the feature, the difference, masks
  static constexpr bool keeps_zero_weights = true;

  enum Parameter { kNothing };
  /// 1 / range is kScale, a power of two or -1 for a category, times kWeightOverRange / kWeight: a range
  /// itself may have no inverse.
  enum FeatureParameter { kScale, kWeightOverRange, kWeight, kFeatureParameters };

  /// What is added to the sum of weights: 1 where there are none, for 0 / 1.
  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    const std::vector<double>& w = given.parameters.w;
    const bool nothing = w.empty() ? given.d == 0 : *std::max_element(w.begin(), w.end()) == 0;
    return {nothing ? 1.0 : 0.0};
  }

  static std::vector<double> feature_parameters(const ParametersGiven& given) {
    const auto d = static_cast<std::size_t>(given.d);
    std::vector<double> out(kFeatureParameters * d);
    const std::vector<double> weights = weights_of(given);
    for (std::size_t f = 0; f < d; ++f) {
      const long double range = range_of(given, f);
      int exponent = 0;
      const long double mantissa = std::frexp(range, &exponent);
      const int scale = std::min(-exponent, 1000);
      out[kScale * d + f] = std::ldexp(1.0, scale);
      out[kWeightOverRange * d + f] =
          static_cast<double>(std::ldexp(weights[f] / mantissa, -exponent - scale));
      out[kWeight * d + f] = weights[f];
    }
    for (const std::int64_t f : given.parameters.categorical)
      out[kScale * d + static_cast<std::size_t>(f)] = -1;
    return out;
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V zero = o.constant(0);
    const V scale = o.feature_parameter(kScale);
    const V weight = o.feature_parameter(kWeight);
    const V difference = o.multiply(o.abs(o.difference(x, y)), scale);
    const V number = o.multiply(difference, o.feature_parameter(kWeightOverRange));
    const V category = o.zero_if(o.equal(x, y), o.scaled(weight));
    const auto present = o.are_numbers(x, y);
    sum[0] = o.add(sum[0], o.select(present, o.select(o.less(scale, zero), category, number), zero));
    sum[1] = o.add(sum[1], o.select(present, weight, zero));
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return o.divide(sum[0], o.add(sum[1], o.parameter(kNothing)));
  }

 private:
  static std::vector<double> weights_of(const ParametersGiven& given) {
    const std::vector<double>& w = given.parameters.w;
    return w.empty() ? std::vector<double>(static_cast<std::size_t>(given.d), 1.0) : scaled(w);
  }

  /// 1 until those of the data are known, and of a feature that is constant in these.
  static long double range_of(const ParametersGiven& given, std::size_t f) {
    const std::vector<double>& ranges = given.parameters.ranges;
    const long double range = !given.ranges.empty() ? given.ranges[f]
                              : !ranges.empty()     ? static_cast<long double>(ranges[f])
                                                    : 1;
    return range > 0 && range <= std::numeric_limits<long double>::max() ? range : 1;
  }
};

#include "metrics/end-inl.h"
