// SPDX-License-Identifier: Apache-2.0
// What ProductForm knows of the rows of a set, found once for the job, so that a row's numbers have the same
// bits on either side of a pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <vector>

#include "backends/backend.h"
#include "input/pack.h"
#include "plan/tile_layout.h"
#include "quadrance/matrix.h"

namespace quadrance::internal {

/// From rows [count, features], stride elements apart. The means are numbers of T.
template <class T>
void take_off_means(const double* means, std::int64_t count, std::int64_t features, T* rows,
                    std::int64_t stride) {
  for (std::int64_t r = 0; r < count; ++r) {
    const T mean = static_cast<T>(means[r]);
    T* row = rows + r * stride;
    for (std::int64_t f = 0; f < features; ++f) row[f] -= mean;
  }
}

/// RowSums of all rows of x, and of the padding behind them.
template <class T>
class RowSumsOf {
 public:
  RowSumsOf() = default;
  RowSumsOf(const MatrixView& x, const Kernel<T>& kernel)
      : n_(x.rows),
        whole_(holds_integers(x.dtype)),
        stride_(row_sums_stride(kernel, x.rows)),
        numbers_(static_cast<std::size_t>(row_sums_size(kernel, x.rows))) {}

  RowSums view() const {
    const double* at = numbers_.data();
    return numbers_.empty() ? RowSums{} : RowSums{at, at + stride_, at + 2 * stride_};
  }
  /// Padding is copies of the last row, which there is.
  void pad() {
    for (std::int64_t k = 0; k < 3; ++k) {
      double* column = numbers_.data() + k * stride_;
      std::fill(column + n_, column + stride_, column[n_ - 1]);
    }
  }
  /// Rows [first, first + count) of x; `rows` has room for as many of `stride` elements. Ranges apart may be
  /// taken by several threads.
  void take(const MatrixView& x, std::int64_t first, std::int64_t count, const Kernel<T>& kernel,
            const Movers& movers, T* rows, std::int64_t stride) {
    pack_rows<T>(x, first, count, rows, stride);
    for (std::int64_t r = 0; r < count; ++r)
      take_row(rows + r * stride, x.cols, kernel.by_products, movers, first + r);
  }

 private:
  static bool holds_integers(DType dtype) {
    return dtype != DType::kFloat16 && dtype != DType::kBfloat16 && dtype != DType::kFloat32 &&
           dtype != DType::kFloat64;
  }

  /// Any number near the mean will do: what it is off by is counted. Eight lanes, as a chain of additions
  /// takes four cycles a number.
  static double sum(const T* row, std::int64_t count) {
    constexpr std::int64_t kLanes = 8;
    double lanes[kLanes] = {};
    for (std::int64_t f = 0; f < count / kLanes * kLanes; f += kLanes) {
      for (std::int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += static_cast<double>(row[f + lane]);
    }
    for (std::int64_t f = count / kLanes * kLanes; f < count; ++f) lanes[0] += static_cast<double>(row[f]);
    return std::accumulate(std::begin(lanes), std::end(lanes), 0.0);
  }

  void take_row(const T* row, std::int64_t features, const ProductForm<T>& products, const Movers& movers,
                std::int64_t r) {
    const auto d = static_cast<double>(features);
    // Off integers a whole number is taken, which leaves integers: products of narrow ones are exact.
    const T mean = static_cast<T>(whole_ ? std::round(sum(row, features) / d) : sum(row, features) / d);
    const TwoSums rest = movers.template sums<T>(row, features, mean);
    const double offset = static_cast<double>(mean);
    const bool usable = rest.square >= products.least_square && rest.square <= products.most_square &&
                        std::abs(offset) <= products.most_mean &&
                        offset * offset * d <= products.most_offset * rest.square;
    const bool zero =
        mean == 0 && rest.square == 0 && std::all_of(row, row + features, [](T value) { return value == 0; });
    double* at = numbers_.data() + r;
    at[0] = offset;
    at[stride_] = rest.sum;
    at[2 * stride_] = usable || zero ? rest.square : std::numeric_limits<double>::quiet_NaN();
  }

  std::int64_t n_ = 0;
  bool whole_ = false;
  std::int64_t stride_ = 0;
  std::vector<double> numbers_;  ///< all means, all sums, all squares
};

}  // namespace quadrance::internal
