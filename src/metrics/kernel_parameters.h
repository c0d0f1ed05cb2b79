// SPDX-License-Identifier: Apache-2.0
// What a metric's parameters become on the way to its kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "quadrance/metric.h"

namespace quadrance::internal {

/// What kernel parameters are made from, checked.
struct ParametersGiven {
  const MetricParameters& parameters;
  std::int64_t d;
  int weight_exponent;                       ///< the kernels' weights times 2 to this power are those given
  std::span<const long double> ranges = {};  ///< [d], of the data, in place of those left out
};

/// gamma, or 1 / d where it is left out.
inline double gamma_of(const ParametersGiven& given) {
  return given.parameters.gamma.value_or(given.d > 0 ? 1 / static_cast<double>(given.d) : 1);
}

/// The largest in [1/2, 1): sums of them do not overflow.
std::vector<double> scaled(std::vector<double> weights);
/// The weights above 0, scaled.
std::vector<double> scaled_weights(const ParametersGiven& given);

/// Whether float32 may have no digits for sums of about 1 / value, or none for value itself.
inline bool needs_float64(double value) {
  const double size = value < 0 ? -value : value;
  return size != 0 && !(size >= 0x1p-60 && size <= 0x1p60);
}

/// A place in the tables of kernels: first those of metrics() in their order, then the others of list.inc.
std::size_t kernels_of(std::size_t metric, const MetricParameters& given);

std::string_view name_of_kernels(std::size_t kernels);

/// Whether a weight above 0 counts the same whatever it is.
bool weights_only_choose(std::size_t kernels);

/// Whether they count bits of words.
bool counts_bits(std::size_t kernels);

/// Whether rows of float32 are computed in float64.
bool in_float64(std::size_t metric, const MetricParameters& given);

/// o.parameter(0), o.parameter(1), ..., kMostParameters of them.
std::vector<double> kernel_parameters(std::size_t metric, const ParametersGiven& given);

/// Numbers for each feature: o.feature_parameter(0) of all d, then o.feature_parameter(1) of all.
std::vector<double> feature_parameters(std::size_t metric, const ParametersGiven& given);

}  // namespace quadrance::internal
