// SPDX-License-Identifier: Apache-2.0
// Arithmetic on rows in twice float64's precision, for preparations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>

namespace quadrance::internal {

/// The unevaluated sum head + tail. Error-free transformations: Knuth's two-sum, products by fma (Ogita,
/// Rump, Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005).
struct Wide {
  double head = 0;
  double tail = 0;

  void add(double value) {
    const double sum = head + value;
    const double b = sum - head;
    tail += (head - (sum - b)) + (value - b);
    head = sum;
  }
  void add_product(double a, double b) {
    const double product = a * b;
    add(product);
    tail += std::fma(a, b, -product);
  }
  Wide over(const Wide& divisor) const {
    const double quotient = head / divisor.head;
    const double rest = std::fma(-quotient, divisor.head, head) + (tail - quotient * divisor.tail);
    return {quotient, rest / divisor.head};
  }
  Wide root() const {
    const double root = std::sqrt(head);
    return {root, (std::fma(-root, root, head) + tail) / (2 * root)};
  }
};

/// value / length, rounded about once.
inline double divided(double value, const Wide& length) {
  const double quotient = value / length.head;
  const double rest = std::fma(-quotient, length.head, value) - quotient * length.tail;
  return quotient + rest / length.head;
}

/// step(step(0, row[0]), row[1]) ... in eight lanes side by side, which join() makes one: a chain of
/// dependent operations takes four cycles a number.
template <class Step, class Join>
double fold(const double* row, std::int64_t d, const Step& step, const Join& join) {
  constexpr std::int64_t kLanes = 8;
  double lanes[kLanes] = {};
  for (std::int64_t f = 0; f < d / kLanes * kLanes; f += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = step(lanes[lane], row[f + lane]);
  }
  for (std::int64_t f = d / kLanes * kLanes; f < d; ++f) lanes[f % kLanes] = step(lanes[f % kLanes], row[f]);
  return std::accumulate(std::begin(lanes), std::end(lanes), 0.0, join);
}

/// Multiplies by the power of two that brings the largest magnitude into [1/2, 1) times 2^to. With to = 0
/// sums of squares then neither overflow nor vanish, and what falls below the range of numbers is nothing
/// beside the largest.
inline void scale_to(int to, std::int64_t d, double* row) {
  const auto larger = [](double a, double b) { return std::max(a, std::abs(b)); };
  const double largest = fold(row, d, larger, larger);
  int exponent = 0;
  std::frexp(largest, &exponent);
  exponent -= to;
  // In two steps: 2^1074 itself is no number.
  const double half = std::ldexp(1.0, -exponent / 2);
  const double other = std::ldexp(1.0, -exponent - (-exponent / 2));
  for (std::int64_t f = 0; f < d; ++f) row[f] = row[f] * half * other;
}

inline bool all_finite(const double* row, std::int64_t d) {
  return std::all_of(row, row + d, [](double value) { return std::isfinite(value); });
}

}  // namespace quadrance::internal
