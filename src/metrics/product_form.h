// SPDX-License-Identifier: Apache-2.0
// A sum of squared differences by products: |x|^2 + |y|^2 - 2 x.y takes one instruction a feature where the
// differences take two. Its error is one of |x|^2 + |y|^2, so it is taken only for pairs that are not near
// each other beside their lengths, and where that is so is told by the pair alone.
#pragma once

#include <cstdint>

namespace quadrance::internal {

/// From this many features on, more than one block: then totals are kept anyway (1.45 times faster at d =
/// 136). At d = 128 keeping them costs what the products save.
inline constexpr std::int64_t kProductFeatures = 129;

/// Products summed at a time; the sums of a block of 128 features are added up from four of these. Each
/// product then meets at most 32 + 3 roundings: an error of at most 35 u sum |x y| <= 35 u s / 2, s = |x|^2 +
/// |y|^2.
inline constexpr std::int64_t kProductBlock = 32;

/// A pair is near if its square is below this part of s. All others have a square with a relative error of at
/// most 35 u / kNear = 249 u. The squares of the rows and the last roundings add 9 u at most (float64; 2 u in
/// float32): within the (2 * 128 + 8) u of direct differences.
inline constexpr double kNear = 9.0 / 64;

/// Squares of rows that products are taken for, as exponents of two, or 0. Above, sums could overflow; below,
/// products under the normal range, each off by up to 2^-150 (2^-1075), would count.
struct SquareRange {
  int least;
  int most;
};

}  // namespace quadrance::internal
