// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace quadrance {

/// What a job leaves behind.
enum class Layout {
  kDense,      ///< the matrix, [n, m]
  kCondensed,  ///< the pairs i < j of one set row by row, [n (n-1) / 2]: SciPy's pdist order
};

/// Elements of the condensed triangle of n points.
constexpr std::int64_t condensed_size(std::int64_t n) noexcept {
  // One factor is even: halve that one first, so that n up to 2^32 does not overflow.
  return n < 2 ? 0 : (n % 2 == 0 ? (n / 2) * (n - 1) : n * ((n - 1) / 2));
}

/// Where the pair (i, j), i != j, stands in the condensed triangle of n points.
constexpr std::int64_t condensed_index(std::int64_t n, std::int64_t i, std::int64_t j) noexcept {
  const std::int64_t low = std::min(i, j);
  const std::int64_t high = std::max(i, j);
  return condensed_size(n) - condensed_size(n - low) + (high - low - 1);
}

}  // namespace quadrance
