// SPDX-License-Identifier: Apache-2.0
// How a metric's sums behave at the ends of the range of numbers, and how sums of blocks are put together.
#pragma once

namespace quadrance::internal {

/// Which results are computed again with scaled rows.
enum class Redo {
  kNever,       ///< the plain sums over- and underflow only where the result does
  kOutOfRange,  ///< results whose sums lie outside [2^lowest, the largest number]
  /// Results of rows with an element of 2^large or more, or other than 0 and below 2^coarse: they do not show
  /// that they are wrong.
  kExtremeRows,
};

/// Limits and scalings, as exponents of two.
struct Range {
  int lowest;  ///< sums below are scaled up: products below the normal range have lost digits
  int coarse;  ///< rows whose elements are 0 or at least this large never give such sums
  int large;   ///< rows of smaller elements cannot overflow
  int up;      ///< scaling of differences, for small sums
  int down;    ///< scaling of rows, for large ones

  constexpr Range with_lowest(int exponent) const { return {exponent, coarse, large, up, down}; }
};

/// A metric's o.parameter(i) and o.feature_parameter(i): i below these.
inline constexpr int kMostParameters = 10;
inline constexpr int kMostFeatureParameters = 3;

/// How the accumulators of two blocks of features become one.
enum class Combine {
  kSum,
  kMaximum,
  kCount,  ///< whole numbers, which some backends keep as integers until Ops::number_of()
};

}  // namespace quadrance::internal
