// SPDX-License-Identifier: Apache-2.0
// To add a metric: one function, one line of kOracles.
#include "support/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "support/elements.h"
#include "support/wide.h"

namespace quadrance::testing {
namespace {

using Point = std::span<const long double>;
/// Of the features, or nothing: all 1.
using Weights = std::span<const double>;

/// A feature of weight 0 adds nothing; oracle() sees to NaN and Inf in it.
Wide weighed(Weights w, std::size_t f, Wide term) {
  if (w.empty()) return term;
  return w[f] > 0 ? Wide{w[f], 0} * term : Wide{};
}

bool counts(Weights w, std::size_t f) { return w.empty() || w[f] > 0; }

Wide sum_of_squares(Point x, Point y, Weights w) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Wide difference = exact_sum(x[f], -y[f]);
    sum = sum + weighed(w, f, difference * difference);
  }
  return sum;
}

long double euclidean(Point x, Point y, const MetricParameters& parameters) {
  return sqrt(sum_of_squares(x, y, parameters.w)).rounded();
}

long double sqeuclidean(Point x, Point y, const MetricParameters& parameters) {
  return sum_of_squares(x, y, parameters.w).rounded();
}

/// A vector of parameters that the metric cannot do without.
void require_size(const std::vector<double>& given, std::size_t size) {
  if (given.size() != size)
    throw std::invalid_argument("[oracle] a parameter has the wrong number of elements");
}

long double seuclidean(Point x, Point y, const MetricParameters& parameters) {
  require_size(parameters.V, x.size());
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Wide difference = exact_sum(x[f], -y[f]);
    sum = sum + difference * difference / Wide{parameters.V[f], 0};
  }
  return sqrt(sum).rounded();
}

bool is_finite(Point x, Weights w) {
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (counts(w, f) && !std::isfinite(x[f])) return false;
  }
  return true;
}

long double mahalanobis_of_inverse(Point x, Point y, const std::vector<double>& VI) {
  const std::size_t d = x.size();
  require_size(VI, d * d);
  Wide sum;
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j)
      sum = sum + exact_sum(x[i], -y[i]) * Wide{VI[i * d + j], 0} * exact_sum(x[j], -y[j]);
  }
  return sqrt(sum).rounded();
}

/// Solves V z = x - y by elimination without pivots, which a covariance does not need; the square of the
/// distance is (x - y) . z.
long double mahalanobis(Point x, Point y, const MetricParameters& parameters) {
  if (!is_finite(x, {}) || !is_finite(y, {})) return NAN;  // of Inf in two features, one would be left over
  if (!parameters.VI.empty()) return mahalanobis_of_inverse(x, y, parameters.VI);
  const std::size_t d = x.size();
  require_size(parameters.V, d * d);
  std::vector<Wide> V(d * d);
  std::vector<Wide> z(d);
  std::vector<Wide> difference(d);
  for (std::size_t k = 0; k < V.size(); ++k) V[k] = {parameters.V[k], 0};
  for (std::size_t f = 0; f < d; ++f) z[f] = difference[f] = exact_sum(x[f], -y[f]);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t k = i + 1; k < d; ++k) {
      const Wide factor = V[k * d + i] / V[i * d + i];
      for (std::size_t j = i; j < d; ++j) V[k * d + j] = V[k * d + j] - factor * V[i * d + j];
      z[k] = z[k] - factor * z[i];
    }
  }
  Wide sum;
  for (std::size_t i = d; i-- > 0;) {
    for (std::size_t j = i + 1; j < d; ++j) z[i] = z[i] - V[i * d + j] * z[j];
    z[i] = z[i] / V[i * d + i];
    sum = sum + difference[i] * z[i];
  }
  return sqrt(sum).rounded();
}

long double cityblock(Point x, Point y, const MetricParameters& parameters) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f)
    sum = sum + weighed(parameters.w, f, abs(exact_sum(x[f], -y[f])));
  return sum.rounded();
}

long double chebyshev(Point x, Point y, const MetricParameters& parameters) {
  long double largest = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (!counts(parameters.w, f)) continue;
    const long double difference = abs(exact_sum(x[f], -y[f])).rounded();
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

Wide sum_of_absolute_differences(Point x, Point y) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) sum = sum + abs(exact_sum(x[f], -y[f]));
  return sum;
}

