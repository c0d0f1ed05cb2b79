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

Wide sum_of_squares(Point x, Point y) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const Wide difference = exact_sum(x[f], -y[f]);
    sum = sum + difference * difference;
  }
  return sum;
}

long double euclidean(Point x, Point y) { return sqrt(sum_of_squares(x, y)).rounded(); }

long double sqeuclidean(Point x, Point y) { return sum_of_squares(x, y).rounded(); }

long double cityblock(Point x, Point y) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) sum = sum + abs(exact_sum(x[f], -y[f]));
  return sum.rounded();
}

long double chebyshev(Point x, Point y) {
  long double largest = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    const long double difference = abs(exact_sum(x[f], -y[f])).rounded();
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

long double canberra(Point x, Point y) {
  Wide sum;
  for (std::size_t f = 0; f < x.size(); ++f) {
    if (x[f] == 0 && y[f] == 0) continue;
    sum = sum + abs(exact_sum(x[f], -y[f])) / exact_sum(std::abs(x[f]), std::abs(y[f]));
  }
  return sum.rounded();
}

long double braycurtis(Point x, Point y) {
  Wide differences;
  Wide sums;
  for (std::size_t f = 0; f < x.size(); ++f) {
    differences = differences + abs(exact_sum(x[f], -y[f]));
    sums = sums + abs(exact_sum(x[f], y[f]));
  }
  return differences.hi == 0 && sums.hi == 0 ? 0 : (differences / sums).rounded();
}

struct Entry {
  std::string_view metric;
  long double (*distance)(Point x, Point y);
};
constexpr Entry kOracles[] = {
    {"euclidean", euclidean}, {"sqeuclidean", sqeuclidean}, {"cityblock", cityblock},
    {"chebyshev", chebyshev}, {"canberra", canberra},       {"braycurtis", braycurtis},
};

}  // namespace

long double oracle(std::string_view metric, Point x, Point y) {
  if (x.size() != y.size()) throw std::invalid_argument("[oracle] x and y differ in length");
  for (const Entry& entry : kOracles) {
    if (entry.metric == metric) return entry.distance(x, y);
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
