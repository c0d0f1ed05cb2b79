// SPDX-License-Identifier: Apache-2.0
// Brings rows of a view into the layout the kernels read: panels of `width` points, feature by feature.
#pragma once

#include <cstdint>

#include "quadrance/matrix.h"

namespace quadrance::internal {

/// What a row says about the distances it takes part in, as bits.
enum RowFlag : std::uint8_t {
  kFinite = 0,
  kNotFinite = 1,  ///< holds NaN or Inf: an infinite result is the right one
  kFine = 2,   ///< holds an element other than 0 below RowLimits::coarse: a tiny result may have lost digits
  kLarge = 4,  ///< holds a finite element of at least RowLimits::large: a result may have overflowed
};

/// Magnitudes that rows are flagged by.
template <class T>
struct RowLimits {
  T coarse;
  T large;
};

/// Packs `count` rows from first_row on into panels [ceil(count / width)][cols][width] of T, converting
/// elements exactly (the plan chose T so that it holds them). The last panel is filled up with its last row.
/// flags [count] receives RowFlag bits; null: not wanted.
template <class T>
void pack_panels(const MatrixView& x, std::int64_t first_row, std::int64_t count, std::int64_t width,
                 const RowLimits<T>& limits, T* panels, std::uint8_t* flags);

/// Throws kDtype, naming row and column, if an integer of x is beyond 2^53.
void require_exact_integers(const MatrixView& x, const char* which);

}  // namespace quadrance::internal