long double canberra(Point x, Point y, const MetricParameters& parameters) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (x[f] == 0 && y[f] == 0) continue;
    const Wide size = exact_sum(std::abs(x[f]), std::abs(y[f]));
    sum = sum + weighed(parameters.w, f, abs(exact_sum(x[f], -y[f])) / size);
  }
  return sum.rounded();
}

long double hamming(Point x, Point y, const MetricParameters& parameters) {
  Wide differing;
  Wide all;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (std::isnan(x[f]) || std::isnan(y[f])) return NAN;
    const Wide weight = weighed(parameters.w, f, Wide{1, 0});
    all = all + weight;
    if (x[f] != y[f]) differing = differing + weight;
  }
  return all.hi == 0 ? 0 : (differing / all).rounded();
}

/// How many features are true in both rows, in one only, in neither; or their weights.
struct Counts {
  Wide both, only_x, only_y, neither;
  Wide one() const { return only_x + only_y; }
  Wide all() const { return both + one() + neither; }
};

Wide twice(Wide a) { return a + a; }

/// over(counts) / under(counts) of rows that are true where they are not 0; 0 / 0 is 0.
template <class Over, class Under>
long double ratio_of_counts(Point x, Point y, Weights w, const Over& over, const Under& under) {
  Counts counts;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (std::isnan(x[f]) || std::isnan(y[f])) return NAN;
    Wide& count =
        x[f] != 0 ? (y[f] != 0 ? counts.both : counts.only_x) : (y[f] != 0 ? counts.only_y : counts.neither);
    count = count + weighed(w, f, Wide{1, 0});
  }
  const Wide above = over(counts);
  const Wide below = under(counts);
  return above.hi == 0 && below.hi == 0 ? 0 : (above / below).rounded();
}

long double jaccard(Point x, Point y, const MetricParameters& parameters) {
  return ratio_of_counts(
      x, y, parameters.w, [](const Counts& n) { return n.one(); },
      [](const Counts& n) { return n.both + n.one(); });
}

long double dice(Point x, Point y, const MetricParameters& parameters) {
  return ratio_of_counts(
      x, y, parameters.w, [](const Counts& n) { return n.one(); },
      [](const Counts& n) { return twice(n.both) + n.one(); });
}

long double rogerstanimoto(Point x, Point y, const MetricParameters& parameters) {
  return ratio_of_counts(
      x, y, parameters.w, [](const Counts& n) { return twice(n.one()); },
      [](const Counts& n) { return n.all() + n.one(); });
}

long double russellrao(Point x, Point y, const MetricParameters& parameters) {
  return ratio_of_counts(
      x, y, parameters.w, [](const Counts& n) { return n.one() + n.neither; },
      [](const Counts& n) { return n.all(); });
}

long double sokalsneath(Point x, Point y, const MetricParameters& parameters) {
  return ratio_of_counts(
      x, y, parameters.w, [](const Counts& n) { return twice(n.one()); },
      [](const Counts& n) { return n.both + twice(n.one()); });
}

long double yule(Point x, Point y, const MetricParameters& parameters) {
  return ratio_of_counts(
      x, y, parameters.w, [](const Counts& n) { return twice(n.only_x * n.only_y); },
      [](const Counts& n) { return n.both * n.neither + n.only_x * n.only_y; });
}

long double total_variation(Point x, Point y, const MetricParameters&) {
  return (sum_of_absolute_differences(x, y) / Wide{2, 0}).rounded();
}

long double chi_square(Point x, Point y, const MetricParameters&) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (x[f] == 0 && y[f] == 0) continue;
    const Wide difference = exact_sum(x[f], -y[f]);
    sum = sum + difference * difference / exact_sum(std::abs(x[f]), std::abs(y[f]));
  }
  return (sum / Wide{2, 0}).rounded();
}

/// Rows scaled to sum 1; nothing if the row is no distribution.
std::vector<Wide> probabilities(Point x) {
  std::vector<Wide> out;
  Wide sum;
  for (const long double value : x) {
    if (!(value >= 0) || std::isinf(value)) return {};
    sum = sum + Wide{value, 0};
  }
  if (sum.hi == 0) return {};
  for (const long double value : x) out.push_back(Wide{value, 0} / sum);
  return out;
}

