// SPDX-License-Identifier: Apache-2.0
#include "metrics/whitened_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

namespace quadrance::internal {
namespace {

using Square = std::vector<long double>;

/// Rounding leaves matrix products and inverses as unsymmetric as this, relative to the largest element of
/// the row or column: features in units of their own differ by many orders, and so does the rounding of their
/// elements.
constexpr double kAsymmetry = 1e-8;
/// A pivot below this part of its diagonal element is rounding: what is left of a feature after those before
/// it are taken off. Of data the elements are sums in long double, of up to 10^8 rows.
constexpr long double kRoundingOfData = 0x1p-50L;
long double rounding_of_given(std::int64_t d) { return 0x1p-53L * static_cast<long double>(128 + 4 * d); }
/// A VI with a negative square of at most this part of its diagonal is singular instead: so far are
/// pseudo-inverses off whose condition is 1e5.
constexpr long double kRoundingOfInverse = 0x1p-36L;

std::size_t place(std::int64_t i, std::int64_t j, std::int64_t d) {
  return static_cast<std::size_t>(i * d + j);
}

/// The mean of the matrix and its transpose.
Square symmetric(const std::vector<double>& matrix, std::int64_t d, const char* name) {
  Square out(matrix.size());
  std::vector<double> largest(static_cast<std::size_t>(d));  // of row and column i
  for (std::int64_t k = 0; k < d * d; ++k) {
    for (const std::int64_t i : {k / d, k % d}) {
      double& of_i = largest[static_cast<std::size_t>(i)];
      of_i = std::max(of_i, std::abs(matrix[static_cast<std::size_t>(k)]));
    }
  }
  for (std::int64_t i = 0; i < d; ++i) {
    for (std::int64_t j = 0; j < d; ++j) {
      const double beside =
          std::max(largest[static_cast<std::size_t>(i)], largest[static_cast<std::size_t>(j)]);
      const double here = matrix[place(i, j, d)];
      const double across = matrix[place(j, i, d)];
      if (!(std::abs(here - across) <= kAsymmetry * beside))
        throw BadMatrix{BadMatrix::kNotSymmetric, name, i, j};
      out[place(i, j, d)] = (static_cast<long double>(here) + static_cast<long double>(across)) / 2;
    }
  }
  return out;
}

/// Turns the lower triangle of a matrix into C with matrix = C C^T (Cholesky, row by row), and makes the rest
/// 0. Stops at a pivot that is 0 up to rounding (the matrix is then singular), or below (it has a negative
/// square).
struct Cholesky {
  std::int64_t singular = -1;  ///< such a feature
  std::int64_t negative = -1;

