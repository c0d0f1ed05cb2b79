// SPDX-License-Identifier: Apache-2.0
#include "metrics/elementary-inl.h"
#include "metrics/probability_rows.h"

#include "metrics/begin-inl.h"

/// A feature adds p ln(p / q) - p + q, which is not negative; what is added to the usual p ln(p / q) comes to
/// 0 over all features. With s = p + q and t = (p - q) / s it is s ((1 + t) artanh(t) - t): where t is small
/// s t^2 (1 + t (1 + t) B(t^2)), which loses no digit, B(u) = 1 / 3 + u / 5 + u^2 / 7 + ...
struct Kl {
  static constexpr MetricInfo info{
      .names = "kl kl_divergence kullback_leibler",
      .formula = "sum_f p[f] ln(p[f] / q[f]), p = x / sum(x), q = y / sum(y)",
      .source = "S. Kullback, R. A. Leibler, On information and sufficiency, 1951; scipy.special.rel_entr",
      .symmetric = false,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy =
          "error <= 6 eps sqrt(D) + (min(d, 128) + 16) eps D + 8 eps^2 for a divergence D, eps of float64",
      .edges =
          "p = 0 adds 0; q = 0 < p -> Inf; numbers below 2^-1400 of a row's sum count as 0; two zero rows -> "
          "0, a zero row and another -> NaN; a number below 0, NaN or Inf in a row -> NaN; no sum overflows; "
          "d = 0 -> 0",
      .domain = "numbers not below 0",
      .in_float64 = true,
  };
  using Preparation = ScaledProbabilities;
  static constexpr int accumulators = 1;
  static constexpr bool summary = true;  // 1 of a zero row, else 0
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr bool many_constants = true;
  static constexpr int temporaries = 12;  // the row's value, and what two polynomials need

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V p, V q) {
    const V size = o.add(p, q);
    const V difference = o.difference(p, q);
    const V t = o.divide(difference, o.at_least(size, o.smallest_normal()));
    const V u = o.multiply(t, t);
    const V near = o.multiply(o.multiply(size, u), near_factor(o, t, u));
    const V far = o.subtract(o.multiply(p, log_of_ratio(o, p, q)), difference);
    const V zero = o.constant(0);
    const V of_missing = o.select(o.less(zero, p), o.infinity(), zero);
    sum[0] = o.add(sum[0],
                   o.select(o.equal(q, zero), of_missing, o.select(o.less(o.constant(0.25), u), far, near)));
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V divergence = o.multiply(sum[0], o.constant(1 / ScaledProbabilities::kScale));
    const V nan = o.subtract(o.infinity(), o.infinity());
    return o.select(o.equal(o.row_summary(), o.column_summary()), divergence, nan);
  }

 private:
  /// 1 + t (1 + t) B(u) for |t| <= 1/2.
  template <class Ops, class V>
  static QDR_INLINE V near_factor(const Ops& o, V t, V u) {
    constexpr double c[] = {0x1.5555555555553p-2,  0x1.999999999a1b0p-3, 0x1.2492492440df8p-3,
                            0x1.c71c71f718b50p-4,  0x1.745d0f421a341p-4, 0x1.3b14885a0419cp-4,
                            0x1.11020768978fap-4,  0x1.e355b0f2c1f25p-5, 0x1.a28674c5e82cep-5,
                            0x1.d3ad11e9f3ea0p-5,  0x1.7efcd7242a61dp-9, 0x1.416971445a66fp-3,
                            -0x1.625848924e62fp-3, 0x1.d2bc747c80d57p-3};  // 2^-55.7
    return o.multiply_add(o.multiply_add(t, t, t), polynomial_of(o, u, c), o.constant(1));
  }

  /// ln(p / q) for positive numbers. By mantissas m in [sqrt(1/2), sqrt(2)): with s = (m(p) - m(q)) / (m(p) +
  /// m(q)) it is 2 artanh(s), and ln(2) for each power of two between them. Relative error below 3 eps where
  /// one number is three times the other.
  template <class Ops, class V>
  static QDR_INLINE V log_of_ratio(const Ops& o, V p, V q) {
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    constexpr double c[] = {0x1.0000000000000p+1, 0x1.5555555555525p-1, 0x1.99999999a1f86p-2,
                            0x1.2492492004ad7p-2, 0x1.c71c7450587d0p-3, 0x1.745cae0e28c79p-3,
                            0x1.3b1e487e32d3ep-3, 0x1.1062d7cf4e8a4p-3, 0x1.f01e1c4eb8be2p-4,
                            0x1.549c6207c462dp-4, 0x1.5d63c0e7f17c3p-3};  // 2^-57.5
    const V a = o.at_least(p, o.smallest_normal());                       // of 0 any number will do
    const V b = o.at_least(q, o.smallest_normal());
    const V s = o.divide(o.subtract(o.mantissa(a), o.mantissa(b)), o.add(o.mantissa(a), o.mantissa(b)));
    const V log = o.multiply(s, polynomial_of(o, o.multiply(s, s), c));
    return o.multiply_add(o.subtract(o.exponent(a), o.exponent(b)), o.constant(kLn2), log);
  }
};

#include "metrics/end-inl.h"
