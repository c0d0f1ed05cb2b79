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

bool takes(const MetricInfo& metric, std::string_view name) {
  std::string_view rest = metric.parameters;
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, space) == name) return true;
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return false;
}

/// The smallest weight above 0, and the largest.
std::pair<double, double> require_comparable(std::span<const double> w, std::string_view name) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double weight : w) {
    largest = std::max(largest, weight);
    if (weight > 0) smallest = std::min(smallest, weight);
  }
  if (smallest < largest / kMostRatio) throw messages::weights_too_far_apart(name, smallest, largest);
  return {smallest, largest};
}

template <class Bad>
void check_values(const MetricInfo& metric, std::string_view name, const std::vector<double>& values,
                  std::int64_t count, const Bad& throw_if_bad) {
  if (values.empty()) return;
  if (!takes(metric, name)) throw messages::unknown_parameter(metric.name(), name, metric.parameters);
  if (static_cast<std::int64_t>(values.size()) != count)
    throw messages::parameter_length(name, values.size(), count);
  for (std::size_t f = 0; f < values.size(); ++f) throw_if_bad(f, values[f]);
}

}  // namespace

FeatureWeights scale_weights(std::span<const double> w, int weight_halves, std::string_view name) {
  const auto [smallest, largest] = require_comparable(w, name);
  FeatureWeights scaled;
  scaled.values.assign(w.begin(), w.end());
  if (largest == 0) return scaled;
  int exponent = 0;
  std::frexp(largest, &exponent);
  const int quarters = static_cast<int>(std::ceil(exponent / 2.0));
  for (double& weight : scaled.values) weight = std::ldexp(weight, -2 * quarters);
  scaled.smallest = std::ldexp(smallest, -2 * quarters);
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

bool takes_covariance(const MetricInfo& metric) { return takes(metric, "VI"); }

bool needs_data(const MetricInfo& metric, const MetricParameters& parameters) {
  return takes(metric, "V") && parameters.V.empty() && parameters.VI.empty();
}

void check_parameters(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  check_values(metric, "w", parameters.w, d, [](std::size_t f, double value) {
    if (!(value >= 0) || std::isinf(value)) throw messages::bad_weight(f, value);
  });
  require_comparable(parameters.w, "w");
  if (takes_covariance(metric)) {
    const auto check = [&](std::string_view name, const std::vector<double>& matrix) {
      check_values(metric, name, matrix, d * d, [&](std::size_t k, double value) {
        if (!std::isfinite(value)) throw messages::bad_covariance(name, k, d, value);
      });
    };
    check("V", parameters.V);
    check("VI", parameters.VI);
    if (!parameters.V.empty() && !parameters.VI.empty()) throw messages::two_covariances();
    return;
  }
  check_values(metric, "VI", parameters.VI, d, [](std::size_t, double) {});
  check_values(metric, "V", parameters.V, d, [](std::size_t f, double value) {
    if (!(value >= std::numeric_limits<double>::min()) || std::isinf(value))
      throw messages::bad_variance(f, value);
  });
}

}  // namespace quadrance::internal
