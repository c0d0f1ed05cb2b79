// SPDX-License-Identifier: Apache-2.0
// The step shared by every distance that is a function of sum_f (x[f] - y[f])^2.
#if defined(QDR_METRICS_SQUARED_DIFFERENCE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_SQUARED_DIFFERENCE_INL_H
#undef QDR_METRICS_SQUARED_DIFFERENCE_INL_H
#else
#define QDR_METRICS_SQUARED_DIFFERENCE_INL_H
#endif

#include "metrics/product_form.h"

#include "metrics/begin-inl.h"

struct SquaredDifference {
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kOutOfRange;
  static constexpr int temporaries = 2;  // registers beside the accumulators: the row's value, the difference

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V difference = o.difference(x, y);
    sum[0] = o.multiply_add(difference, difference, sum[0]);
  }

  /// The same sum, from products of the rows without their means.
  struct ByProducts {
    using Differences = SquaredDifference;  // its step is what the products stand for
    static constexpr ProductRange float32{.least = -90, .most = 120, .most_mean = 50};
    static constexpr ProductRange float64{.least = -900, .most = 1000, .most_mean = 400};

    template <class Ops, class V>
    static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
      sum[0] = o.multiply_add(x, y, sum[0]);
    }
  };

  /// Unscaled sums may take subnormal numbers for 0: see lowest.
  static constexpr bool flushes_subnormals = true;

  // When a sum of squares can be trusted as it is, as powers of two; outside, the pair is redone with
  // differences scaled by 2^up, which is exact, or rows by 2^down, which rounds only elements far below the
  // distance.
  //   lowest: a sum below the normal range may be taken for 0 at every term, 2^-126 (float32) or 2^-1022; a
  //           block of 128 of them stays below 2^-35 (2^-75) of a sum of 2^lowest.
  //   coarse: differences of elements that are 0 or at least 2^coarse are 0, or their squares are normal
  //           numbers, 2^-110 (2^-960) or more: rows of such elements never need the redo, and equal rows
  //           stay cheap.
  //   large:  elements below 2^large cannot overflow: 2^44 (2^222) features of (2 * 2^large)^2 stay below
  //   2^128
  //           (2^1024). Other rows are looked at again.
  //   up:     brings the smallest subnormal (2^-149, 2^-1074) to a normal square; differences below
  //           2^(lowest/2) stay far below overflow.
  //   down:   brings the square of twice the largest number, 128 times, below overflow.
  static constexpr Range float32{.lowest = -84, .coarse = -32, .large = 40, .up = 100, .down = -70};
  static constexpr Range float64{.lowest = -940, .coarse = -428, .large = 400, .up = 700, .down = -540};
};

#include "metrics/end-inl.h"

#endif
