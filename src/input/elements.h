// SPDX-License-Identifier: Apache-2.0
// Reads elements of any dtype and alignment as float or double.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "quadrance/matrix.h"

namespace quadrance::internal {

struct Float16 {
  std::uint16_t bits;
};
struct Bfloat16 {
  std::uint16_t bits;
};

/// IEEE binary16 has 5 exponent and 10 mantissa bits; every value is a float32.
inline float to_float(Float16 value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t magnitude = value.bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {  // Inf, NaN: keep the payload
    return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  }
  // Shifted into float32's fields the exponent is short by 127 - 15; multiplying puts that right, subnormals
  // too.
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(scaled));
}
inline float to_float(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}

/// The element at `at`, which may be misaligned.
template <class Source, class T>
T load_element(const std::byte* at) {
  if constexpr (std::is_same_v<Source, bool>) {
    return at[0] != std::byte{0} ? T{1} : T{0};
  } else {
    Source value;
    std::memcpy(&value, at, sizeof(Source));
    if constexpr (std::is_same_v<Source, Float16> || std::is_same_v<Source, Bfloat16>) {
      return static_cast<T>(to_float(value));
    } else {
      return static_cast<T>(value);
    }
  }
}

template <class Source>
struct SourceType {
  using type = Source;
};

/// Calls f(SourceType<S>{}) with the C++ type S of the dtype.
template <class F>
decltype(auto) with_source_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kBool:
      return f(SourceType<bool>{});
    case DType::kInt8:
      return f(SourceType<std::int8_t>{});
    case DType::kUint8:
      return f(SourceType<std::uint8_t>{});
    case DType::kInt16:
      return f(SourceType<std::int16_t>{});
    case DType::kUint16:
      return f(SourceType<std::uint16_t>{});
    case DType::kInt32:
      return f(SourceType<std::int32_t>{});
    case DType::kUint32:
      return f(SourceType<std::uint32_t>{});
    case DType::kInt64:
      return f(SourceType<std::int64_t>{});
    case DType::kUint64:
      return f(SourceType<std::uint64_t>{});
    case DType::kFloat16:
      return f(SourceType<Float16>{});
    case DType::kBfloat16:
      return f(SourceType<Bfloat16>{});
    case DType::kFloat32:
      return f(SourceType<float>{});
    case DType::kFloat64:
      break;
  }
  return f(SourceType<double>{});
}

}  // namespace quadrance::internal
