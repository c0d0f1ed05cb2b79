// SPDX-License-Identifier: Apache-2.0
// The operations a metric is written in, on Highway vectors.
#if defined(QDR_BACKENDS_CPU_OPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_BACKENDS_CPU_OPS_INL_H
#undef QDR_BACKENDS_CPU_OPS_INL_H
#else
#define QDR_BACKENDS_CPU_OPS_INL_H
#endif

#include "backends/backend.h"
#include "backends/power_of_two.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace quadrance::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// `Range` gives the exponents of the scalings (squared_difference-inl.h).
template <class D, Scaling kScaling, auto kRange>
struct VectorOps {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  D d;

  HWY_INLINE V difference(V x, V y) const {
    if constexpr (kScaling == Scaling::kNone) return hn::Sub(x, y);
    // Up: the rows may be huge and equal in some features, so it is their difference that is scaled.
    if constexpr (kScaling == Scaling::kUp) return hn::Mul(hn::Sub(x, y), power<kRange.up>());
    // Down: the difference itself may overflow, so it is the rows that are scaled.
    if constexpr (kScaling == Scaling::kDown) {
      return hn::Sub(hn::Mul(x, power<kRange.down>()), hn::Mul(y, power<kRange.down>()));
    }
  }
  HWY_INLINE V multiply_add(V a, V b, V c) const { return hn::MulAdd(a, b, c); }
  HWY_INLINE V sqrt(V a) const { return hn::Sqrt(a); }

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
  template <int kExponent>
  HWY_INLINE V power() const {
    constexpr T kPower = power_of_two<T>(kExponent);
    return hn::Set(d, kPower);
  }
};

}  // namespace quadrance::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
