// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "messages.h"
#include "quadrance/metric.h"

namespace quadrance {
namespace {

/// Of ASCII letters, whatever the locale.
std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// The least number of insertions, deletions and replacements that turn a into b (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

/// The first that begins so, or else the one with the fewest letters wrong; empty if that is more than a
/// third.
std::string_view nearest_name(std::string_view name) {
  const auto all = metrics();
  for (const MetricInfo& metric : all) {
    if (name.size() > 1 && metric.name().starts_with(name)) return metric.name();
  }
  const auto wrong_letters = [&](const MetricInfo& metric) { return edit_distance(name, metric.name()); };
  const auto nearest = std::min_element(
      all.begin(), all.end(),
      [&](const MetricInfo& a, const MetricInfo& b) { return wrong_letters(a) < wrong_letters(b); });
  return 3 * wrong_letters(*nearest) > nearest->name().size() ? std::string_view() : nearest->name();
}

std::string names_of(bool similarities) {
  std::vector<std::string_view> names;
  for (const MetricInfo& metric : metrics()) {
    if (metric.similarity == similarities) names.push_back(metric.name());
  }
  return internal::messages::list(names);
}

/// Null: there is none of this name.
const MetricInfo* find(const std::string& wanted) {
  for (const MetricInfo& metric : metrics()) {
    if (metric.answers_to(wanted)) return &metric;
  }
  return nullptr;
}

}  // namespace

const MetricInfo& find_metric(std::string_view name) {
  const std::string wanted = lower_case(name);
  if (const MetricInfo* metric = find(wanted)) return *metric;
  if (wanted == "wminkowski") throw internal::messages::wminkowski();
  if (wanted.starts_with("test_") && find(wanted.substr(5)) != nullptr)
    throw internal::messages::scipys_python_form(wanted);
  throw internal::messages::unknown_metric(name, nearest_name(wanted), names_of(false));
}

const MetricInfo& find_similarity(std::string_view name) {
  const MetricInfo* metric = find(lower_case(name));
  if (metric == nullptr) throw internal::messages::unknown_similarity(name, names_of(true));
  if (!metric->similarity) throw internal::messages::is_no_similarity(metric->name(), names_of(true));
  return *metric;
}

}  // namespace quadrance
