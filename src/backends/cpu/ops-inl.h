// SPDX-License-Identifier: Apache-2.0
// The operations a metric is written in, on Highway vectors.
#if defined(QDR_BACKENDS_CPU_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_BACKENDS_CPU_OPS_INL_H
#undef QDR_BACKENDS_CPU_OPS_INL_H
#else
#define QDR_BACKENDS_CPU_OPS_INL_H
#endif

#include <limits>

#include "backends/backend.h"
#include "backends/power_of_two.h"
#include "hwy/highway.h"
#include "metrics/redo.h"

HWY_BEFORE_NAMESPACE();
namespace quadrance::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `kRange` gives the exponents of the scalings (metrics/redo.h).
template <class D, Scaling kScaling, Range kRange>
struct VectorOps {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;
  static constexpr int kDigits = std::numeric_limits<T>::digits;
  D d;
  V feature_weight;
  V feature_values[kMostFeatureParameters];
  V first_result;
  V row_value, column_value;
  const T* parameters;

  // Written out, because an implicit constructor is not compiled for the target.
  HWY_INLINE explicit VectorOps(const T* parameters_in) : parameters(parameters_in) {}
  HWY_INLINE V weight() const { return feature_weight; }
  HWY_INLINE V parameter(int i) const { return hn::Set(d, parameters[i]); }
  HWY_INLINE V feature_parameter(int i) const { return feature_values[i]; }
  /// The pair's result of FirstPass.
  HWY_INLINE V first_pass() const { return first_result; }

  /// The last number of both prepared rows, of metrics that have a summary.
  HWY_INLINE V row_summary() const { return row_value; }
  HWY_INLINE V column_summary() const { return column_value; }
  /// Adds the bits that are set in both, to an integer.
  HWY_INLINE V count_common(V x, V y, V count) const {
    const Bits bits;
    const auto common = hn::PopulationCount(hn::And(hn::BitCast(bits, x), hn::BitCast(bits, y)));
    return hn::BitCast(d, hn::Add(hn::BitCast(bits, count), common));
  }
  /// Of an integer below 2^(kDigits - 1): its bits under those of that number.
  HWY_INLINE V number_of(V count) const {
    const V base = hn::Set(d, T{1} / std::numeric_limits<T>::epsilon());
    return hn::Sub(hn::Or(count, base), base);
  }

