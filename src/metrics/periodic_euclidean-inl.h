// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "metrics/euclidean-inl.h"
#include "metrics/kernel_parameters.h"
#include "metrics/periodic_rows.h"

#include "metrics/begin-inl.h"

/// Of rows within half a box of the origin.
struct PeriodicEuclidean : Euclidean {
  static constexpr MetricInfo info{
      .names = "periodic_euclidean periodic",
      .formula = "sqrt(sum_f r[f]^2), r = x - y - box round((x - y) / box): to the nearest image",
      .source = "Distances.jl PeriodicEuclidean, for boxes of right angles",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = MetricInfo::kNotHomogeneous,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= (min(d, 128) + 8) eps, computed in float64",
      .edges =
          "box: a length for each feature, Inf for one that does not repeat; without a box or with a length "
          "<= 0 -> "
          "error; d = 0 -> 0; NaN in a row, or Inf in a feature that repeats -> NaN; else as euclidean",
      .parameters = "box",
      .in_float64 = true,
  };
  using Preparation = PeriodicRows;
  static constexpr int kDegree = 1;
  static constexpr int temporaries = 6;  // the row's value, the box, the difference, its error, the image

  enum FeatureParameter { kBox, kInverseBox, kFeatureParameters };

  /// 0 for a feature that does not repeat: the image is then always the 0th.
  static std::vector<double> feature_parameters(const ParametersGiven& given) {
    std::vector<double> out;
    for (const double length : given.parameters.box) out.push_back(std::isinf(length) ? 0 : length);
    for (const double length : given.parameters.box) out.push_back(1 / length);
    return out;
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    // Across the edge of a box x - y is about its length, so that the rounding of x - y must be put back
    // (Knuth's two-sum): fma(-1, box, difference) then has no error.
    const V difference = o.subtract(x, y);
    const V b = o.subtract(difference, x);
    const V error = o.subtract(o.subtract(x, o.subtract(difference, b)), o.add(y, b));
    const V image = o.round(o.multiply(difference, o.feature_parameter(kInverseBox)));
    const V across =
        o.add(o.multiply_add(o.subtract(o.constant(0), image), o.feature_parameter(kBox), difference), error);
    const V r = o.scaled(o.select(o.less(o.constant(0.5), o.abs(image)), across, difference));
    sum[0] = o.multiply_add(r, r, sum[0]);
  }
};

#include "metrics/end-inl.h"
