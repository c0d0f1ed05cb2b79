// SPDX-License-Identifier: Apache-2.0
#include "metrics/preparation.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "metrics/all.h"
#include "metrics/selected_features.h"

namespace quadrance::internal {
namespace {

template <class Metric>
std::unique_ptr<const Preparation> make(std::int64_t d, std::span<const double> w) {
  if constexpr (requires { typename Metric::Preparation; })
    return std::make_unique<typename Metric::Preparation>(d, w);
  return nullptr;
}

constexpr std::unique_ptr<const Preparation> (*kMakers[])(std::int64_t d, std::span<const double> w) = {
#define METRIC(name, Struct, kernels) make<plain::Struct>,
#include "metrics/list.inc"
#undef METRIC
};

}  // namespace

std::unique_ptr<const Preparation> make_preparation(std::size_t metric, std::int64_t d,
                                                    std::span<const double> w) {
  if (std::find(w.begin(), w.end(), 0.0) == w.end()) return kMakers[metric](d, w);
  std::vector<double> above_zero;
  std::copy_if(w.begin(), w.end(), std::back_inserter(above_zero), [](double weight) { return weight > 0; });
  return std::make_unique<SelectedFeatures>(
      w, kMakers[metric](static_cast<std::int64_t>(above_zero.size()), above_zero));
}

}  // namespace quadrance::internal
