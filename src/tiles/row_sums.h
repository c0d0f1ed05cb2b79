// SPDX-License-Identifier: Apache-2.0
// What ProductForm knows of the rows of a set, found once for the job, so that a row's numbers have the same
// bits on either side of a pair.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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
        stride_(row_sums_stride(kernel, x.rows)),
        numbers_(static_cast<std::size_t>(row_sums_size(kernel, x.rows))) {}

  RowSums view() const {
    const double* at = numbers_.data();
    return numbers_.empty() ? RowSums{} : RowSums{at, at + stride_, at + 2 * stride_};
  }
  /// Padding is copies of the last row.
  void pad() {
    for (std::int64_t k = 0; k < 3; ++k) {
      double* column = numbers_.data() + k * stride_;
      std::fill(column + n_, column + stride_, column[n_ - 1]);
    }
  }
  /// Of one row; `row` has room for `stride` elements. Rows may be taken by several threads.
  void take(const MatrixView& x, std::int64_t r, const Kernel<T>& kernel, const Movers& movers, T* row,
            std::int64_t stride) {
    const ProductForm<T>& products = kernel.by_products;
    const auto d = static_cast<double>(x.cols);
    pack_rows<T>(x, r, 1, row, stride);
    const bool zero = std::all_of(row, row + x.cols, [](T value) { return value == 0; });
    const double mean = static_cast<double>(static_cast<T>(movers.template sums<T>(row, x.cols).sum / d));
    take_off_means(&mean, 1, x.cols, row, stride);
    const TwoSums rest = movers.template sums<T>(row, x.cols);
    const bool usable = rest.square >= products.least_square && rest.square <= products.most_square &&
                        std::abs(mean) <= products.most_mean &&
                        mean * mean * d <= products.most_offset * rest.square;
    double* at = numbers_.data() + r;
    at[0] = mean;
    at[stride_] = rest.sum;
    at[2 * stride_] = usable || zero ? rest.square : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::int64_t n_ = 0;
  std::int64_t stride_ = 0;
  std::vector<double> numbers_;  ///< all means, all sums, all squares
};

}  // namespace quadrance::internal
