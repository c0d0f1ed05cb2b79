// SPDX-License-Identifier: Apache-2.0
// Weights of features, as the kernels take them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace quadrance::internal {

/// Weights scaled by a power of 4 so that the largest is in (1/4, 1]: sums with them overflow no earlier than
/// without.
struct FeatureWeights {
  std::vector<double> values;
  int exponent = 0;         ///< these times 2 to this power are those given
  int result_exponent = 0;  ///< distances are multiplied by 2 to this power
  double smallest = 1;      ///< above 0
};

/// w: not negative, finite. `name` is what errors call them.
/// Errors: kMetric: the largest is more than 2^90 times the smallest above 0
FeatureWeights scale_weights(std::span<const double> w, int weight_halves, std::string_view name);

/// The weighted kernel with the limits that these weights move.
Kernel<double> with_weights(Kernel<double> kernel, const FeatureWeights& weights);

/// Refuses weights of which the largest is more than 2^90 times the smallest above 0.
void require_comparable(std::span<const double> w, std::string_view name);

}  // namespace quadrance::internal
