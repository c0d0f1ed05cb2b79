// SPDX-License-Identifier: Apache-2.0
// Weights of features, as the kernels take them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "quadrance/metric.h"

namespace quadrance::internal {

/// Weights scaled by a power of 4 so that the largest is in (1/4, 1]: sums with them overflow no earlier than
/// without.
struct FeatureWeights {
  std::vector<double> values;
  int result_exponent = 0;  ///< distances are multiplied by 2 to this power
  double smallest = 1;      ///< above 0
};

/// w: not negative, finite. `name` is what errors call them.
/// Errors: kMetric: the largest is more than 2^90 times the smallest above 0
FeatureWeights scale_weights(std::span<const double> w, int weight_halves, std::string_view name);

/// The weighted kernel with the limits that these weights move.
Kernel<double> with_weights(Kernel<double> kernel, const FeatureWeights& weights);

/// Whether V is a matrix [d, d] for this metric, or a number for each feature.
bool takes_covariance(const MetricInfo& metric);
/// Whether parameters are left out that have to be taken from the data.
bool needs_data(const MetricInfo& metric, const MetricParameters& parameters);

/// Refuses parameters that the metric does not take, or whose length or values are wrong for d features.
void check_parameters(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d);

}  // namespace quadrance::internal
