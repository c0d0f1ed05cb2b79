// SPDX-License-Identifier: Apache-2.0
// Brings rows of a view side by side, in the dtype they are computed in.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "quadrance/matrix.h"

namespace quadrance::internal {

/// Rows between two calls of a go_on(), which may throw, to cancel.
inline constexpr std::int64_t kRowsBetweenCalls = 64;

/// Converts `count` rows of x from first_row on to rows [count, x.cols], exactly (the plan chose T so that it
/// holds them), with `stride` elements from row to row. What is left of the stride is filled with zeros.
template <class T>
void pack_rows(const MatrixView& x, std::int64_t first_row, std::int64_t count, T* rows, std::int64_t stride);

/// How many of a row's bits are set in some row of x, of integers.
std::int64_t count_bits_in_use(const MatrixView& x, const std::function<void()>& go_on);

/// Throws kDtype, naming row and column, if an integer of x is beyond 2^53. go_on: called every few rows; may
/// throw, to cancel.
void require_exact_integers(const MatrixView& x, std::string_view which, const std::function<void()>& go_on);

}  // namespace quadrance::internal