  HWY_INLINE V difference(V x, V y) const {
    // Up: the rows may be huge and equal in some features, so it is their difference that is scaled.
    if constexpr (kScaling == Scaling::kUp) return hn::Mul(hn::Sub(x, y), power<kRange.up>());
    // Down: the difference itself may overflow, so it is the rows that are scaled.
    if constexpr (scales_rows())
      return hn::Sub(hn::Mul(x, power<kRange.down>()), hn::Mul(y, power<kRange.down>()));
    return hn::Sub(x, y);
  }
  HWY_INLINE V sum(V x, V y) const {
    if constexpr (scales_rows())
      return hn::Add(hn::Mul(x, power<kRange.down>()), hn::Mul(y, power<kRange.down>()));
    return hn::Add(x, y);
  }
  /// Scales both by the same power of two if |x| + |y| could overflow: a quarter from 2^(emax - 1) on.
  HWY_INLINE void keep_in_range(V* x, V* y) const {
    if constexpr (kScaling == Scaling::kDown) {
      const auto large =
          hn::Gt(hn::Max(hn::Abs(*x), hn::Abs(*y)), hn::Set(d, std::numeric_limits<T>::max() / 4));
      const V scale = hn::IfThenElse(large, hn::Set(d, T{0.25}), hn::Set(d, T{1}));
      *x = hn::Mul(*x, scale);
      *y = hn::Mul(*y, scale);
    }
  }
  /// Scales what is homogeneous of degree 1 in the rows.
  HWY_INLINE V scaled(V a) const {
    if constexpr (kScaling == Scaling::kUp) return hn::Mul(a, power<kRange.up>());
    if constexpr (kScaling == Scaling::kDown) return hn::Mul(a, power<kRange.down>());
    return a;
  }
  HWY_INLINE V constant(double value) const { return hn::Set(d, static_cast<T>(value)); }
  HWY_INLINE V smallest_normal() const { return hn::Set(d, std::numeric_limits<T>::min()); }
  HWY_INLINE V infinity() const { return hn::Set(d, std::numeric_limits<T>::infinity()); }
  HWY_INLINE V multiply(V a, V b) const { return hn::Mul(a, b); }
  /// The smaller one; NaN if a is.
  HWY_INLINE V at_most(V a, V limit) const { return hn::IfThenElse(hn::Gt(a, limit), limit, a); }
  /// The larger one; NaN if a is.
  HWY_INLINE V at_least(V a, V limit) const { return hn::IfThenElse(hn::Lt(a, limit), limit, a); }
  HWY_INLINE V abs(V a) const { return hn::Abs(a); }
  HWY_INLINE V add(V a, V b) const { return hn::Add(a, b); }
  HWY_INLINE V subtract(V a, V b) const { return hn::Sub(a, b); }
  HWY_INLINE V divide(V a, V b) const { return hn::Div(a, b); }
  /// To the nearest whole number, of two the even one.
  HWY_INLINE V round(V a) const { return hn::Round(a); }
  HWY_INLINE M less(V a, V b) const { return hn::Lt(a, b); }
  HWY_INLINE M equal(V a, V b) const { return hn::Eq(a, b); }
  HWY_INLINE M are_numbers(V a, V b) const { return hn::And(hn::Eq(a, a), hn::Eq(b, b)); }
  HWY_INLINE V select(M condition, V yes, V no) const { return hn::IfThenElse(condition, yes, no); }
  HWY_INLINE V zero_if(M condition, V no) const { return hn::IfThenZeroElse(condition, no); }
  // A normal number above 0 is mantissa * 2^exponent with a mantissa in [sqrt(1/2), sqrt(2)). The exponent is
  // counted in the bits, and made a number by what is added to those of 2^(kDigits - 1).
  HWY_INLINE V exponent(V a) const {
    return hn::Sub(
        hn::BitCast(d, hn::Or(biased_exponent(a), bits_of(T{1} / std::numeric_limits<T>::epsilon()))),
        hn::Set(d, kExponentBase));
  }
  HWY_INLINE V mantissa(V a) const {
    const auto bits = hn::BitCast(Bits(), a);
    const auto shifted = hn::ShiftLeft<kDigits - 1>(biased_exponent(a));
    return hn::BitCast(d, hn::Add(hn::Sub(bits, shifted), bits_of(T{1})));
  }
  /// 2^n for whole n of normal numbers.
  HWY_INLINE V two_to(V n) const {
    const auto bits = hn::BitCast(Bits(), hn::Add(n, hn::Set(d, kExponentBase)));
    return hn::BitCast(d, hn::ShiftLeft<kDigits - 1>(bits));
  }
  /// The larger of two numbers that are not negative; NaN if one is: as integers NaN is above Inf.
  HWY_INLINE V max_magnitude(V a, V b) const {
    const hn::RebindToSigned<D> bits;
    return hn::BitCast(d, hn::Max(hn::BitCast(bits, a), hn::BitCast(bits, b)));
  }
  /// a / b, and 0 where both are 0 (a is 0 wherever b is, or the quotient infinite).
  HWY_INLINE V ratio(V a, V b) const {
    const auto nothing = hn::Eq(hn::Max(a, b), hn::Zero(d));
    return hn::IfThenZeroElse(nothing, hn::Div(a, b));
  }
  /// The same for a = |x - y| and b = above_zero(|x|) + |y| of rows that Redo::kExtremeRows leaves: x and y
  /// are 0 or within 2^-400 and 2^500 (float32: 2^-96 and 2^120), so that no reciprocal is subnormal, and
  /// what a first quotient leaves over loses no digit that counts: a is a multiple of 2^-452 (2^-119).
  HWY_INLINE V ratio_in_range(V a, V b) const {
    if constexpr (kScaling != Scaling::kNone) return ratio(a, b);
    return quotient(a, b);
  }
  /// a0 / b0 + a1 / b1 of such terms of float64, as (a0 b1 + a1 b0) / (b0 b1): within 2^-1000 and 2^1002.
  /// With a weight in a0 or a1 the rows' lower limit is that much higher (with_weights()).
  HWY_INLINE V sum_of_ratios_in_range(V a0, V b0, V a1, V b1) const {
    static_assert(sizeof(T) == 8 && kScaling == Scaling::kNone);
    return quotient(hn::MulAdd(a0, b1, hn::Mul(a1, b0)), hn::Mul(b0, b1));
  }
  /// A magnitude of such rows as it is, but not 0: of 0 / 0 the divisor becomes a number.
  HWY_INLINE V above_zero(V magnitude) const {
    if constexpr (kScaling != Scaling::kNone) return magnitude;
    // Below half a digit of the least magnitude, and rows need it once for all columns.
    return hn::Add(magnitude, power < sizeof(T) == 4 ? -126 : -500 > ());
  }
  HWY_INLINE V multiply_add(V a, V b, V c) const { return hn::MulAdd(a, b, c); }
  HWY_INLINE V sqrt(V a) const { return hn::Sqrt(a); }

