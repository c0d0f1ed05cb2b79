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
  D d;
  V feature_weight;

  // Written out, because an implicit constructor is not compiled for the target.
  HWY_INLINE VectorOps() {}
  HWY_INLINE V weight() const { return feature_weight; }

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
  HWY_INLINE V constant(double value) const { return hn::Set(d, static_cast<T>(value)); }
  HWY_INLINE V multiply(V a, V b) const { return hn::Mul(a, b); }
  /// The smaller one; NaN if a is.
  HWY_INLINE V at_most(V a, V limit) const { return hn::IfThenElse(hn::Gt(a, limit), limit, a); }
  HWY_INLINE V abs(V a) const { return hn::Abs(a); }
  HWY_INLINE V add(V a, V b) const { return hn::Add(a, b); }
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
