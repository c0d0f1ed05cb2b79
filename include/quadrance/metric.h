// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
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
  /// Never below zero, and never NaN for finite rows (of distributions: but for a zero row, which is none).
  bool nonnegative;
  /// Equal finite rows give exactly 0.
  bool zero_self;
  /// d(x, z) <= d(x, y) + d(y, z), up to rounding.
  bool triangle;
  /// d(s x, s y) == s^degree d(x, y), for any s > 0 and the same parameters; or kNotHomogeneous.
  int degree;
  static constexpr int kNotHomogeneous = -1;
  /// A term grows with the difference of two features to this power: 2 for squares. Tells whether float32
  /// holds the terms of small integers exactly; kNeverExact if they are no integers.
  int growth;
  static constexpr int kNeverExact = 0;
  std::string_view accuracy;
  std::string_view edges;
  /// Names of the parameters it takes, separated by spaces (MetricParameters).
  std::string_view parameters = {};
  /// What the features may be.
  std::string_view domain = "any numbers";
  /// How many features a point has; 0: any number.
  int features = 0;
  /// What its step takes of two features: "direct" differences, their "product", or "bits" in common.
  std::string_view form = "direct";
  /// Computed in float64 for float32 points too; only the result is rounded.
  bool in_float64 = false;
  /// NaN is a feature that is missing, instead of one that makes every distance NaN.
  bool nan_is_missing = false;
  /// A similarity: the larger the nearer. similarities() takes these, distances() all others.
  bool similarity = false;

  /// The name: what SciPy calls it.
  constexpr std::string_view name() const noexcept { return names.substr(0, names.find(' ')); }
  /// The other names it answers to.
  std::vector<std::string_view> aliases() const;
  /// name: in lower case.
  constexpr bool answers_to(std::string_view name) const noexcept { return has_word(names, name); }
  constexpr bool takes(std::string_view parameter) const noexcept { return has_word(parameters, parameter); }

 private:
  static constexpr bool has_word(std::string_view words, std::string_view word) noexcept {
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      if (words.substr(0, end) == word) return true;
      words.remove_prefix(std::min(end + 1, words.size()));
    }
    return false;
  }
};

/// Numbers that some metrics take beside the points. Left empty: not given.
struct MetricParameters {
  /// Weights [d] of the features, as SciPy has them: inside the sum, outside of squares and roots. Not
  /// negative, finite, and those above 0 at most 2^90 (1.2e27) times the smallest. A feature of weight 0 adds
  /// 0, but NaN or Inf in it gives NaN, as in SciPy; all 0: every distance is 0.
  std::vector<double> w;
  /// Variances [d] for seuclidean, above 0 and finite. Left out: those of the points (n - 1), if there is one
  /// set of them or y holds the same numbers as x; of two sets only with from_both.
  std::vector<double> V;
  /// For mahalanobis V is the covariance [d, d] of the features, and VI its inverse; one of them, symmetric.
  /// Left out: the covariance of the points (n - 1), as for seuclidean.
  std::vector<double> VI;
  /// Parameters that are left out come from both sets together, as SciPy's cdist has it.
  bool from_both = false;
  /// The power of minkowski: above 0, or Inf for the largest difference. Left out: 2. Below 1 it is no
  /// metric.
  std::optional<double> p = {};
  /// For periodic_euclidean the lengths [d] of the box after which a feature repeats: above 0; Inf for a
  /// feature that does not.
  std::vector<double> box = {};
  /// For haversine: latitude and longitude are in degrees instead of radians. Left out: false.
  std::optional<bool> degrees = {};
  /// For haversine the radius of the sphere: above 0 and finite. Left out: 1, distances are angles in
  /// radians.
  std::optional<double> radius = {};
  /// For rbf, laplacian and polynomial: not negative, finite. Left out: 1 / d.
  std::optional<double> gamma = {};
  /// For polynomial: what is added before the power is taken, finite. Left out: 1.
  std::optional<double> coef0 = {};
  /// For polynomial the power, 1 to 255. Left out: 3.
  std::optional<std::int64_t> degree = {};
  /// For jensenshannon the base of the logarithm: above 1 and finite. Left out: e.
  std::optional<double> base = {};
  /// For gower the range [d] of each feature: above 0 and finite; of a categorical one any number. Left out:
  /// those of the points, as for seuclidean.
  std::vector<double> ranges = {};
  /// For gower which features are categories, from 0 on. Left out: none.
  std::vector<std::int64_t> categorical = {};
  /// For hamming and the boolean metrics: the points are integers whose bits are the features, as
  /// numpy.packbits packs them; so many features, or 0 for as many as there are bits. Bits beyond are to be
  /// 0; their order does not matter. Without w. Left out: each element is a feature.
  std::optional<std::int64_t> packed = {};
};

/// visit(name, member) for every parameter of the struct, const or not.
template <class Parameters, class Visit>
void for_each_parameter(Parameters& parameters, const Visit& visit) {
  visit("w", parameters.w);
  visit("V", parameters.V);
  visit("VI", parameters.VI);
  visit("p", parameters.p);
  visit("box", parameters.box);
  visit("degrees", parameters.degrees);
  visit("radius", parameters.radius);
  visit("gamma", parameters.gamma);
  visit("coef0", parameters.coef0);
  visit("degree", parameters.degree);
  visit("base", parameters.base);
  visit("ranges", parameters.ranges);
  visit("categorical", parameters.categorical);
  visit("packed", parameters.packed);
}

/// Every metric, in the order of src/metrics/list.inc.
std::span<const MetricInfo> metrics() noexcept;

/// The metric with this name or alias (case does not matter).
/// Errors: kMetric, naming the nearest known name, or all.
const MetricInfo& find_metric(std::string_view name);

/// The same among those whose MetricInfo::similarity is set.
/// Errors: kMetric, naming all similarities, also for a metric that is none.
const MetricInfo& find_similarity(std::string_view name);

}  // namespace quadrance
