// SPDX-License-Identifier: Apache-2.0
#include "metrics/boolean-inl.h"

#include "metrics/begin-inl.h"

struct RussellRao : BooleanMetric<RussellRao> {
  static constexpr MetricInfo info{
      .names = "russellrao",
      .formula = "(d - a) / d; a features true in both rows, b in x only, c in y only",
      .source = "scipy.spatial.distance.russellrao",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = false,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = kAccuracy,
      .edges =
          "two rows without a true feature -> 1, their number of common ones being 0; d = 0 -> 0; NaN in a "
          "row -> NaN; Inf is true; w counts a feature as so many, Inf in one of weight 0 -> NaN",
      .parameters = "w packed",
      .domain = kDomain,
      .form = "bits",
      .in_float64 = true,
  };
  static constexpr BooleanTerms over{1, 0, 1, 0};
  static constexpr BooleanTerms under{1, 1, 1, 0};
};

#include "metrics/end-inl.h"
