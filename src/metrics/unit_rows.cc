// SPDX-License-Identifier: Apache-2.0
#include "metrics/unit_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>

namespace quadrance::internal {
namespace {

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

double minus(double value, const Wide& mean) {
  const double difference = value - mean.head;
  const double b = difference - value;
  const double lost = (value - (difference - b)) - (mean.head + b);
  return difference + (lost - mean.tail);
}

double divided(double value, const Wide& length) {
  const double quotient = value / length.head;
  const double rest = std::fma(-quotient, length.head, value) - quotient * length.tail;
  return quotient + rest / length.head;
}

void centre(bool wide, std::span<const double> weights, std::int64_t d, double* row) {
  Wide sum;
  Wide count{static_cast<double>(d), 0};
  if (!weights.empty()) {
    count = {};
    for (std::int64_t f = 0; f < d; ++f) {
      const double weight = weights[static_cast<std::size_t>(f)];
      count.add(weight);
      sum.add_product(weight, row[f]);
    }
  } else if (wide) {
    for (std::int64_t f = 0; f < d; ++f) sum.add(row[f]);
  } else {
    for (std::int64_t f = 0; f < d; ++f) sum.head += row[f];
  }
  const Wide mean = sum.over(count);
  for (std::int64_t f = 0; f < d; ++f) row[f] = wide ? minus(row[f], mean) : row[f] - mean.head;
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

void normalise(bool wide, std::int64_t d, double* row) {
  if (wide) {
    Wide sum;
    for (std::int64_t f = 0; f < d; ++f) sum.add_product(row[f], row[f]);
    const Wide length = sum.root();
    for (std::int64_t f = 0; f < d; ++f) row[f] = divided(row[f], length);
  } else {
    const double sum = fold(
        row, d, [](double so_far, double value) { return so_far + value * value; },
        [](double a, double b) { return a + b; });
    const double inverse = 1 / std::sqrt(sum);
    for (std::int64_t f = 0; f < d; ++f) row[f] *= inverse;
  }
}

/// Multiplies by the power of two that brings the largest magnitude into [1/2, 1): sums of squares then
/// neither overflow nor vanish, and what falls below the range of numbers is nothing beside the largest.
void scale_to_one(std::int64_t d, double* row) {
  const auto larger = [](double a, double b) { return std::max(a, std::abs(b)); };
  const double largest = fold(row, d, larger, larger);
  int exponent = 0;
  std::frexp(largest, &exponent);
  // In two steps: 2^1074 itself is no number.
  const double half = std::ldexp(1.0, -exponent / 2);
  const double other = std::ldexp(1.0, -exponent - (-exponent / 2));
  for (std::int64_t f = 0; f < d; ++f) row[f] = row[f] * half * other;
}

bool all_finite(const double* row, std::int64_t d) {
  return std::all_of(row, row + d, [](double value) { return std::isfinite(value); });
}

}  // namespace

UnitRows::UnitRows(const PreparationParameters& given, bool centred)
    : d_(given.d), weights_(given.parameters.w), centred_(centred) {
  if (weights_.empty()) return;
  const double largest = *std::max_element(weights_.begin(), weights_.end());
  int exponent = 0;
  std::frexp(largest, &exponent);
  for (double& weight : weights_) weight = std::ldexp(weight, -exponent);
}

void UnitRows::prepare(const double* row, bool wide, double* prepared) const {
  if (!all_finite(row, d_)) {
    std::fill_n(prepared, features(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const double origin = centred_ && d_ > 0 ? row[0] : 0;
  const bool zero = std::all_of(row, row + d_, [origin](double value) { return value == origin; });
  prepared[d_] = zero ? kZeroRow : 0;
  if (zero) {
    std::fill_n(prepared, d_, 0.0);
    return;
  }
  std::copy_n(row, d_, prepared);
  scale_to_one(d_, prepared);
  // With weights a feature far from the mean may be the one that counts least.
  if (centred_) centre(wide || !weights_.empty(), weights_, d_, prepared);
  for (std::size_t f = 0; f < weights_.size(); ++f) prepared[f] *= std::sqrt(weights_[f]);
  if (centred_ || !weights_.empty()) scale_to_one(d_, prepared);
  normalise(wide, d_, prepared);
}

}  // namespace quadrance::internal
