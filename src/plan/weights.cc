// SPDX-License-Identifier: Apache-2.0
#include "plan/weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "messages.h"

namespace quadrance::internal {
namespace {

/// The smallest weight above 0, and the largest.
std::pair<double, double> range_of(std::span<const double> w) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double weight : w) {
    largest = std::max(largest, weight);
    if (weight > 0) smallest = std::min(smallest, weight);
  }
  return {smallest, largest};
}

/// value is in [1/2, 1) times 2 to this.
int exponent_of(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

}  // namespace

void require_comparable(std::span<const double> w, std::string_view name, int exponent) {
  const auto [smallest, largest] = range_of(w);
  if (!(smallest < std::ldexp(largest, -exponent))) return;
  const auto place = [w](double value) { return std::find(w.begin(), w.end(), value) - w.begin(); };
  throw messages::weights_too_far_apart(name, {place(smallest), smallest}, {place(largest), largest},
                                        exponent);
}

FeatureWeights scale_weights(std::span<const double> w, const KernelSet& kernels) {
  const auto [smallest, largest] = range_of(w);
  FeatureWeights scaled;
  scaled.values.assign(w.begin(), w.end());
  if (largest == 0) return scaled;
  const int quarters = kernels.sums_differences
                           ? static_cast<int>(std::floor((exponent_of(smallest) - 54) / 2.0))
                           : static_cast<int>(std::ceil(exponent_of(largest) / 2.0));
  for (double& weight : scaled.values) weight = std::ldexp(weight, -2 * quarters);
  scaled.smallest = std::ldexp(smallest, -2 * quarters);
  scaled.exponent = 2 * quarters;
  scaled.result_exponent = quarters * kernels.weight_halves;
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
