// SPDX-License-Identifier: Apache-2.0
#include "metrics/unit_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "metrics/wide_rows.h"

namespace quadrance::internal {
namespace {

double minus(double value, const Wide& mean) {
  const double difference = value - mean.head;
  const double b = difference - value;
  const double lost = (value - (difference - b)) - (mean.head + b);
  return difference + (lost - mean.tail);
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
  scale_to(0, d_, prepared);
  // With weights a feature far from the mean may be the one that counts least.
  if (centred_) centre(wide || !weights_.empty(), weights_, d_, prepared);
  for (std::size_t f = 0; f < weights_.size(); ++f) prepared[f] *= std::sqrt(weights_[f]);
  if (centred_ || !weights_.empty()) scale_to(0, d_, prepared);
  normalise(wide, d_, prepared);
}

}  // namespace quadrance::internal
