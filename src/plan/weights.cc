// SPDX-License-Identifier: Apache-2.0
#include "plan/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "messages.h"

namespace quadrance::internal {
namespace {

// Squares that are redone, of differences scaled up by 2^700, are 2^-748 or more: with a weight of 2^-90 they
// are far from the smallest number, 2^-1074.
constexpr double kMostRatio = 0x1p90;

/// The smallest weight above 0, and the largest.
std::pair<double, double> range_of(std::span<const double> w, std::string_view name) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double weight : w) {
    largest = std::max(largest, weight);
    if (weight > 0) smallest = std::min(smallest, weight);
  }
  if (smallest < largest / kMostRatio) throw messages::weights_too_far_apart(name, smallest, largest);
  return {smallest, largest};
}

}  // namespace

void require_comparable(std::span<const double> w, std::string_view name) { range_of(w, name); }

FeatureWeights scale_weights(std::span<const double> w, int weight_halves, std::string_view name) {
  const auto [smallest, largest] = range_of(w, name);
  FeatureWeights scaled;
  scaled.values.assign(w.begin(), w.end());
  if (largest == 0) return scaled;
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int quarters = static_cast<int>(std::ceil(exponent / 2.0));
  for (double& weight : scaled.values) weight = std::ldexp(weight, -2 * quarters);
  scaled.smallest = std::ldexp(smallest, -2 * quarters);
  scaled.exponent = 2 * quarters;
  scaled.result_exponent = quarters * weight_halves;
  return scaled;
}

Kernel<double> with_weights(Kernel<double> kernel, const FeatureWeights& weights) {
  // A difference counts sqrt(w) times: it must be that much larger for its term to keep its digits.
  kernel.row_limits.coarse /= std::sqrt(weights.smallest);
  kernel.lowest = std::ldexp(kernel.lowest, weights.result_exponent);
  if (kernel.highest >= 0)
    kernel.highest =
        std::min(std::ldexp(kernel.highest, weights.result_exponent), std::numeric_limits<double>::max());
  return kernel;
}

}  // namespace quadrance::internal
