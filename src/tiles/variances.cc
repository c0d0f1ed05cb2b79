// SPDX-License-Identifier: Apache-2.0
#include "tiles/variances.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "messages.h"
#include "tiles/each_row.h"

namespace quadrance::internal {
namespace {

/// Sums of features with the rounding errors kept (Knuth's two-sum).
struct Sums {
  std::vector<double> head, tail;
  explicit Sums(std::size_t d) : head(d), tail(d) {}
  void add(std::size_t f, double value) {
    const double sum = head[f] + value;
    const double b = sum - head[f];
    tail[f] += (head[f] - (sum - b)) + (value - b);
    head[f] = sum;
  }
  double total(std::size_t f) const { return head[f] + tail[f]; }
};

/// Which features have more than one value; NaN differs from all.
class Varying {
 public:
  explicit Varying(std::size_t d) : varies_(d) {}
  void look_at(const double* row) {
    if (first_.empty()) first_.assign(row, row + varies_.size());
    for (std::size_t f = 0; f < varies_.size(); ++f) {
      if (row[f] != first_[f]) varies_[f] = 1;
    }
  }
  bool of(std::size_t f) const { return varies_[f] != 0; }

 private:
  std::vector<double> first_;
  std::vector<char> varies_;
};

}  // namespace

std::vector<double> variances(const MatrixView& x, const MatrixView* y, const std::function<void()>& go_on) {
  const std::int64_t n = x.rows + (y != nullptr ? y->rows : 0);
  if (n < 2) throw messages::variance_of_few(n);
  const auto d = static_cast<std::size_t>(x.cols);
  Sums sums(d);
  Varying varying(d);
  for_each_row_of_both(x, y, go_on, [&](const double* row) {
    varying.look_at(row);
    for (std::size_t f = 0; f < d; ++f) sums.add(f, row[f]);
  });
  std::vector<double> mean(d);
  for (std::size_t f = 0; f < d; ++f) mean[f] = sums.total(f) / static_cast<double>(n);
  Sums squares(d);
  Sums rests(d);  // of the differences from the rounded mean: what its rounding adds to the squares
  for_each_row_of_both(x, y, go_on, [&](const double* row) {
    for (std::size_t f = 0; f < d; ++f) {
      const double difference = row[f] - mean[f];
      squares.add(f, difference * difference);
      rests.add(f, difference);
    }
  });
  std::vector<double> out(d);
  for (std::size_t f = 0; f < d; ++f) {
    const double rest = rests.total(f);
    out[f] = (squares.total(f) - rest * rest / static_cast<double>(n)) / static_cast<double>(n - 1);
    if (!varying.of(f))
      out[f] = 0;  // also of numbers whose sum overflows
    else if (!std::isnormal(out[f]))
      throw messages::no_variance(static_cast<std::int64_t>(f), out[f]);
  }
  return out;
}

Covariance covariance(const MatrixView& x, const MatrixView* y, const std::function<void()>& go_on) {
  const std::int64_t n = x.rows + (y != nullptr ? y->rows : 0);
  if (n <= x.cols) throw messages::covariance_of_few(n, x.cols);
  const auto d = static_cast<std::size_t>(x.cols);
  std::vector<long double> mean(d);
  Varying varying(d);
  for_each_row_of_both(x, y, go_on, [&](const double* row) {
    varying.look_at(row);
    for (std::size_t f = 0; f < d; ++f) mean[f] += static_cast<long double>(row[f]);
  });
  for (long double& value : mean) value /= static_cast<long double>(n);
  std::vector<long double> sums(d * d);
  std::vector<long double> moved(d);
  for_each_row_of_both(x, y, go_on, [&](const double* row) {
    for (std::size_t f = 0; f < d; ++f)
      moved[f] = varying.of(f) ? static_cast<long double>(row[f]) - mean[f] : 0;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j) sums[i * d + j] += moved[i] * moved[j];
    }
  });
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      long double& sum = sums[i * d + j];
      sum /= static_cast<long double>(n - 1);
      const auto value = static_cast<double>(sum);
      if (!std::isfinite(value)) throw messages::no_variance(static_cast<std::int64_t>(i), value);
    }
    const auto variance = static_cast<double>(sums[i * d + i]);
    if (variance != 0 && !std::isnormal(variance))
      throw messages::no_variance(static_cast<std::int64_t>(i), variance);
  }
  return {std::move(sums), std::vector<double>(mean.begin(), mean.end())};
}

bool same_numbers(const MatrixView& x, const MatrixView& y, const std::function<void()>& go_on) {
  if (x.rows != y.rows || x.cols != y.cols) return false;
  std::vector<double> a(static_cast<std::size_t>(x.cols));
  std::vector<double> b(a.size());
  const auto same = [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); };
  for (std::int64_t i = 0; i < x.rows; ++i) {
    if (i % kRowsBetweenCalls == 0) go_on();
    pack_rows<double>(x, i, 1, a.data(), x.cols);
    pack_rows<double>(y, i, 1, b.data(), y.cols);
    if (!std::equal(a.begin(), a.end(), b.begin(), same)) return false;
  }
  return true;
}

}  // namespace quadrance::internal
