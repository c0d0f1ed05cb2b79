// SPDX-License-Identifier: Apache-2.0
// Elements of every dtype as long double and back, written apart from src/input so that a fault there shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "quadrance/matrix.h"

namespace quadrance::testing {

// 64 bits of mantissa hold every uint64 and int64; 15 bits of exponent hold the square of every float64.
static_assert(std::numeric_limits<long double>::digits >= 64 &&
                  std::numeric_limits<long double>::max_exponent >= 16384,
              "the oracle needs x87's 80-bit or IEEE's 128-bit long double");

inline constexpr DType kAllDTypes[] = {
    DType::kBool,     DType::kInt8,    DType::kUint8,   DType::kInt16,  DType::kUint16,
    DType::kInt32,    DType::kUint32,  DType::kInt64,   DType::kUint64, DType::kFloat16,
    DType::kBfloat16, DType::kFloat32, DType::kFloat64,
};

/// Bytes of one element.
std::int64_t bytes_of(DType dtype);

bool is_float(DType dtype);

/// The element at `at`, exactly; `at` may be misaligned. A bool is 1 if its byte is not 0.
long double decode(DType dtype, const std::byte* at);

/// Writes value at `at`, rounded to nearest even for floats.
/// Errors: std::invalid_argument if an integer dtype does not hold it exactly.
void encode(DType dtype, long double value, std::byte* at);

/// Where element [i, j] of a view lies.
inline const std::byte* address_of(const MatrixView& view, std::int64_t i, std::int64_t j) {
  return static_cast<const std::byte*>(view.data) + i * view.row_stride + j * view.col_stride;
}

}  // namespace quadrance::testing
