// SPDX-License-Identifier: Apache-2.0
#include "metrics/inner_product-inl.h"
#include "metrics/kernel_parameters.h"

#include "metrics/begin-inl.h"

struct Polynomial : InnerProduct {
  static constexpr MetricInfo info{
      .names = "polynomial poly",
      .formula = "(gamma sum_f x[f] y[f] + coef0)^degree",
      .source = "sklearn.metrics.pairwise.polynomial_kernel",
      .symmetric = true,
      .nonnegative = false,
      .zero_self = false,
      .triangle = false,
      .degree = MetricInfo::kNotHomogeneous,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= degree (min(d, 128) + 8) eps (gamma sum_f |x[f] y[f]| + |coef0|)^degree",
      .edges =
          "gamma left out: 1 / d, coef0: 1, degree: 3; degree is a whole number from 1 to 255; d = 0: "
          "coef0^degree; "
          "NaN in a row -> NaN; beyond the dtype's range -> Inf or NaN",
      .parameters = "gamma coef0 degree",
      .form = "product",
      .similarity = true,
  };
  enum Parameter { kGamma, kConstant, kFirstBit };
  static constexpr int kBits = 8;

  static bool in_float64(const MetricParameters& given) {
    return needs_float64(given.gamma.value_or(1)) || needs_float64(given.coef0.value_or(1));
  }

  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    const MetricParameters& parameters = given.parameters;
    std::vector<double> out{gamma_of(given), parameters.coef0.value_or(1)};
    for (int bit = 0; bit < kBits; ++bit)
      out.push_back(static_cast<double>(parameters.degree.value_or(3) >> bit & 1));
    return out;
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    V square = o.multiply_add(sum[0], o.parameter(kGamma), o.parameter(kConstant));
    V power = o.constant(1);
    for (int bit = 0; bit < kBits; ++bit) {
      const auto chosen = o.less(o.constant(0), o.parameter(kFirstBit + bit));
      power = o.select(chosen, o.multiply(power, square), power);
      square = o.multiply(square, square);
    }
    return power;
  }
};

#include "metrics/end-inl.h"
