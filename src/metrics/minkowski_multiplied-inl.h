// SPDX-License-Identifier: Apache-2.0
// minkowski for p below 16 that are multiples of 1/2: powers by squaring and multiplying.
#if defined(QDR_METRICS_MINKOWSKI_MULTIPLIED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_MINKOWSKI_MULTIPLIED_INL_H
#undef QDR_METRICS_MINKOWSKI_MULTIPLIED_INL_H
#else
#define QDR_METRICS_MINKOWSKI_MULTIPLIED_INL_H
#endif

#include "metrics/minkowski-inl.h"

#include "metrics/begin-inl.h"

/// The power of two that brings the largest difference near 1. It stays a normal number, so that the largest
/// of differences below that range comes out between 2^-52 and 1 (float32: 2^-23): its powers up to the 16th
/// are normal in float64, those up to 5.5 in float32.
struct ScaleOfLargest : Chebyshev {
  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&largest)[accumulators]) {
    constexpr double kMost = Ops::kDigits <= 24 ? 126 : 1022;
    const V exponent = o.at_least(o.at_most(o.exponent(largest[0]), o.constant(kMost)), o.constant(-kMost));
    return o.two_to(o.subtract(o.constant(0), exponent));
  }
};

template <bool kHalf>
struct MinkowskiMultiplied : MinkowskiPower {
  static constexpr MetricInfo info = Minkowski::info;
  using FirstPass = ScaleOfLargest;
  static constexpr int temporaries = 4;  // the row's value, the power and its squares, a choice

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    V square = o.multiply(o.abs(o.difference(x, y)), o.first_pass());
    V power = kHalf ? o.sqrt(square) : o.constant(1);
#pragma GCC unroll 4
    for (int bit = 0; bit < 4; ++bit) {
      const auto chosen = o.less(o.constant(0), o.parameter(kPower + 1 + bit));
      power = o.select(chosen, o.multiply(power, square), power);
      if (bit < 3) square = o.multiply(square, square);
    }
    sum[0] = o.add(sum[0], power);
  }

  /// A sum of 0, Inf or NaN is that of differences that are.
  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V result = root(o, sum[0], o.divide(o.constant(1), o.first_pass()));
    const V unless_infinite = o.select(o.less(sum[0], o.infinity()), result, sum[0]);
    return o.select(o.less(o.constant(0), sum[0]), unless_infinite, sum[0]);
  }
};

#include "metrics/end-inl.h"

#endif