bool is_zero(Point x) {
  return std::all_of(x.begin(), x.end(), [](long double value) { return value == 0; });
}

/// of(p, q) of two distributions; two zero rows are 0 apart.
template <class Of>
long double of_distributions(Point x, Point y, const Of& of) {
  if (is_zero(x) && is_zero(y)) return 0;
  const std::vector<Wide> p = probabilities(x);
  const std::vector<Wide> q = probabilities(y);
  if (p.empty() || q.empty()) return NAN;
  return of(p, q);
}

long double hellinger(Point x, Point y, const MetricParameters&) {
  return of_distributions(x, y, [](const std::vector<Wide>& p, const std::vector<Wide>& q) {
    Wide sum;
    for (std::size_t f = 0; f < p.size(); ++f) {
      const Wide difference = sqrt(p[f]) - sqrt(q[f]);
      sum = sum + difference * difference;
    }
    return sqrt(sum / Wide{2, 0}).rounded();
  });
}

long double bhattacharyya(Point x, Point y, const MetricParameters&) {
  return of_distributions(x, y, [](const std::vector<Wide>& p, const std::vector<Wide>& q) {
    Wide in_common;
    for (std::size_t f = 0; f < p.size(); ++f) in_common = in_common + sqrt(p[f]) * sqrt(q[f]);
    if (in_common.hi == 0) return static_cast<long double>(INFINITY);
    const long double distance = (Wide{} - log(in_common)).rounded();
    return distance < 0x1p-110L ? 0 : distance;  // of equal rows
  });
}

/// p ln(p / m); 0 ln(0) is 0.
Wide relative_entropy(Wide p, Wide m) { return p.hi == 0 ? Wide{} : p * log(p / m); }

long double jensenshannon(Point x, Point y, const MetricParameters& parameters) {
  const long double base = parameters.base.value_or(0);
  return of_distributions(x, y, [base](const std::vector<Wide>& p, const std::vector<Wide>& q) {
    Wide sum;
    for (std::size_t f = 0; f < p.size(); ++f) {
      const Wide mean = (p[f] + q[f]) / Wide{2, 0};
      if (p[f].hi == q[f].hi && p[f].lo == q[f].lo) continue;
      sum = sum + relative_entropy(p[f], mean) + relative_entropy(q[f], mean);
    }
    const Wide half = sum / Wide{2, 0};
    if (half.hi <= 0) return 0.0L;
    return sqrt(base == 0 ? half : half / log(Wide{base, 0})).rounded();
  });
}

/// Of the smallest probability that counts, see the metric's edges.
constexpr long double kLeastProbability = 0x1p-1400L;

long double kl(Point x, Point y, const MetricParameters&) {
  return of_distributions(x, y, [](const std::vector<Wide>& p, const std::vector<Wide>& q) {
    Wide sum;
    for (std::size_t f = 0; f < p.size(); ++f) {
      if (p[f].hi == q[f].hi && p[f].lo == q[f].lo) continue;
      if (q[f].hi < kLeastProbability && p[f].hi >= kLeastProbability)
        return static_cast<long double>(INFINITY);
      if (p[f].hi >= kLeastProbability) sum = sum + relative_entropy(p[f], q[f]);
    }
    return std::max(0.0L, sum.rounded());
  });
}

long double braycurtis(Point x, Point y, const MetricParameters& parameters) {
  Wide differences;
  Wide sums;
  for (std::size_t f = 0; f < x.size(); ++f) {
    differences = differences + weighed(parameters.w, f, abs(exact_sum(x[f], -y[f])));
    sums = sums + weighed(parameters.w, f, abs(exact_sum(x[f], y[f])));
  }
  return differences.hi == 0 && sums.hi == 0 ? 0 : (differences / sums).rounded();
}

