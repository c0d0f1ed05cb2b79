// SPDX-License-Identifier: Apache-2.0
#include "tiles/ranges.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "tiles/each_row.h"

namespace quadrance::internal {

std::vector<long double> ranges(const MatrixView& x, const MatrixView* y,
                                const std::function<void()>& go_on) {
  const auto d = static_cast<std::size_t>(x.cols);
  std::vector<double> smallest(d, HUGE_VAL);
  std::vector<double> largest(d, -HUGE_VAL);
  for_each_row_of_both(x, y, go_on, [&](const double* row) {
    for (std::size_t f = 0; f < d; ++f) {
      if (!std::isfinite(row[f])) continue;
      smallest[f] = std::min(smallest[f], row[f]);
      largest[f] = std::max(largest[f], row[f]);
    }
  });
  std::vector<long double> out(d);
  for (std::size_t f = 0; f < d; ++f) {
    if (smallest[f] < largest[f]) out[f] = static_cast<long double>(largest[f]) - smallest[f];
  }
  return out;
}

}  // namespace quadrance::internal
