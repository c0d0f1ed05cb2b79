// SPDX-License-Identifier: Apache-2.0
// The parameters of metrics, as callers give them.
#pragma once

#include <cstdint>

#include "quadrance/metric.h"

namespace quadrance::internal {

/// Whether V is a matrix [d, d] for this metric, or a number for each feature.
bool takes_covariance(const MetricInfo& metric);
/// Whether parameters are left out that have to be taken from the data, of d features.
bool needs_data(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d);

/// Refuses parameters that the metric does not take or that it needs and lacks, and those whose length or
/// values are wrong for d features.
void check_parameters(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d);

}  // namespace quadrance::internal