/// 1 - x.y / (|x| |y|), by 128 bits; two zero rows are 0 apart, a zero row and another 1.
long double cosine_of(const std::vector<Wide>& x, const std::vector<Wide>& y, Weights w) {
  Wide xx, yy, xy;
  for (std::size_t f = 0; f < x.size(); ++f) {
    xx = xx + weighed(w, f, x[f] * x[f]);
    yy = yy + weighed(w, f, y[f] * y[f]);
    xy = xy + weighed(w, f, x[f] * y[f]);
  }
  if (!std::isfinite(xx.hi) || !std::isfinite(yy.hi)) return NAN;
  if (xx.hi == 0 || yy.hi == 0) return xx.hi == yy.hi ? 0 : 1;
  const Wide lengths = sqrt(xx) * sqrt(yy);
  return std::max(0.0L, ((lengths - xy) / lengths).rounded());  // rows of one direction: 0 to 2^-120
}

std::vector<Wide> widened(Point x) {
  std::vector<Wide> out;
  for (const long double value : x) out.push_back({value, 0});
  return out;
}

long double cosine(Point x, Point y, const MetricParameters& parameters) {
  return cosine_of(widened(x), widened(y), parameters.w);
}

/// The row less its mean; all 0 where all values that count are equal, whatever the mean's rounding.
std::vector<Wide> centred(Point x, Weights w) {
  std::vector<Wide> out(x.size());
  Wide sum;
  Wide total;
  long double first = NAN;
  bool constant = true;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (!counts(w, f)) continue;
    if (std::isnan(first)) first = x[f];
    constant = constant && x[f] == first;
    sum = sum + weighed(w, f, Wide{x[f], 0});
    total = total + weighed(w, f, Wide{1, 0});
  }
  if (constant) return out;
  const Wide mean = sum / total;
  for (std::size_t f = 0; f < x.size(); ++f) out[f] = Wide{x[f], 0} - mean;
  return out;
}

long double correlation(Point x, Point y, const MetricParameters& parameters) {
  const Weights w = parameters.w;
  return is_finite(x, w) && is_finite(y, w) ? cosine_of(centred(x, w), centred(y, w), w) : NAN;
}

// --- powers, angles ----------------------------------------------------------------------------------------

/// Scaled by the largest difference, so that the sum lies between its weight and the sum of all weights.
long double minkowski(Point x, Point y, const MetricParameters& parameters) {
  const long double p = parameters.p.value_or(2);
  const long double largest = chebyshev(x, y, parameters);
  if (std::isinf(p) || largest == 0 || !std::isfinite(largest)) return largest;
  const Wide scale{largest, 0};
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Wide difference = abs(exact_sum(x[f], -y[f]));
    if (!counts(parameters.w, f) || difference.hi == 0) continue;
    sum = sum + weighed(parameters.w, f, exp(Wide{p, 0} * log(difference / scale)));
  }
  return (scale * exp(log(sum) / Wide{p, 0})).rounded();
}

Wide half_turn_of(Wide sine, Wide cosine) { return Wide{2, 0} * atan2(sine, cosine); }

/// Of two rows made unit vectors a and b: 2 atan2(|a - b|, |a + b|).
long double angular(Point x, Point y, const MetricParameters& parameters) {
  const Weights w = parameters.w;
  if (!is_finite(x, w) || !is_finite(y, w)) return NAN;
  Wide xx, yy;
  for (std::size_t f = 0; f < x.size(); ++f) {
    xx = xx + weighed(w, f, exact_product(x[f], x[f]));
    yy = yy + weighed(w, f, exact_product(y[f], y[f]));
  }
  if (xx.hi == 0 || yy.hi == 0) return xx.hi == yy.hi ? 0 : (kPi / Wide{2, 0}).rounded();
  const Wide x_length = sqrt(xx);
  const Wide y_length = sqrt(yy);
  Wide differences, sums;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (!counts(w, f)) continue;
    const Wide a = Wide{x[f], 0} / x_length;
    const Wide b = Wide{y[f], 0} / y_length;
    differences = differences + weighed(w, f, (a - b) * (a - b));
    sums = sums + weighed(w, f, (a + b) * (a + b));
  }
  return half_turn_of(sqrt(differences), sqrt(sums)).rounded();
}

struct SineCosine {
  Wide sine;
  Wide cosine;
};

