// SPDX-License-Identifier: Apache-2.0
// To add a metric: one function, one line of kOracles.
#include "support/oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "support/elements.h"
#include "support/wide.h"

namespace quadrance::testing {
namespace {

using Point = std::span<const long double>;

/// The weights, or nothing: all 1.
/// A feature of weight 0 does not count, whatever it holds.
Wide weighed(Point w, std::size_t f, Wide term) {
  if (w.empty()) return term;
  return w[f] > 0 ? Wide{w[f], 0} * term : Wide{};
}

bool counts(Point w, std::size_t f) { return w.empty() || w[f] > 0; }

Wide sum_of_squares(Point x, Point y, Point w) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Wide difference = exact_sum(x[f], -y[f]);
    sum = sum + weighed(w, f, difference * difference);
  }
  return sum;
}

long double euclidean(Point x, Point y, Point w) { return sqrt(sum_of_squares(x, y, w)).rounded(); }

long double sqeuclidean(Point x, Point y, Point w) { return sum_of_squares(x, y, w).rounded(); }

/// w are the variances.
long double seuclidean(Point x, Point y, Point w) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Wide difference = exact_sum(x[f], -y[f]);
    sum = sum + difference * difference / Wide{w[f], 0};
  }
  return sqrt(sum).rounded();
}

/// w are the rows of the covariance: solves V z = x - y by elimination without pivots, which a covariance
/// does not need; the square of the distance is (x - y) . z.
long double mahalanobis(Point x, Point y, Point w) {
  const std::size_t d = x.size();
  std::vector<Wide> V(w.size());
  std::vector<Wide> z(d);
  std::vector<Wide> difference(d);
  for (std::size_t k = 0; k < w.size(); ++k) V[k] = {w[k], 0};
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

long double cityblock(Point x, Point y, Point w) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) sum = sum + weighed(w, f, abs(exact_sum(x[f], -y[f])));
  return sum.rounded();
}

long double chebyshev(Point x, Point y, Point w) {
  long double largest = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (!counts(w, f)) continue;
    const long double difference = abs(exact_sum(x[f], -y[f])).rounded();
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

long double canberra(Point x, Point y, Point w) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (x[f] == 0 && y[f] == 0) continue;
    const Wide size = exact_sum(std::abs(x[f]), std::abs(y[f]));
    sum = sum + weighed(w, f, abs(exact_sum(x[f], -y[f])) / size);
  }
  return sum.rounded();
}

long double braycurtis(Point x, Point y, Point w) {
  Wide differences;
  Wide sums;
  for (std::size_t f = 0; f < x.size(); ++f) {
    differences = differences + weighed(w, f, abs(exact_sum(x[f], -y[f])));
    sums = sums + weighed(w, f, abs(exact_sum(x[f], y[f])));
  }
  return differences.hi == 0 && sums.hi == 0 ? 0 : (differences / sums).rounded();
}

/// 1 - x.y / (|x| |y|), by 128 bits; two zero rows are 0 apart, a zero row and another 1.
long double cosine_of(const std::vector<Wide>& x, const std::vector<Wide>& y, Point w) {
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

long double cosine(Point x, Point y, Point w) { return cosine_of(widened(x), widened(y), w); }

/// The row less its mean; all 0 where all values that count are equal, whatever the mean's rounding.
std::vector<Wide> centred(Point x, Point w) {
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

bool is_finite(Point x, Point w) {
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (counts(w, f) && !std::isfinite(x[f])) return false;
  }
  return true;
}

long double correlation(Point x, Point y, Point w) {
  return is_finite(x, w) && is_finite(y, w) ? cosine_of(centred(x, w), centred(y, w), w) : NAN;
}

struct Entry {
  std::string_view metric;
  long double (*distance)(Point x, Point y, Point w);
};
constexpr Entry kOracles[] = {
    {"euclidean", euclidean},     {"sqeuclidean", sqeuclidean}, {"seuclidean", seuclidean},
    {"mahalanobis", mahalanobis}, {"cityblock", cityblock},     {"chebyshev", chebyshev},
    {"canberra", canberra},       {"braycurtis", braycurtis},   {"cosine", cosine},
    {"correlation", correlation},
};

}  // namespace

long double oracle(std::string_view metric, Point x, Point y) {
  const MetricParameters parameters = test_parameters(metric, static_cast<std::int64_t>(x.size()));
  const std::vector<long double> w(parameters.V.begin(), parameters.V.end());
  return oracle(metric, x, y, w);
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
  if (metric != "seuclidean") return parameters;
  for (std::int64_t f = 0; f < d; ++f) parameters.V.push_back(0.3 + static_cast<double>(f % 7) * 1.7);
  return parameters;
}

long double oracle(std::string_view metric, Point x, Point y, Point w) {
  if (x.size() != y.size()) throw std::invalid_argument("[oracle] x and y differ in length");
  for (const Entry& entry : kOracles) {
    if (entry.metric == metric) return entry.distance(x, y, w);
  }
  throw std::invalid_argument("[oracle] no oracle for metric '" + std::string(metric) + "'");
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
