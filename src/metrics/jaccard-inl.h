// SPDX-License-Identifier: Apache-2.0
#include "metrics/boolean-inl.h"

#include "metrics/begin-inl.h"

struct Jaccard : BooleanMetric<Jaccard> {
  static constexpr MetricInfo info{
      .names = "jaccard j ja jacc tanimoto",
      .formula = "(b + c) / (a + b + c); a features true in both rows, b in x only, c in y only",
      .source = "scipy.spatial.distance.jaccard",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = kAccuracy,
      .edges =
          "0/0 -> 0, as of two rows without a true feature; d = 0 -> 0; NaN in a row -> NaN; Inf is true; w "
          "counts a feature as so many, Inf in one of weight 0 -> NaN",
      .parameters = "w packed",
      .domain = kDomain,
      .form = "bits",
      .in_float64 = true,
  };
  static constexpr BooleanTerms over{1, 0, 0, 0};
  static constexpr BooleanTerms under{1, 1, 0, 0};
};

#include "metrics/end-inl.h"