/// In degrees whole turns and quarter turns are taken off first, which is exact.
SineCosine sine_cosine(long double angle, bool degrees) {
  if (!degrees) return {sin(Wide{angle, 0}), cos(Wide{angle, 0})};
  const long double within_turn = std::fmod(angle, 360.0L);
  const long double quarters = std::round(within_turn / 90);
  const Wide rest = Wide{within_turn - 90 * quarters, 0} * kPi / Wide{180, 0};
  const Wide sine = sin(rest);
  const Wide cosine = cos(rest);
  switch ((static_cast<int>(quarters) + 4) % 4) {
    case 1:
      return {cosine, Wide{} - sine};
    case 2:
      return {Wide{} - sine, Wide{} - cosine};
    case 3:
      return {Wide{} - cosine, sine};
    default:
      return {sine, cosine};
  }
}

/// The point of the unit sphere at a latitude and a longitude.
std::vector<Wide> on_sphere(Point place, bool degrees) {
  const SineCosine latitude = sine_cosine(place[0], degrees);
  const SineCosine longitude = sine_cosine(place[1], degrees);
  return {latitude.cosine * longitude.cosine, latitude.cosine * longitude.sine, latitude.sine};
}

long double haversine(Point x, Point y, const MetricParameters& parameters) {
  if (x.empty()) return 0;
  if (x.size() != 2) throw std::invalid_argument("[oracle] haversine takes latitude and longitude");
  if (!is_finite(x, {}) || !is_finite(y, {})) return NAN;
  const std::vector<Wide> a = on_sphere(x, parameters.degrees.value_or(false));
  const std::vector<Wide> b = on_sphere(y, parameters.degrees.value_or(false));
  Wide differences, sums;
  for (std::size_t f = 0; f < 3; ++f) {
    differences = differences + (a[f] - b[f]) * (a[f] - b[f]);
    sums = sums + (a[f] + b[f]) * (a[f] + b[f]);
  }
  const Wide radius{parameters.radius.value_or(1), 0};
  return (half_turn_of(sqrt(differences), sqrt(sums)) * radius).rounded();
}

/// Whether haversine has to bring an angle within the circle or between the poles: degrees lose nothing
/// within the circle.
bool is_moved(Point place, bool degrees) {
  if (place.size() != 2 || !is_finite(place, {})) return false;
  if (degrees) return std::fabs(std::remainder(place[0], 360.0L)) > 90;
  constexpr long double kPiRounded = std::numbers::pi_v<long double>;
  return std::fabs(place[0]) > kPiRounded / 2 || std::fabs(place[1]) > 2 * kPiRounded;
}

// --- euclidean, but for some features ----------------------------------------------------------------------

long double gower(Point x, Point y, const MetricParameters& parameters) {
  require_size(parameters.ranges, x.size());
  std::vector<bool> categorical(x.size());
  for (const std::int64_t f : parameters.categorical) categorical[static_cast<std::size_t>(f)] = true;
  Wide sum, weights;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (std::isnan(x[f]) || std::isnan(y[f])) continue;
    weights = weights + weighed(parameters.w, f, Wide{1, 0});
    const Wide apart = categorical[f] ? Wide{x[f] != y[f] ? 1.0L : 0.0L, 0}
                                      : abs(exact_sum(x[f], -y[f])) / Wide{parameters.ranges[f], 0};
    sum = sum + weighed(parameters.w, f, apart);
  }
  const bool all_zero =
      std::none_of(parameters.w.begin(), parameters.w.end(), [](double w) { return w > 0; });
  if (parameters.w.empty() ? x.empty() : all_zero) return 0;
  return (sum / weights).rounded();
}

/// Scaled up for the features that are missing in either row.
long double nan_euclidean(Point x, Point y, const MetricParameters&) {
  Wide sum;
  std::size_t present = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (std::isnan(x[f]) || std::isnan(y[f])) continue;
    const Wide difference = exact_sum(x[f], -y[f]);
    sum = sum + difference * difference;
    ++present;
  }
  if (x.empty()) return 0;
  if (present == 0) return NAN;
  const auto all = static_cast<long double>(x.size());
  return sqrt(sum * Wide{all, 0} / Wide{static_cast<long double>(present), 0}).rounded();
}

