// SPDX-License-Identifier: Apache-2.0
#include "finite.h"

#include <cstddef>
#include <cstring>

namespace quadrance::python {
namespace {

/// Bits of a floating-point format: all exponent bits set means Inf (mantissa 0) or NaN.
template <class Bits>
struct Format {
  Bits magnitude;  // everything but the sign
  Bits infinity;
};

template <class Bits>
Bits load(const std::byte* at) {
  Bits bits;
  std::memcpy(&bits, at, sizeof(bits));
  return bits;
}

/// Branch-free, so that contiguous rows are read at the speed of memory.
template <class Bits>
bool any_not_finite(const std::byte* row, std::int64_t cols, std::int64_t stride, Format<Bits> format) {
  Bits found = 0;
  if (stride == std::int64_t{sizeof(Bits)}) {
    for (std::int64_t f = 0; f < cols; ++f) {
      const Bits magnitude = load<Bits>(row + f * std::int64_t{sizeof(Bits)}) & format.magnitude;
      found |= static_cast<Bits>(magnitude >= format.infinity);
    }
  } else {
    for (std::int64_t f = 0; f < cols; ++f) {
      found |= static_cast<Bits>((load<Bits>(row + f * stride) & format.magnitude) >= format.infinity);
    }
  }
  return found != 0;
}

template <class Bits>
std::optional<NotFinite> find(const MatrixView& view, bool allow_nan, Format<Bits> format) {
  for (std::int64_t i = 0; i < view.rows; ++i) {
    const std::byte* row = static_cast<const std::byte*>(view.data) + i * view.row_stride;
    if (!any_not_finite(row, view.cols, view.col_stride, format)) continue;
    for (std::int64_t f = 0; f < view.cols; ++f) {
      const Bits magnitude = load<Bits>(row + f * view.col_stride) & format.magnitude;
      const bool nan = magnitude > format.infinity;
      if (magnitude >= format.infinity && !(nan && allow_nan)) return NotFinite{i, f, nan};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<NotFinite> find_not_finite(const MatrixView& view, bool allow_nan) {
  switch (view.dtype) {
    case DType::kFloat16:
      return find<std::uint16_t>(view, allow_nan, {0x7fff, 0x7c00});
    case DType::kBfloat16:
      return find<std::uint16_t>(view, allow_nan, {0x7fff, 0x7f80});
    case DType::kFloat32:
      return find<std::uint32_t>(view, allow_nan, {0x7fffffff, 0x7f800000});
    case DType::kFloat64:
      return find<std::uint64_t>(view, allow_nan, {0x7fffffffffffffff, 0x7ff0000000000000});
    default:
      return std::nullopt;
  }
}

}  // namespace quadrance::python
