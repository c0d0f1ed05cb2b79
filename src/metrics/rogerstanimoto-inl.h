// SPDX-License-Identifier: Apache-2.0
#include "metrics/boolean-inl.h"

#include "metrics/begin-inl.h"

struct RogersTanimoto : BooleanMetric<RogersTanimoto> {
  static constexpr MetricInfo info{
      .names = "rogerstanimoto sokalmichener",
      .formula = "2 (b + c) / (d + b + c); a features true in both rows, b in x only, c in y only",
      .source = "scipy.spatial.distance.rogerstanimoto",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = kAccuracy,
      .edges =
          "d = 0 -> 0; NaN in a row -> NaN; Inf is true; w counts a feature as so many, Inf in one of weight "
          "0 -> NaN",
      .parameters = "w packed",
      .domain = kDomain,
      .form = "bits",
      .in_float64 = true,
  };
  static constexpr BooleanTerms over{2, 0, 0, 0};
  static constexpr BooleanTerms under{2, 1, 1, 0};
};

#include "metrics/end-inl.h"
