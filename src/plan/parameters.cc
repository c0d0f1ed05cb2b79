// SPDX-License-Identifier: Apache-2.0
#include "plan/parameters.h"

#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <vector>

#include "messages.h"
#include "metrics/kernel_parameters.h"
#include "plan/weights.h"

namespace quadrance::internal {
namespace {

void require_taken(const MetricInfo& metric, std::string_view name) {
  if (!metric.takes(name)) throw messages::unknown_parameter(metric.name(), name, metric.parameters);
}

/// `is_right` tells of one number whether it is; `rule` says in words what it must be.
template <class IsRight>
void check_number(const MetricInfo& metric, std::string_view name, const std::optional<double>& value,
                  const IsRight& is_right, std::string_view rule) {
  if (!value) return;
  require_taken(metric, name);
  if (!is_right(*value)) throw messages::bad_parameter(name, *value, rule);
}

template <class IsRight>
void check_features(const MetricInfo& metric, std::string_view name, const std::vector<double>& values,
                    std::int64_t d, const IsRight& is_right, std::string_view rule) {
  if (values.empty()) return;
  require_taken(metric, name);
  if (static_cast<std::int64_t>(values.size()) != d) throw messages::parameter_length(name, values.size(), d);
  for (std::size_t f = 0; f < values.size(); ++f) {
    if (!is_right(values[f]))
      throw messages::bad_parameter(messages::text(name, '[', f, ']'), values[f], rule);
  }
}

void check_matrix(const MetricInfo& metric, std::string_view name, const std::vector<double>& values,
                  std::int64_t d) {
  if (values.empty()) return;
  require_taken(metric, name);
  if (static_cast<std::int64_t>(values.size()) != d * d)
    throw messages::parameter_length(name, values.size(), d * d);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto at = static_cast<std::int64_t>(k);
    if (!std::isfinite(values[k])) {
      throw messages::bad_parameter(messages::text(name, '[', at / d, ", ", at % d, ']'), values[k],
                                    "it must be finite");
    }
  }
}

bool is_positive_normal(double value) {
  return value >= std::numeric_limits<double>::min() && !std::isinf(value);
}
bool is_not_negative(double value) { return value >= 0 && !std::isinf(value); }

void check_covariances(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  check_matrix(metric, "V", parameters.V, d);
  check_matrix(metric, "VI", parameters.VI, d);
  if (!parameters.V.empty() && !parameters.VI.empty()) throw messages::two_covariances();
}

void check_variances(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  if (!parameters.VI.empty()) require_taken(metric, "VI");
  check_features(
      metric, "V", parameters.V, d, is_positive_normal,
      "variances must be finite, above 0 and not subnormal: drop a constant feature, or give it 1");
  require_comparable(parameters.V, "V", kComparableVariances);
}

void check_box(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  if (metric.takes("box") && parameters.box.empty() && d > 0) throw messages::box_needed(metric.name(), d);
  check_features(
      metric, "box", parameters.box, d,
      [](double length) {
        return is_positive_normal(length) || length == std::numeric_limits<double>::infinity();
      },
      "lengths must be above 0 and not subnormal, Inf for a feature that does not repeat");
}

void check_categories(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  const std::vector<std::int64_t>& categorical = parameters.categorical;
  if (categorical.empty()) return;
  require_taken(metric, "categorical");
  for (std::size_t k = 0; k < categorical.size(); ++k) {
    if (categorical[k] < 0 || categorical[k] >= d)
      throw messages::no_such_feature(messages::text("categorical[", k, ']'), categorical[k], d);
  }
}

void check_ranges(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  MetricParameters numbers = parameters;
  if (static_cast<std::int64_t>(numbers.ranges.size()) == d) {
    for (const std::int64_t f : parameters.categorical) numbers.ranges[static_cast<std::size_t>(f)] = 1;
  }
  check_features(
      metric, "ranges", numbers.ranges, d, [](double range) { return range > 0 && !std::isinf(range); },
      "ranges must be finite and above 0; leave out a constant feature, or give it 1");
}

/// Of d features.
bool all_categorical(const MetricParameters& parameters, std::int64_t d) {
  const std::set<std::int64_t> which(parameters.categorical.begin(), parameters.categorical.end());
  return static_cast<std::int64_t>(which.size()) == d;
}

}  // namespace

bool takes_covariance(const MetricInfo& metric) { return metric.takes("VI"); }

bool needs_data(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  if (metric.takes("ranges")) return parameters.ranges.empty() && !all_categorical(parameters, d);
  return metric.takes("V") && parameters.V.empty() && parameters.VI.empty();
}

void check_parameters(const MetricInfo& metric, const MetricParameters& parameters, std::int64_t d) {
  if (metric.features != 0 && d != metric.features)
    throw messages::features_needed(metric.name(), metric.features, metric.domain, d);
  check_features(metric, "w", parameters.w, d, is_not_negative, "weights must be finite and not negative");
  if (!weights_only_choose(kernels_of(static_cast<std::size_t>(&metric - metrics().data()), parameters)))
    require_comparable(parameters.w, "w", kComparableWeights);
  takes_covariance(metric) ? check_covariances(metric, parameters, d)
                           : check_variances(metric, parameters, d);
  check_box(metric, parameters, d);
  check_categories(metric, parameters, d);
  check_ranges(metric, parameters, d);
  check_number(
      metric, "p", parameters.p, [](double p) { return p > 0; },
      "it must be above 0, Inf for the largest difference");
  check_number(metric, "radius", parameters.radius, is_positive_normal,
               "it must be above 0, finite and not subnormal");
  check_number(metric, "gamma", parameters.gamma, is_not_negative, "it must be finite and not negative");
  check_number(
      metric, "coef0", parameters.coef0, [](double value) { return std::isfinite(value); },
      "it must be finite");
  check_number(
      metric, "base", parameters.base, [](double base) { return base > 1 && std::isfinite(base); },
      "it must be above 1 and finite");
  if (parameters.degree) {
    check_number(
        metric, "degree", static_cast<double>(*parameters.degree),
        [](double degree) { return degree >= 1 && degree <= 255; },
        "it must be a whole number from 1 to 255");
  }
  if (parameters.degrees) require_taken(metric, "degrees");
}

}  // namespace quadrance::internal
