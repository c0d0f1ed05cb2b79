// SPDX-License-Identifier: Apache-2.0
#include "metrics/angular-inl.h"
#include "metrics/sphere_rows.h"

#include "metrics/begin-inl.h"

/// The angle between the points' directions: the haversine formula loses its digits near antipodes.
struct Haversine : Angular {
  static constexpr MetricInfo info{
      .names = "haversine",
      .formula = "2 r asin(sqrt(sin^2((x0 - y0) / 2) + cos(x0) cos(y0) sin^2((x1 - y1) / 2)))",
      .source = "sklearn.metrics.pairwise.haversine_distances",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = MetricInfo::kNotHomogeneous,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= 16 eps a + 6 eps r for a distance a, computed in float64 (r = 6,371 km: 9 nm)",
      .edges =
          "features are latitude, longitude; radians, or degrees = true; radius r, left out: 1; antipodes -> "
          "pi r; "
          "d != 2 -> error; NaN or Inf -> NaN",
      .parameters = "degrees radius",
      .domain = "latitude, longitude",
      .features = 2,
      .in_float64 = true,
  };
  using Preparation = SphereRows;
};

#include "metrics/end-inl.h"
