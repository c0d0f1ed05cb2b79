// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "metrics/elementary-inl.h"
#include "metrics/kernel_parameters.h"
#include "metrics/probability_rows.h"

#include "metrics/begin-inl.h"

/// With s = p + q and t = |p - q| / s a feature adds s f(t), f(t) = (1 + t) ln(1 + t) + (1 - t) ln(1 - t),
/// which is not negative and, as a series in t^2 where t is small, loses no digit.
struct JensenShannon {
  static constexpr MetricInfo info{
      .names = "jensenshannon js",
      .formula =
          "sqrt(sum_f (p[f] ln(p[f] / m[f]) + q[f] ln(q[f] / m[f])) / 2 / ln(base)), p = x / sum(x), q = y / "
          "sum(y), m = (p + q) / 2",
      .source = "scipy.spatial.distance.jensenshannon",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= 4 eps + (min(d, 127) + 16) eps j for a distance j, base e",
      .edges =
          "base left out: e; 0 ln 0 = 0; two zero rows -> 0, a zero row and another -> NaN; a number below "
          "0, "
          "NaN or Inf in a row -> NaN; no sum overflows; d = 0 -> 0",
      .parameters = "base",
      .domain = "numbers not below 0",
  };
  using Preparation = Probabilities;
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 10;  // the row's value, and what a logarithm needs

  enum Parameter { kFactor };

  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    const std::optional<double>& base = given.parameters.base;
    return {base ? 0.25 / std::log(*base) : 0.25};
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V size = o.add(x, y);
    // Of two zeros, or subnormal numbers, any number will do.
    const V inverse = o.divide(o.constant(1), o.at_least(size, o.smallest_normal()));
    const V t = o.multiply(o.abs(o.difference(x, y)), inverse);
    const V smaller = o.at_most(x, y);
    const V rest = o.multiply(o.add(smaller, smaller), inverse);  // 1 - t, with digits of its own
    sum[0] = o.multiply_add(size, divergence(o, t, rest), sum[0]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V result = o.sqrt(o.multiply(sum[0], o.parameter(kFactor)));
    // Of two distributions the sum is at most 4 ln(2), of a zero row and one kNoDistribution more.
    return nan_if(o, o.less(o.constant(kNoDistribution), sum[0]), result);
  }

 private:
  /// (1 + t) ln(1 + t) + (1 - t) ln(1 - t) for t from 0 to 1, given 1 - t too. Relative error below 6 eps.
  template <class Ops, class V>
  static QDR_INLINE V divergence(const Ops& o, V t, V rest) {
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    const V u = o.multiply(t, t);
    const V near = o.multiply(u, near_polynomial(o, u));
    // b ln(b) of b = rest, and (2 - b) ln(2 - b) as a polynomial.
    const V normal = o.at_least(rest, o.smallest_normal());
    const V log = o.multiply(log2_of_normal(o, normal), o.constant(kLn2));
    const V far = o.multiply_add(rest, log, far_polynomial(o, rest));
    return o.select(o.less(o.constant(0.5), t), far, near);
  }

  /// The series sum_k u^(k - 1) / (k (2 k - 1)) for u <= 1/4.
  template <class Ops, class V>
  static QDR_INLINE V near_polynomial(const Ops& o, V u) {
    if constexpr (Ops::kDigits <= 24) {
      constexpr double c[] = {0x1.ffffffeb03b06p-1, 0x1.5555b383b2e31p-3, 0x1.10ef350a46ff7p-4,
                              0x1.28f50a4bc9a96p-5, 0x1.2c0c7ec45c129p-6, 0x1.c29b5b5e894a0p-6};  // 2^-28.3
      return polynomial_of(o, u, c);
    } else {
      constexpr double c[] = {0x1p+0,
                              0x1.5555555555569p-3,
                              0x1.111111110e964p-4,
                              0x1.249249268b7dbp-5,
                              0x1.6c16c09ae10adp-6,
                              0x1.f07c52c1cd0eap-7,
                              0x1.6812611d85bc7p-7,
                              0x1.1149f6b68bf01p-7,
                              0x1.a81912114ac4bp-8,
                              0x1.7529531aed1dbp-8,
                              0x1.33a394559603dp-9,
                              0x1.3ea9ba72c9313p-7,
                              -0x1.19bbb6ee0423cp-7,
                              0x1.d03b8197d9754p-7};  // 2^-61.0
      return polynomial_of(o, u, c);
    }
  }

  /// (2 - b) ln(2 - b) for b <= 1/2.
  template <class Ops, class V>
  static QDR_INLINE V far_polynomial(const Ops& o, V b) {
    if constexpr (Ops::kDigits <= 24) {
      constexpr double c[] = {0x1.62e42ff2c583fp+0, -0x1.b1721a5c905b6p+0, 0x1.00012f49fed88p-2,
                              0x1.54e5dd92ad38dp-5, 0x1.5ef10c956711ep-7,  0x1.2fc4d41f46416p-9,
                              0x1.0f5e83d20decep-9};  // 2^-30.0
      return polynomial_of(o, b, c);
    } else {
      constexpr double c[] = {0x1.62e42fefa39efp+0,   -0x1.b17217f7d1cf2p+0, 0x1.fffffffffe8c0p-3,
                              0x1.555555567d5ecp-5,   0x1.555554dabb884p-7,  0x1.9999b7ea80fd8p-9,
                              0x1.110ea5e8257fcp-10,  0x1.865b1873ddf4bp-12, 0x1.2215785ed5ff8p-13,
                              0x1.e83cd39b02ffep-15,  0x1.a7426fa8a6977p-17, 0x1.7fcb7ce49f492p-16,
                              -0x1.45bfdc653c4c7p-17, 0x1.1306d3787ef5ep-17};  // 2^-58.7
      return polynomial_of(o, b, c);
    }
  }
};

#include "metrics/end-inl.h"
