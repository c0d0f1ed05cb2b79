// SPDX-License-Identifier: Apache-2.0
// Powers, logarithms and angles, written once over the operations of `o`: every backend computes the same.
//
// The polynomials are minimax fits (Remez) of the relative error of the whole function; the exponents of two
// beside them are its largest. What is stated of a function includes its roundings, in eps of the dtype;
// without a fused multiply-add half an eps more.
#if defined(QDR_METRICS_ELEMENTARY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_ELEMENTARY_INL_H
#undef QDR_METRICS_ELEMENTARY_INL_H
#else
#define QDR_METRICS_ELEMENTARY_INL_H
#endif

#include "metrics/begin-inl.h"

/// c[0] + c[1] x + ... by Horner's rule.
template <class Ops, class V, int kCount>
static QDR_INLINE V polynomial_of(const Ops& o, V x, const double (&c)[kCount]) {
  V sum = o.constant(c[kCount - 1]);
#pragma GCC unroll 16
  for (int k = kCount - 2; k >= 0; --k) sum = o.multiply_add(sum, x, o.constant(c[k]));
  return sum;
}

/// polynomial_of() with the coefficients `yes` where the condition holds, `no` elsewhere: a choice costs half
/// a multiply-add (Zen 4), two polynomials and one choice would cost more.
template <class Ops, class M, class V, int kCount>
static QDR_INLINE V one_of_two_polynomials(const Ops& o, M condition, V x, const double (&yes)[kCount],
                                           const double (&no)[kCount]) {
  V sum = o.select(condition, o.constant(yes[kCount - 1]), o.constant(no[kCount - 1]));
#pragma GCC unroll 16
  for (int k = kCount - 2; k >= 0; --k)
    sum = o.multiply_add(sum, x, o.select(condition, o.constant(yes[k]), o.constant(no[k])));
  return sum;
}

/// NaN instead of the result of a pair that has none.
template <class Ops, class M, class V>
static QDR_INLINE V nan_if(const Ops& o, M condition, V result) {
  return o.select(condition, o.subtract(o.infinity(), o.infinity()), result);
}

/// 2^r for |r| <= 1/2. Relative error below eps.
template <class Ops, class V>
static QDR_INLINE V exp2_of_fraction(const Ops& o, V r) {
  if constexpr (Ops::kDigits <= 24) {
    constexpr double c[] = {0x1.62e430af27107p-1, 0x1.ebfbdc3c3094ap-3,  0x1.c6aee88e93e0ap-5,
                            0x1.3b2d4cf1c6510p-7, 0x1.5f3e52f25a9fbp-10, 0x1.41fbbbfa91352p-13};  // 2^-28
    return o.multiply_add(r, polynomial_of(o, r, c), o.constant(1));
  } else {
    constexpr double c[] = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c5a4p-3,  0x1.c6b08d7049fe8p-5,
                            0x1.3b2ab6fba011ap-7,  0x1.5d87fe78cd6d0p-10, 0x1.4309130ed8ce4p-13,
                            0x1.ffcbfba980b67p-17, 0x1.62bfc79d496f9p-20, 0x1.b5267ce06c63bp-24,
                            0x1.e61b4f9cdd300p-28, 0x1.e79bb6153eec7p-32};  // 2^-58
    return o.multiply_add(r, polynomial_of(o, r, c), o.constant(1));
  }
}

/// sin(a)^2 for |a| <= pi / 2 and a little more. Relative error below 3 eps.
template <class Ops, class V>
static QDR_INLINE V squared_sine(const Ops& o, V a) {
  const V u = o.multiply(a, a);
  constexpr double c[] = {-0x1.5555555555555p-3,  0x1.11111111110c1p-7,   -0x1.a01a01a0148afp-13,
                          0x1.71de3a5287676p-19,  -0x1.ae6454cb2a336p-26, 0x1.6123cb1d679ebp-33,
                          -0x1.ae431a81aae43p-41, 0x1.88294deab2676p-49};  // 2^-61
  const V sine = o.multiply_add(o.multiply(a, u), polynomial_of(o, u, c), a);
  return o.multiply(sine, sine);
}

/// 2^n beyond the largest number, and its inverse below the smallest, whatever normal number they multiply.
template <class Ops>
static constexpr double kMostExponent = Ops::kDigits <= 24 ? 330 : 3000;

/// a * 2^n for a whole number n within +-kMostExponent, in steps that each have a number: rounds only if the
/// result is subnormal.
template <class Ops, class V>
static QDR_INLINE V times_power_of_two(const Ops& o, V a, V n) {
  const V third = o.round(o.multiply(n, o.constant(1.0 / 3)));
  const V step = o.two_to(third);
  return o.multiply(o.multiply(o.multiply(a, step), step), o.two_to(o.subtract(n, o.add(third, third))));
}

/// 2^a. Relative error below eps; Inf above, 0 below the range of numbers; NaN gives NaN.
template <class Ops, class V>
static QDR_INLINE V exp2(const Ops& o, V a) {
  constexpr bool kFloat = Ops::kDigits <= 24;
  const V y = o.at_least(o.at_most(a, o.constant(kFloat ? 140 : 1040)), o.constant(kFloat ? -160 : -1090));
  const V n = o.round(y);
  return times_power_of_two(o, exp2_of_fraction(o, o.subtract(y, n)), n);
}

/// 2^(factor sum) for a sum of terms >= 0 and a factor <= 0: 1 for a sum or a factor of 0, though the other
/// be Inf.
template <class Ops, class V>
static QDR_INLINE V exp_of_distance(const Ops& o, V sum, V factor) {
  const double largest = Ops::kDigits <= 24 ? 0x1.fffffep+127 : 0x1.fffffffffffffp+1023;
  const V finite_sum = o.at_most(sum, o.constant(largest));
  const V finite_factor = o.at_least(factor, o.constant(-largest));
  return exp2(o, o.multiply(o.select(o.less(factor, o.constant(0)), sum, finite_sum), finite_factor));
}

