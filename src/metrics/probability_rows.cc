// SPDX-License-Identifier: Apache-2.0
#include "metrics/probability_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/wide_rows.h"

namespace quadrance::internal {
namespace {

/// Copies the row, scaled so that its sum does not overflow, and what is 2^-1074 of it keeps its digits; the
/// sum: of 0 there is no distribution, and NaN if a number is not finite or below 0.
Wide copy_scaled(const double* row, std::int64_t d, double* to) {
  const bool right =
      std::all_of(row, row + d, [](double value) { return value >= 0 && std::isfinite(value); });
  if (!right) return {std::numeric_limits<double>::quiet_NaN(), 0};
  constexpr int kLargest = 400;
  std::copy_n(row, d, to);
  scale_to(kLargest, d, to);
  Wide sum;
  for (std::int64_t f = 0; f < d; ++f) sum.add(to[f]);
  return sum;
}

/// of(number, sum) for each number of the row, then the feature that tells a zero row.
template <class Of>
void prepare_distribution(const double* row, std::int64_t d, double no_distribution, const Of& of,
                          double* prepared) {
  const Wide sum = copy_scaled(row, d, prepared);
  if (std::isnan(sum.head)) {
    std::fill_n(prepared, d + 1, sum.head);
    return;
  }
  prepared[d] = sum.head == 0 ? no_distribution : 0;
  if (sum.head == 0) return;
  for (std::int64_t f = 0; f < d; ++f) prepared[f] = of(prepared[f], sum);
}

}  // namespace

void Probabilities::prepare(const double* row, bool, double* prepared) const {
  prepare_distribution(row, d_, kNoDistribution, divided, prepared);
}

void ScaledProbabilities::prepare(const double* row, bool, double* prepared) const {
  const auto scaled = [](double value, const Wide& sum) {
    const double result = divided(value, Wide{sum.head / kScale, sum.tail / kScale});
    return result < 0x1p-900 ? 0.0 : result;
  };
  prepare_distribution(row, d_, 1, scaled, prepared);
}

void RootsOfProbabilities::prepare(const double* row, bool, double* prepared) const {
  const auto root = [this](double value, const Wide& sum) {
    const Wide part{sum.head * 0x1p-200, sum.tail * 0x1p-200};  // a quotient by it is no subnormal number
    return scale_ * 0x1p-100 * std::sqrt(divided(value, part));
  };
  prepare_distribution(row, d_, kNoDistribution * scale_, root, prepared);
}

}  // namespace quadrance::internal
