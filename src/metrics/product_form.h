// SPDX-License-Identifier: Apache-2.0
// A sum of squared differences by products, one instruction a feature where differences take two:
//   |x - y|^2 = |x'|^2 + |y'|^2 - 2 x'.y' + t (d t + 2 (sum x' - sum y')),  t = mean(x) - mean(y),
// x' and y' the rows without their means (rounded, and what is left of the sums counted). The mean is the
// row's own: one of all rows would change with every other row. Its error is one of s = |x'|^2 + |y'|^2, so
// it is taken only for pairs that are not near beside that, which the pair alone tells.
#pragma once

#include <cstdint>

namespace quadrance::internal {

/// From this many features on, more than one block: then totals are kept anyway (1.45 times faster at d =
/// 136). At d = 128 keeping them costs what the products save.
inline constexpr std::int64_t kProductFeatures = 129;

/// Products summed at a time; the sums of a block of 128 features are added up from four of these. Each
/// product then meets at most 32 + 3 roundings: an error of at most 35 u sum |x' y'| <= 35 u s / 2.
inline constexpr std::int64_t kProductBlock = 32;

/// A pair is near if its square is below this part of s. The square of any other is off by at most, in u of
/// itself:
///   35 / kNear = 224        for the products
///   2 sqrt(2 / kNear) = 8   for the rounding of the elements of x' and y', each by u
///   2 / kNear = 13          for the squares and sums of the rows (float64; below 1 in float32)
///   6                       for the difference of the means and the last roundings
/// together 251, within the 2 * 128 + 8 of direct differences.
inline constexpr double kNear = 5.0 / 32;

/// The square of a mean, times d, is at most this many times the row's square. In float64 sum x', what
/// rounding of the mean leaves over, then is below 2^-13 sqrt(d) |x'|, and the roundings of its term are
/// nothing; in float32 that term is computed in float64, whose roundings are nothing.
inline constexpr double kMostOffset = 0x1p80;

/// Rows that products are taken for, as exponents of two. Of squares: above, sums could overflow; below,
/// products under the normal range, each off by up to 2^-150 (2^-1075), would count.
struct ProductRange {
  int least;
  int most;
  int most_mean;
};

}  // namespace quadrance::internal
