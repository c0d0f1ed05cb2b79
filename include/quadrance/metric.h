// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quadrance {

/// What a metric says of itself. Written once, in the metric's header under src/metrics/; the tests enforce
/// it.
struct MetricInfo {
  /// SciPy's name first, then the aliases, separated by spaces.
  std::string_view names;
  std::string_view formula;
  std::string_view source;
  /// d(x, y) == d(y, x), bit for bit.
  bool symmetric;
  /// Never below zero, and never NaN for finite rows.
  bool nonnegative;
  /// Equal finite rows give exactly 0.
  bool zero_self;
  /// d(s x, s y) == s^degree d(x, y).
  int degree;
  /// A term grows with the difference of two features to this power: 2 for squares. Tells whether float32
  /// holds the terms of small integers exactly; kNeverExact if they are no integers.
  int growth;
  static constexpr int kNeverExact = 0;
  std::string_view accuracy;
  std::string_view edges;

  /// The name: what SciPy calls it.
  constexpr std::string_view name() const noexcept { return names.substr(0, names.find(' ')); }
  /// The other names it answers to.
  std::vector<std::string_view> aliases() const;
};

/// Every metric, in the order of src/metrics/list.inc.
std::span<const MetricInfo> metrics() noexcept;

/// The metric with this name or alias (case does not matter).
/// Errors: kMetric, naming the nearest known name.
const MetricInfo& find_metric(std::string_view name);

}  // namespace quadrance
