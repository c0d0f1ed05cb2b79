// SPDX-License-Identifier: Apache-2.0
#include "metrics/boolean-inl.h"

#include "metrics/begin-inl.h"

struct Yule : BooleanMetric<Yule> {
  static constexpr MetricInfo info{
      .names = "yule",
      .formula = "2 b c / (a n + b c); a features true in both rows, b in x only, c in y only, n in neither",
      .source = "scipy.spatial.distance.yule",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = false,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= eps; with weights 2 (min(d, 128) + 8) eps, computed in float64",
      .edges =
          "b c = 0 -> 0; d = 0 -> 0; NaN in a row -> NaN; Inf is true; w counts a feature as so many, Inf in "
          "one of weight 0 -> NaN",
      .parameters = "w packed",
      .domain = kDomain,
      .form = "bits",
      .in_float64 = true,
  };
  static constexpr BooleanTerms over{0, 0, 0, 2};
  static constexpr BooleanTerms under{0, 0, 0, 1};
};

#include "metrics/end-inl.h"
