// SPDX-License-Identifier: Apache-2.0
#include "metrics/preparation.h"

#include <algorithm>
#include <utility>

#include "metrics/all.h"
#include "metrics/selected_features.h"

namespace quadrance::internal {
namespace {

template <class Metric>
std::unique_ptr<const Preparation> make(const PreparationParameters& given) {
  if constexpr (requires { Metric::make_preparation(given); }) return Metric::make_preparation(given);
  if constexpr (requires { typename Metric::Preparation; })
    return std::make_unique<typename Metric::Preparation>(given);
  return nullptr;
}

constexpr std::unique_ptr<const Preparation> (*kMakers[])(const PreparationParameters& given) = {
#define METRIC(name, Struct, kernels) make<plain::Struct>,
#include "metrics/list.inc"
};

/// A feature of weight 0 is not left out of the rows.
template <class Metric>
constexpr bool keeps_zero_weights() {
  return requires { Metric::keeps_zero_weights; };
}
constexpr bool kKeepsZeroWeights[] = {
#define METRIC(name, Struct, kernels) keeps_zero_weights<plain::Struct>(),
#include "metrics/list.inc"
};

}  // namespace

std::unique_ptr<const Preparation> make_preparation(std::size_t metric, PreparationParameters given) {
  std::vector<double>& w = given.parameters.w;
  given.weighted = !w.empty();
  if (kKeepsZeroWeights[metric] || std::find(w.begin(), w.end(), 0.0) == w.end())
    return kMakers[metric](given);
  const std::vector<double> all = w;
  w.erase(std::remove(w.begin(), w.end(), 0.0), w.end());
  given.d = static_cast<std::int64_t>(w.size());
  return std::make_unique<SelectedFeatures>(all, kMakers[metric](given));
}

}  // namespace quadrance::internal
