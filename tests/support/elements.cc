// SPDX-License-Identifier: Apache-2.0
#include "support/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

namespace quadrance::testing {
namespace {

/// A binary float of 16 bits: sign, exponent, fraction.
struct SmallFloat {
  int exponent_bits;
  int fraction_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int smallest_exponent() const { return 1 - bias(); }
  std::uint16_t infinity() const {
    return static_cast<std::uint16_t>(((1 << exponent_bits) - 1) << fraction_bits);
  }
};
constexpr SmallFloat kFloat16{5, 10};
constexpr SmallFloat kBfloat16{8, 7};

long double decode_small(SmallFloat format, std::uint16_t bits) {
  const int magnitude = bits & 0x7fff;
  const int exponent = magnitude >> format.fraction_bits;
  const int one = 1 << format.fraction_bits;
  const int fraction = magnitude & (one - 1);
  long double value = 0;
  if (magnitude > format.infinity()) {
    value = std::numeric_limits<long double>::quiet_NaN();
  } else if (magnitude == format.infinity()) {
    value = std::numeric_limits<long double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<long double>(fraction), format.smallest_exponent() - format.fraction_bits);
  } else {
    value =
        std::ldexp(static_cast<long double>(one + fraction), exponent - format.bias() - format.fraction_bits);
  }
  return bits >= 0x8000 ? -value : value;
}

std::uint16_t encode_small(SmallFloat format, long double value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  const int infinity = format.infinity();
  if (std::isnan(value))
    return static_cast<std::uint16_t>(sign | infinity | (1 << (format.fraction_bits - 1)));
  const long double magnitude = std::fabs(value);
  int bits = infinity;
  if (magnitude < std::ldexp(1.0L, format.bias() + 1)) {
    const int exponent = std::max(magnitude == 0 ? format.smallest_exponent() : std::ilogb(magnitude),
                                  format.smallest_exponent());
    // Counts steps of the format; the leading 1 of a normal number, or a carry of the rounding, lands in the
    // exponent field by itself.
    const auto steps = std::lrint(std::ldexp(magnitude, format.fraction_bits - exponent));
    bits = static_cast<int>(steps) + ((exponent - format.smallest_exponent()) << format.fraction_bits);
  }
  return static_cast<std::uint16_t>(sign | bits);
}

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <class T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

template <class T>
void store_integer(std::byte* at, long double value) {
  const auto lowest = static_cast<long double>(std::numeric_limits<T>::lowest());
  const auto highest = static_cast<long double>(std::numeric_limits<T>::max());
  if (!(value >= lowest && value <= highest) || std::trunc(value) != value) {
    throw std::invalid_argument("[encode] " + std::to_string(value) + " is no value of the integer dtype");
  }
  store(at, static_cast<T>(value));
}

}  // namespace

std::int64_t bytes_of(DType dtype) {
  switch (dtype) {
    case DType::kBool:
    case DType::kInt8:
    case DType::kUint8:
      return 1;
    case DType::kInt16:
    case DType::kUint16:
    case DType::kFloat16:
    case DType::kBfloat16:
      return 2;
    case DType::kInt32:
    case DType::kUint32:
    case DType::kFloat32:
      return 4;
    case DType::kInt64:
    case DType::kUint64:
    case DType::kFloat64:
      break;
  }
  return 8;
}

bool is_float(DType dtype) { return dtype >= DType::kFloat16; }

long double decode(DType dtype, const std::byte* at) {
  switch (dtype) {
    case DType::kBool:
      return load<std::uint8_t>(at) == 0 ? 0 : 1;
    case DType::kInt8:
      return load<std::int8_t>(at);
    case DType::kUint8:
      return load<std::uint8_t>(at);
    case DType::kInt16:
      return load<std::int16_t>(at);
    case DType::kUint16:
      return load<std::uint16_t>(at);
    case DType::kInt32:
      return load<std::int32_t>(at);
    case DType::kUint32:
      return load<std::uint32_t>(at);
    case DType::kInt64:
      return static_cast<long double>(load<std::int64_t>(at));
    case DType::kUint64:
      return static_cast<long double>(load<std::uint64_t>(at));
    case DType::kFloat16:
      return decode_small(kFloat16, load<std::uint16_t>(at));
    case DType::kBfloat16:
      return decode_small(kBfloat16, load<std::uint16_t>(at));
    case DType::kFloat32:
      return load<float>(at);
    case DType::kFloat64:
      break;
  }
  return load<double>(at);
}

void encode(DType dtype, long double value, std::byte* at) {
  switch (dtype) {
    case DType::kBool:
      if (value != 0 && value != 1) throw std::invalid_argument("[encode] a bool is 0 or 1");
      return store(at, static_cast<std::uint8_t>(value));
    case DType::kInt8:
      return store_integer<std::int8_t>(at, value);
    case DType::kUint8:
      return store_integer<std::uint8_t>(at, value);
    case DType::kInt16:
      return store_integer<std::int16_t>(at, value);
    case DType::kUint16:
      return store_integer<std::uint16_t>(at, value);
    case DType::kInt32:
      return store_integer<std::int32_t>(at, value);
    case DType::kUint32:
      return store_integer<std::uint32_t>(at, value);
    case DType::kInt64:
      return store_integer<std::int64_t>(at, value);
    case DType::kUint64:
      return store_integer<std::uint64_t>(at, value);
    case DType::kFloat16:
      return store(at, encode_small(kFloat16, value));
    case DType::kBfloat16:
      return store(at, encode_small(kBfloat16, value));
    case DType::kFloat32:
      return store(at, static_cast<float>(value));
    case DType::kFloat64:
      return store(at, static_cast<double>(value));
  }
}

}  // namespace quadrance::testing
