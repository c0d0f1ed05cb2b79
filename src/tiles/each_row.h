// SPDX-License-Identifier: Apache-2.0
// All rows of points one by one, as float64: for what is taken from the data before any tile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "input/pack.h"
#include "quadrance/matrix.h"

namespace quadrance::internal {

/// Calls body(row) for each row.
template <class Body>
void for_each_row(const MatrixView& x, const std::function<void()>& go_on, const Body& body) {
  std::vector<double> rows(static_cast<std::size_t>(std::min(kRowsBetweenCalls, x.rows) * x.cols));
  for (std::int64_t first = 0; first < x.rows; first += kRowsBetweenCalls) {
    const std::int64_t count = std::min(kRowsBetweenCalls, x.rows - first);
    go_on();
    pack_rows<double>(x, first, count, rows.data(), x.cols);
    for (std::int64_t r = 0; r < count; ++r) body(rows.data() + r * x.cols);
  }
}

/// Of x, then of y if it is not null.
template <class Body>
void for_each_row_of_both(const MatrixView& x, const MatrixView* y, const std::function<void()>& go_on,
                          const Body& body) {
  for_each_row(x, go_on, body);
  if (y != nullptr) for_each_row(*y, go_on, body);
}

}  // namespace quadrance::internal