  bool complete() const { return singular < 0 && negative < 0; }
};

Cholesky factorise(Square* matrix, std::int64_t d, long double rounding, const std::function<void()>& go_on) {
  long double* const rows = matrix->data();
  for (std::int64_t i = 0; i < d; ++i) {
    go_on();
    long double* const row = rows + i * d;
    const long double diagonal = row[i];
    for (std::int64_t j = 0; j <= i; ++j) {
      const long double* const before = rows + j * d;
      long double sum = row[j];
      for (std::int64_t k = 0; k < j; ++k) sum -= row[k] * before[k];
      row[j] = j < i ? sum / before[j] : sum;
    }
    if (!(row[i] >= -rounding * std::abs(diagonal))) return {.negative = i};
    if (row[i] <= rounding * std::abs(diagonal)) return {.singular = i};
    row[i] = std::sqrt(row[i]);
    std::fill(row + i + 1, row + d, 0.0L);
  }
  return {};
}

/// L [d, d] with matrix = L L^T for a matrix that is singular, as a pseudo-inverse is: the largest pivot
/// first, in units of the diagonal, until what is left is rounding: nothing, or with a negative square.
/// Throws the feature of a square that is more negative than that.
Square pivoted_root(Square left, std::int64_t d, const std::function<void()>& go_on) {
  Square root(left.size());
  std::vector<long double> unit(static_cast<std::size_t>(d));  // of each feature: 1 / sqrt(diagonal)
  for (std::int64_t i = 0; i < d; ++i) {
    const long double diagonal = std::abs(left[place(i, i, d)]);
    unit[static_cast<std::size_t>(i)] = diagonal > 0 ? 1 / std::sqrt(diagonal) : 1;
  }
  for (std::int64_t k = 0; k < d; ++k) {
    go_on();
    std::int64_t best = 0;
    long double pivot = -1;   // in units
    long double largest = 0;  // of all elements, which has to be a pivot
    std::int64_t of_largest = 0;
    for (std::int64_t i = 0; i < d; ++i) {
      for (std::int64_t j = 0; j <= i; ++j) {
        const long double scaled =
            left[place(i, j, d)] * unit[static_cast<std::size_t>(i)] * unit[static_cast<std::size_t>(j)];
        if (i == j && scaled > pivot) std::tie(pivot, best) = std::pair(scaled, i);
        if (std::abs(scaled) > largest) std::tie(largest, of_largest) = std::pair(std::abs(scaled), i);
      }
    }
    if (largest <= 0x1p-62L * static_cast<long double>(d)) break;
    if (pivot < largest / 2) {
      if (largest > kRoundingOfInverse) throw BadMatrix{BadMatrix::kNegative, "VI", of_largest, of_largest};
      break;
    }
    const long double divisor = std::sqrt(left[place(best, best, d)]);
    for (std::int64_t i = 0; i < d; ++i) {
      root[place(i, k, d)] = left[i >= best ? place(i, best, d) : place(best, i, d)] / divisor;
    }
    for (std::int64_t i = 0; i < d; ++i) {
      for (std::int64_t j = 0; j <= i; ++j)
        left[place(i, j, d)] -= root[place(i, k, d)] * root[place(j, k, d)];
    }
  }
  return root;
}

void require_covariance(const Cholesky& found) {
  if (found.negative >= 0) throw BadMatrix{BadMatrix::kNegative, "V", found.negative, found.negative};
  if (found.singular >= 0) throw BadMatrix{BadMatrix::kSingular, "V", found.singular, found.singular};
}

}  // namespace

WhitenedRows::WhitenedRows(const PreparationParameters& given)
    : d_(given.d), inverse_(!given.parameters.VI.empty()), centre_(given.centre) {
  if (centre_.empty()) centre_.assign(static_cast<std::size_t>(d_), 0.0);
  if (inverse_) {
    factor_ = symmetric(given.parameters.VI, d_, "VI");
    if (!factorise(&factor_, d_, rounding_of_given(d_), given.go_on).complete())
      factor_ = pivoted_root(symmetric(given.parameters.VI, d_, "VI"), d_, given.go_on);
  } else if (!given.covariance.empty()) {
    factor_ = given.covariance;
    require_covariance(factorise(&factor_, d_, kRoundingOfData, given.go_on));
  } else {
    factor_ = symmetric(given.parameters.V, d_, "V");
    require_covariance(factorise(&factor_, d_, rounding_of_given(d_), given.go_on));
  }
}

void WhitenedRows::prepare(const double* row, bool, double* prepared) const {
  if (!std::all_of(row, row + d_, [](double value) { return std::isfinite(value); })) {
    std::fill_n(prepared, d_, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  std::vector<long double> moved(static_cast<std::size_t>(d_));
  for (std::size_t f = 0; f < moved.size(); ++f)
    moved[f] = static_cast<long double>(row[f]) - static_cast<long double>(centre_[f]);
  for (std::int64_t i = 0; i < d_; ++i) {
    if (inverse_) {
      long double sum = 0;
      for (std::int64_t j = 0; j < d_; ++j)
        sum += factor_[static_cast<std::size_t>(j * d_ + i)] * moved[static_cast<std::size_t>(j)];
      prepared[i] = static_cast<double>(sum);
    } else {
      const long double* const of_row = factor_.data() + i * d_;
      long double sum = moved[static_cast<std::size_t>(i)];
      for (std::int64_t j = 0; j < i; ++j) sum -= of_row[j] * moved[static_cast<std::size_t>(j)];
      moved[static_cast<std::size_t>(i)] = sum / of_row[i];
      prepared[i] = static_cast<double>(moved[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace quadrance::internal
