// SPDX-License-Identifier: Apache-2.0
#include "metrics/whitened_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace quadrance::internal {
namespace {

using Square = std::vector<long double>;

/// Rounding leaves matrix products and inverses as unsymmetric as this, relative to the largest element of
/// the row or column: features in units of their own differ by many orders, and so does the rounding of their
/// elements.
constexpr double kAsymmetry = 1e-8;
// A pivot below this part of its diagonal element is rounding: what is left of a feature after those before
// it are taken off, in elements of 53 bits.
constexpr long double kSingular = 0x1p-46L;

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
      const auto ij = static_cast<std::size_t>(i * d + j);
      const auto ji = static_cast<std::size_t>(j * d + i);
      const double beside =
          std::max(largest[static_cast<std::size_t>(i)], largest[static_cast<std::size_t>(j)]);
      if (!(std::abs(matrix[ij] - matrix[ji]) <= kAsymmetry * beside))
        throw BadMatrix{BadMatrix::kNotSymmetric, name, i, j};
      out[ij] = (static_cast<long double>(matrix[ij]) + static_cast<long double>(matrix[ji])) / 2;
    }
  }
  return out;
}

/// The lower triangle C with matrix = C C^T. A pivot that is 0 up to rounding makes its column 0 (the matrix
/// is then singular); below that the matrix has a negative square.
struct Cholesky {
  Square lower;
  std::int64_t singular = -1;  ///< the first such feature
  std::int64_t negative = -1;
};

Cholesky factorise(const Square& matrix, std::int64_t d) {
  Cholesky out{Square(matrix.size()), -1, -1};
  const auto at = [d](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * d + j); };
  for (std::int64_t j = 0; j < d; ++j) {
    long double pivot = matrix[at(j, j)];
    for (std::int64_t k = 0; k < j; ++k) pivot -= out.lower[at(j, k)] * out.lower[at(j, k)];
    const long double rounding = kSingular * std::abs(matrix[at(j, j)]);
    if (!(pivot >= -rounding)) {
      out.negative = j;
      return out;
    }
    if (pivot <= rounding) {
      if (out.singular < 0) out.singular = j;
      continue;
    }
    const long double root = std::sqrt(pivot);
    out.lower[at(j, j)] = root;
    for (std::int64_t i = j + 1; i < d; ++i) {
      long double sum = matrix[at(i, j)];
      for (std::int64_t k = 0; k < j; ++k) sum -= out.lower[at(i, k)] * out.lower[at(j, k)];
      out.lower[at(i, j)] = sum / root;
    }
  }
  return out;
}

/// L [d, d] with matrix = L L^T for a matrix that may be singular, as a pseudo-inverse is: the largest pivot
/// first, in units of the diagonal, until what is left is rounding.
struct Root {
  Square root;
  std::int64_t negative = -1;  ///< a feature with a negative square
};

Root pivoted_root(Square left, std::int64_t d) {
  constexpr long double kRounding = 0x1p-36L;  // of pseudo-inverses of condition 1e5
  Root out{Square(left.size()), -1};
  const auto at = [d](std::int64_t i, std::int64_t j) { return static_cast<std::size_t>(i * d + j); };
  std::vector<long double> unit(static_cast<std::size_t>(d));
  for (std::int64_t i = 0; i < d; ++i) unit[static_cast<std::size_t>(i)] = std::abs(left[at(i, i)]);
  const auto pivot_of = [&](std::int64_t i) {
    const long double size = unit[static_cast<std::size_t>(i)];
    return size > 0 ? left[at(i, i)] / size : 0;
  };
  for (std::int64_t k = 0; k < d; ++k) {
    std::int64_t best = 0;
    for (std::int64_t i = 0; i < d; ++i) {
      if (pivot_of(i) > pivot_of(best)) best = i;
      if (pivot_of(i) < -kRounding) {
        out.negative = i;
        return out;
      }
    }
    if (pivot_of(best) <= kRounding) break;
    const long double root = std::sqrt(left[at(best, best)]);
    for (std::int64_t i = 0; i < d; ++i) out.root[at(i, k)] = left[at(i, best)] / root;
    for (std::int64_t i = 0; i < d; ++i) {
      for (std::int64_t j = 0; j < d; ++j) left[at(i, j)] -= out.root[at(i, k)] * out.root[at(j, k)];
    }
  }
  for (std::int64_t i = 0; i < d;
       ++i) {  // a square of 0 beside products that are not: one of them is negative
    for (std::int64_t j = 0; j < d; ++j) {
      const long double sizes = unit[static_cast<std::size_t>(i)] * unit[static_cast<std::size_t>(j)];
      if (std::abs(left[at(i, j)]) > 4 * kRounding * std::sqrt(sizes)) out.negative = i;
    }
  }
  return out;
}

}  // namespace

WhitenedRows::WhitenedRows(const PreparationParameters& given)
    : d_(given.d), inverse_(!given.parameters.VI.empty()), centre_(given.centre) {
  if (centre_.empty()) centre_.assign(static_cast<std::size_t>(d_), 0.0);
  if (inverse_) {
    Root found = pivoted_root(symmetric(given.parameters.VI, d_, "VI"), d_);
    if (found.negative >= 0) throw BadMatrix{BadMatrix::kNegative, "VI", found.negative, found.negative};
    factor_ = std::move(found.root);
    return;
  }
  Cholesky found = factorise(symmetric(given.parameters.V, d_, "V"), d_);
  if (found.negative >= 0) throw BadMatrix{BadMatrix::kNegative, "V", found.negative, found.negative};
  if (found.singular >= 0) throw BadMatrix{BadMatrix::kSingular, "V", found.singular, found.singular};
  factor_ = std::move(found.lower);
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
