// SPDX-License-Identifier: Apache-2.0
#include "metrics/all.h"
#include "quadrance/metric.h"

namespace quadrance {

std::vector<std::string_view> MetricInfo::aliases() const {
  std::vector<std::string_view> out;
  std::string_view rest = names;
  for (std::size_t space; (space = rest.find(' ')) != std::string_view::npos;) {
    rest.remove_prefix(space + 1);
    out.push_back(rest.substr(0, rest.find(' ')));
  }
  return out;
}

std::span<const MetricInfo> metrics() noexcept {
  static constexpr MetricInfo kMetrics[] = {
#define METRIC(name, Struct, kernels) internal::plain::Struct::info,
#include "metrics/list.inc"
  };
  return kMetrics;
}

}  // namespace quadrance
