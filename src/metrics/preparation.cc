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
  if constexpr (requires { typename Metric::Preparation; })
    return std::make_unique<typename Metric::Preparation>(given);
  return nullptr;
}

constexpr std::unique_ptr<const Preparation> (*kMakers[])(const PreparationParameters& given) = {
#define METRIC(name, Struct, kernels) make<plain::Struct>,
#include "metrics/list.inc"
};

}  // namespace

std::unique_ptr<const Preparation> make_preparation(std::size_t metric, PreparationParameters given) {
  std::vector<double>& w = given.parameters.w;
  if (std::find(w.begin(), w.end(), 0.0) == w.end()) return kMakers[metric](given);
  const std::vector<double> all = w;
  w.erase(std::remove(w.begin(), w.end(), 0.0), w.end());
  given.d = static_cast<std::int64_t>(w.size());
  return std::make_unique<SelectedFeatures>(all, kMakers[metric](given));
}

}  // namespace quadrance::internal