/// The difference to the nearest of the numbers a length apart. The remainders are exact.
Wide nearest_image(Wide difference, long double length) {
  if (std::isinf(length)) return difference;
  const Wide near = exact_sum(std::remainder(difference.hi, length), std::remainder(difference.lo, length));
  if (std::fabs(near.hi) <= length / 2) return near;  // each of the two is at most half a length
  return near - Wide{std::copysign(length, near.hi), 0};
}

long double periodic_euclidean(Point x, Point y, const MetricParameters& parameters) {
  require_size(parameters.box, x.size());
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Wide difference = nearest_image(exact_sum(x[f], -y[f]), parameters.box[f]);
    sum = sum + difference * difference;
  }
  return sqrt(sum).rounded();
}

// --- products and kernels ----------------------------------------------------------------------------------

Wide sum_of_products(Point x, Point y) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) sum = sum + exact_product(x[f], y[f]);
  return sum;
}

/// Of the products that are finite, or NaN: one that overflows beside an infinite one decides too.
Wide sum_of_absolute_products(Point x, Point y) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (!std::isinf(x[f] * y[f])) sum = sum + abs(exact_product(x[f], y[f]));
  }
  return sum;
}

/// 1 / d is rounded to float64. Without features the sums are 0, whatever it is.
Wide gamma_of(const MetricParameters& parameters, std::size_t d) {
  return {parameters.gamma.value_or(d == 0 ? 1.0 : 1.0 / static_cast<double>(d)), 0};
}

long double inner_product(Point x, Point y, const MetricParameters&) {
  const long double sum = sum_of_products(x, y).rounded();
  return sum == 0 ? 0 : -sum;
}

/// exp(-gamma sum); 1 for gamma = 0, also where the sum is infinite.
long double decayed(Wide gamma, Wide sum) {
  if (gamma.hi == 0) return std::isnan(sum.hi) ? sum.hi : 1;
  return exp(Wide{} - gamma * sum).rounded();
}

long double rbf(Point x, Point y, const MetricParameters& parameters) {
  return decayed(gamma_of(parameters, x.size()), sum_of_squares(x, y, {}));
}

long double laplacian(Point x, Point y, const MetricParameters& parameters) {
  return decayed(gamma_of(parameters, x.size()), sum_of_absolute_differences(x, y));
}

long double power(Wide base, std::int64_t degree) {
  constexpr long double kBeyondExactProducts = 0x1p8000L;
  Wide result{1, 0};
  for (std::int64_t k = 0; k < degree; ++k) {
    if (std::fabs(result.hi) > kBeyondExactProducts)
      return std::pow(base.hi, static_cast<long double>(degree));  // no dtype holds it
    result = result * base;
  }
  return result.rounded();
}

long double polynomial(Point x, Point y, const MetricParameters& parameters) {
  const Wide product = gamma_of(parameters, x.size()) * sum_of_products(x, y);
  return power(product + Wide{parameters.coef0.value_or(1), 0}, parameters.degree.value_or(3));
}

struct Entry {
  std::string_view metric;
  long double (*distance)(Point x, Point y, const MetricParameters& parameters);
};
constexpr Entry kOracles[] = {
    {"euclidean", euclidean},
    {"sqeuclidean", sqeuclidean},
    {"seuclidean", seuclidean},
    {"mahalanobis", mahalanobis},
    {"cityblock", cityblock},
    {"chebyshev", chebyshev},
    {"canberra", canberra},
    {"braycurtis", braycurtis},
    {"cosine", cosine},
    {"correlation", correlation},
    {"minkowski", minkowski},
    {"angular", angular},
    {"haversine", haversine},
    {"nan_euclidean", nan_euclidean},
    {"periodic_euclidean", periodic_euclidean},
    {"inner_product", inner_product},
    {"hamming", hamming},
    {"gower", gower},
    {"jaccard", jaccard},
    {"dice", dice},
    {"rogerstanimoto", rogerstanimoto},
    {"russellrao", russellrao},
    {"sokalsneath", sokalsneath},
    {"yule", yule},
    {"total_variation", total_variation},
    {"chi_square", chi_square},
    {"hellinger", hellinger},
    {"bhattacharyya", bhattacharyya},
    {"jensenshannon", jensenshannon},
    {"kl", kl},
    {"rbf", rbf},
    {"laplacian", laplacian},
    {"polynomial", polynomial},
};

}  // namespace

