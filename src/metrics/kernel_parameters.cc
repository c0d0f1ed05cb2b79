// SPDX-License-Identifier: Apache-2.0
#include "metrics/kernel_parameters.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "metrics/all.h"

namespace quadrance::internal {
namespace {

template <class Metric>
std::string_view kernels(const MetricParameters& given) {
  if constexpr (requires { Metric::kernels(given); }) return Metric::kernels(given);
  return Metric::info.name();
}

template <class Metric>
bool computed_in_float64(const MetricParameters& given) {
  if constexpr (requires { Metric::in_float64(given); }) return Metric::in_float64(given);
  return Metric::info.in_float64;
}

template <class Metric>
std::vector<double> parameters(const ParametersGiven& given) {
  if constexpr (requires { Metric::kernel_parameters(given); }) return Metric::kernel_parameters(given);
  return {};
}

template <class Metric>
std::vector<double> of_features(const ParametersGiven& given) {
  if constexpr (requires { Metric::feature_parameters(given); }) return Metric::feature_parameters(given);
  return {};
}

struct Functions {
  std::string_view (*kernels)(const MetricParameters&);
  bool (*in_float64)(const MetricParameters&);
  std::vector<double> (*parameters)(const ParametersGiven&);
  std::vector<double> (*of_features)(const ParametersGiven&);
};
constexpr Functions kFunctions[] = {
#define METRIC(name, Struct, kernel)                                                      \
  {kernels<plain::Struct>, computed_in_float64<plain::Struct>, parameters<plain::Struct>, \
   of_features<plain::Struct>},
#include "metrics/list.inc"
};

constexpr Combine kCombines[] = {
#define METRIC(name, Struct, kernel) plain::Struct::combine,
#define KERNELS(name, Struct) plain::Struct::combine,
#include "metrics/list.inc"
};

constexpr std::string_view kNames[] = {
#define METRIC(name, Struct, kernel) #name,
#define KERNELS(name, Struct) #name,
#include "metrics/list.inc"
};

}  // namespace

std::vector<double> scaled(std::vector<double> weights) {
  int exponent = 0;
  if (!weights.empty()) std::frexp(*std::max_element(weights.begin(), weights.end()), &exponent);
  for (double& weight : weights) weight = std::ldexp(weight, -exponent);
  return weights;
}

std::vector<double> scaled_weights(const ParametersGiven& given) {
  std::vector<double> weights = given.parameters.w;
  std::erase(weights, 0.0);
  return scaled(std::move(weights));
}

std::size_t kernels_of(std::size_t metric, const MetricParameters& given) {
  const std::string_view name = kFunctions[metric].kernels(given);
  return static_cast<std::size_t>(std::find(std::begin(kNames), std::end(kNames), name) - std::begin(kNames));
}

bool weights_only_choose(std::size_t kernels) { return kCombines[kernels] == Combine::kMaximum; }

bool counts_bits(std::size_t kernels) { return kCombines[kernels] == Combine::kCount; }

std::string_view name_of_kernels(std::size_t kernels) { return kNames[kernels]; }

bool in_float64(std::size_t metric, const MetricParameters& given) {
  return kFunctions[metric].in_float64(given);
}

std::vector<double> kernel_parameters(std::size_t metric, const ParametersGiven& given) {
  std::vector<double> parameters = kFunctions[metric].parameters(given);
  parameters.resize(kMostParameters);
  return parameters;
}

std::vector<double> feature_parameters(std::size_t metric, const ParametersGiven& given) {
  return kFunctions[metric].of_features(given);
}

}  // namespace quadrance::internal
