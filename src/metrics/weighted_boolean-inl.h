// SPDX-License-Identifier: Apache-2.0
#include "metrics/boolean-inl.h"

#include "metrics/begin-inl.h"

/// Rows of 0 and 1. Every count is a sum of its own: as differences they would lose the digits of small ones.
struct WeightedBoolean {
  static constexpr MetricInfo info = Boolean::info;
  static constexpr int accumulators = 4;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 5;  // the weight where x is 1, and where it is 0; x, the weight, 1 - y

  enum Count { kBoth, kOnlyX, kOnlyY, kNeither };
  enum FeatureParameter { kWeight, kFeatureParameters };

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V weight_in_x = o.multiply(o.feature_parameter(kWeight), x);
    const V weight_out_of_x = o.subtract(o.feature_parameter(kWeight), weight_in_x);
    const V out_of_y = o.subtract(o.constant(1), y);
    sum[kBoth] = o.multiply_add(weight_in_x, y, sum[kBoth]);
    sum[kOnlyX] = o.multiply_add(weight_in_x, out_of_y, sum[kOnlyX]);
    sum[kOnlyY] = o.multiply_add(weight_out_of_x, y, sum[kOnlyY]);
    sum[kNeither] = o.multiply_add(weight_out_of_x, out_of_y, sum[kNeither]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return Boolean::ratio_of(o, sum[kBoth], sum[kOnlyX], sum[kOnlyY], sum[kNeither]);
  }
};

#include "metrics/end-inl.h"