  /// The exponent that unscale() multiplies by.
  template <int kDegree>
  static constexpr int unscaling() {
    if (kScaling == Scaling::kNone) return 0;
    return -kDegree * (kScaling == Scaling::kUp ? kRange.up : kRange.down);
  }
  /// Undoes the scaling of a result that is homogeneous of this degree.
  template <int kDegree>
  HWY_INLINE V unscale(V result) const {
    if constexpr (kScaling != Scaling::kNone) {
      constexpr int kExponent = kScaling == Scaling::kUp ? kRange.up : kRange.down;
      // One factor at a time: 2^(degree * exponent) itself may have no representation.
      for (int i = 0; i < kDegree; ++i) result = hn::Mul(result, power<-kExponent>());
    }
    return result;
  }

 private:
  using Bits = hn::RebindToUnsigned<D>;
  // vdivpd takes 16 cycles for 8 numbers (Ice Lake), this takes 4: a quotient by a rough reciprocal (28
  // binary digits of float64, 14 of float32), and what it leaves over. Error: half an eps, and eps / 16
  // (float64) or eps / 32 (float32).
#if HWY_TARGET <= HWY_AVX3
  static HWY_INLINE hn::Vec512<double> rough_reciprocal(hn::Vec512<double> b) {
    const hn::Vec512<double> r{_mm512_rcp14_pd(b.raw)};
    return hn::MulAdd(r, hn::NegMulAdd(b, r, hn::Set(D(), 1.0)), r);
  }
  static HWY_INLINE hn::Vec512<float> rough_reciprocal(hn::Vec512<float> b) {
    return hn::Vec512<float>{_mm512_rcp14_ps(b.raw)};
  }
  static HWY_INLINE V quotient(V a, V b) {
    const V r = rough_reciprocal(b);
    const V q = hn::Mul(a, r);
    return hn::MulAdd(hn::NegMulAdd(q, b, a), r, q);
  }
#else
  static HWY_INLINE V quotient(V a, V b) { return hn::Div(a, b); }
#endif

  static constexpr T kExponentBase =
      T{1} / std::numeric_limits<T>::epsilon() + std::numeric_limits<T>::max_exponent - 1;
  static HWY_INLINE hn::Vec<Bits> bits_of(T value) { return hn::BitCast(Bits(), hn::Set(D(), value)); }
  HWY_INLINE hn::Vec<Bits> biased_exponent(V a) const {
    constexpr T kRootOfHalf = static_cast<T>(0x1.6a09e667f3bcdp-1);
    const auto offset = hn::Sub(bits_of(T{1}), bits_of(kRootOfHalf));
    return hn::ShiftRight<kDigits - 1>(hn::Add(hn::BitCast(Bits(), a), offset));
  }
  static constexpr bool scales_rows() { return kScaling == Scaling::kDown && kRange.down != 0; }
  template <int kExponent>
  HWY_INLINE V power() const {
    constexpr T kPower = power_of_two<T>(kExponent);
    return hn::Set(d, kPower);
  }
};

}  // namespace quadrance::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