long double oracle(std::string_view metric, Point x, Point y) {
  return oracle(metric, x, y, test_parameters(metric, static_cast<std::int64_t>(x.size())));
}

MetricParameters test_parameters(std::string_view metric, std::int64_t d) {
  MetricParameters parameters;
  if (metric == "mahalanobis") {
    // Positive definite: a convex decreasing function of |i - j| is (Polya), and so is that plus a diagonal.
    for (std::int64_t i = 0; i < d; ++i) {
      for (std::int64_t j = 0; j < d; ++j)
        parameters.V.push_back(0.5 / static_cast<double>(1 + std::abs(i - j)) +
                               (i == j ? 1.5 + static_cast<double>(i % 3) : 0));
    }
  }
  if (metric == "minkowski") parameters.p = 2.7;
  if (metric == "periodic_euclidean") {
    constexpr double kLengths[] = {5.5457325, 0.75, std::numeric_limits<double>::infinity()};
    for (std::int64_t f = 0; f < d; ++f) parameters.box.push_back(kLengths[f % 3]);
  }
  if (metric == "gower") {
    for (std::int64_t f = 0; f < d; ++f) {
      parameters.ranges.push_back(0.7 + static_cast<double>(f % 5) * 2.3);
      if (f % 4 == 1) parameters.categorical.push_back(f);
    }
  }
  if (metric != "seuclidean") return parameters;
  for (std::int64_t f = 0; f < d; ++f) parameters.V.push_back(0.3 + static_cast<double>(f % 7) * 1.7);
  return parameters;
}

long double oracle(std::string_view metric, Point x, Point y, const MetricParameters& parameters) {
  if (x.size() != y.size()) throw std::invalid_argument("[oracle] x and y differ in length");
  if (!parameters.w.empty()) require_size(parameters.w, x.size());
  for (std::size_t f = 0; f < parameters.w.size(); ++f) {
    const bool finite = std::isfinite(x[f]) && std::isfinite(y[f]);
    if (parameters.w[f] == 0 && !finite) return std::numeric_limits<long double>::quiet_NaN();
  }
  for (const Entry& entry : kOracles) {
    if (entry.metric == metric) return entry.distance(x, y, parameters);
  }
  throw std::invalid_argument("[oracle] no oracle for metric '" + std::string(metric) + "'");
}

Magnitudes magnitudes(std::string_view metric, Point x, Point y, const MetricParameters& parameters) {
  if (metric == "rbf") return {.terms = sum_of_squares(x, y, {}).rounded()};
  if (metric == "laplacian") return {.terms = sum_of_absolute_differences(x, y).rounded()};
  if (metric == "mahalanobis") {
    const std::vector<long double> origin(x.size());
    return {.result = mahalanobis(x, origin, parameters) + mahalanobis(y, origin, parameters)};
  }
  if (metric == "haversine") {
    const bool degrees = parameters.degrees.value_or(false);
    const bool moved = is_moved(x, degrees) || is_moved(y, degrees);
    return {.result = moved ? parameters.radius.value_or(1) : 0};
  }
  if (metric != "inner_product" && metric != "polynomial") return {};
  const Wide terms = sum_of_absolute_products(x, y);
  if (metric == "inner_product") return {terms.rounded(), terms.rounded()};
  const Wide base = gamma_of(parameters, x.size()) * terms + Wide{std::abs(parameters.coef0.value_or(1)), 0};
  return {terms.rounded(), power(base, parameters.degree.value_or(3))};
}

std::vector<long double> row_of(const MatrixView& view, std::int64_t i) {
  std::vector<long double> row(static_cast<std::size_t>(view.cols));
  for (std::int64_t f = 0; f < view.cols; ++f)
    row[static_cast<std::size_t>(f)] = decode(view.dtype, address_of(view, i, f));
  return row;
}

std::vector<std::vector<long double>> rows_of(const MatrixView& view) {
  std::vector<std::vector<long double>> rows;
  for (std::int64_t i = 0; i < view.rows; ++i) rows.push_back(row_of(view, i));
  return rows;
}

}  // namespace quadrance::testing