/// 2^a for a below 1, for terms of a sum that is at least 1: what is below the smallest normal number comes
/// out as about that, which changes no sum of 2^40 of them. NaN gives any number.
template <class Ops, class V>
static QDR_INLINE V exp2_of_term(const Ops& o, V a) {
  const V y = o.at_least(a, o.constant(Ops::kDigits <= 24 ? -126 : -1022));
  const V n = o.round(y);
  return o.multiply(exp2_of_fraction(o, o.subtract(y, n)), o.two_to(n));
}

/// 2 / ln(2) * atanh(s) / s, as a polynomial in z = s^2, for m = (1 + s) / (1 - s) in [sqrt(1/2), sqrt(2)].
template <class Ops, class V>
static QDR_INLINE V log2_polynomial(const Ops& o, V z) {
  constexpr double kTwoOverLn2 = 0x1.71547652b82fep+1;
  if constexpr (Ops::kDigits <= 24) {
    constexpr double c[] = {kTwoOverLn2, 0x1.ec70d2e039093p-1, 0x1.274c4d33afa1bp-1,
                            0x1.b94d097329e1fp-2};  // 2^-30
    return polynomial_of(o, z, c);
  } else {
    constexpr double c[] = {kTwoOverLn2,          0x1.ec709dc3a0455p-1, 0x1.2776c50ee72e2p-1,
                            0x1.a61762d20d573p-2, 0x1.484afcf243ee7p-2, 0x1.0ca11f2c73e71p-2,
                            0x1.c479982e520b9p-3, 0x1.b52abe1acfcf2p-3};  // 2^-59
    return polynomial_of(o, z, c);
  }
}

/// log2(2^e m), e whole, m in [sqrt(1/2), sqrt(2)]. With s = (m - 1) / (m + 1): log2(m) = 2 / ln(2) *
/// atanh(s). Relative error below 3 eps; exactly 0 for 1.
template <class Ops, class V>
static QDR_INLINE V log2_of_parts(const Ops& o, V m, V e) {
  const V s = o.divide(o.subtract(m, o.constant(1)), o.add(m, o.constant(1)));
  return o.multiply_add(s, log2_polynomial(o, o.multiply(s, s)), e);
}

/// log2(a) for normal numbers above 0.
template <class Ops, class V>
static QDR_INLINE V log2_of_normal(const Ops& o, V a) {
  return log2_of_parts(o, o.mantissa(a), o.exponent(a));
}

/// -log2(1 - u) for u from 0 to kOneLessRootOfHalf, to the last digits of a small u. Relative error below 4
/// eps; NaN gives NaN.
inline constexpr double kOneLessRootOfHalf = 0x1.2bec333018866p-2;
template <class Ops, class V>
static QDR_INLINE V minus_log2_of_one_less(const Ops& o, V u) {
  const V s = o.divide(u, o.subtract(o.constant(2), u));
  return o.multiply(s, log2_polynomial(o, o.multiply(s, s)));
}

/// 2 atan2(sqrt(a), sqrt(b)) for a, b >= 0 that are not both 0: the angle between two vectors of equal length
/// whose squared difference is a and whose squared sum is b (W. Kahan, "How futile are mindless assessments
/// of roundoff", section 12). Within [0, pi]; relative error below 4 eps; NaN if one is.
template <class Ops, class V>
static QDR_INLINE V double_angle(const Ops& o, V a, V b) {
  constexpr double kTan22 = 0x1.a827999fcef32p-2;  // of 22.5 degrees
  const V root_a = o.sqrt(a);
  const V root_b = o.sqrt(b);
  const auto steep = o.less(root_b, root_a);
  const V low = o.select(steep, root_b, root_a);
  const V high = o.select(steep, root_a, root_b);
  // Near 45 degrees: the angle to those.
  const auto near = o.less(o.multiply(high, o.constant(kTan22)), low);
  const V t = o.divide(o.select(near, o.subtract(low, high), low), o.select(near, o.add(low, high), high));
  const V u = o.multiply(t, t);
  V q;
  if constexpr (Ops::kDigits <= 24) {
    constexpr double c[] = {-0x1.5555492818c4ep-2, 0x1.9991961a9b968p-3, -0x1.23b522dc90072p-3,
                            0x1.b1ec307516530p-4, -0x1.f1ed8bf48dca4p-5};  // 2^-30
    q = polynomial_of(o, u, c);
  } else {
    constexpr double c[] = {-0x1.555555555553dp-2, 0x1.99999999957cdp-3,  -0x1.24924922aa4e4p-3,
                            0x1.c71c70e50e24bp-4,  -0x1.745cf8c36d1b7p-4, 0x1.3b1117948413ep-4,
                            -0x1.10eba8c06b247p-4, 0x1.df0e7fb25ac4fp-5,  -0x1.9ccf7cd4cd2cep-5,
                            0x1.37ce1acc86d06p-5,  -0x1.255b343f8a36ep-6};  // 2^-59
    q = polynomial_of(o, u, c);
  }
  const V arc = o.add(o.multiply_add(o.multiply(t, u), q, t),
                      o.select(near, o.constant(0x1.921fb54442d18p-1), o.constant(0)));
  const V angle = o.select(steep, o.subtract(o.constant(0x1.921fb54442d18p+0), arc), arc);
  return o.add(angle, angle);
}

#include "metrics/end-inl.h"

#endif
