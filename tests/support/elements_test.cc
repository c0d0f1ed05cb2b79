// SPDX-License-Identifier: Apache-2.0
// What:  decoding and encoding of elements, against bit patterns known without them.
// Why:   the oracle reads its inputs this way; a value decoded wrongly would be blamed on the library.
// Sizes: every code of the 16-bit floats; the ends of every other dtype.
// Tolerances: none; every value is exact.
// Out of scope: strides (oracle_test.cc), the refusal of values an integer dtype lacks (generators_test.cc).
#include "support/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace quadrance::testing {
namespace {

using Row = std::vector<long double>;

constexpr long double kInf = std::numeric_limits<long double>::infinity();
constexpr long double kLargest = std::numeric_limits<double>::max();

/// The elements of an array, read as a dtype.
template <class T, std::size_t N>
Row decoded(const T (&array)[N], DType dtype) {
  Row row;
  for (const T& element : array) row.push_back(decode(dtype, reinterpret_cast<const std::byte*>(&element)));
  return row;
}

TEST(Decode, ReadsIntegersExactly) {
  const std::uint8_t bools[] = {0, 1, 2, 255};
  EXPECT_EQ(decoded(bools, DType::kBool), (Row{0, 1, 1, 1}));
  EXPECT_EQ(decoded(bools, DType::kUint8), (Row{0, 1, 2, 255}));
  EXPECT_EQ(decoded(bools, DType::kInt8), (Row{0, 1, 2, -1}));
  const std::uint16_t shorts[] = {0, 0x7fff, 0x8000, 0xffff};
  EXPECT_EQ(decoded(shorts, DType::kUint16), (Row{0, 32767, 32768, 65535}));
  EXPECT_EQ(decoded(shorts, DType::kInt16), (Row{0, 32767, -32768, -1}));
  const std::uint32_t words[] = {0, 0x7fffffff, 0x80000000, 0xffffffff};
  EXPECT_EQ(decoded(words, DType::kUint32), (Row{0, 2147483647.0L, 2147483648.0L, 4294967295.0L}));
  EXPECT_EQ(decoded(words, DType::kInt32), (Row{0, 2147483647.0L, -2147483648.0L, -1}));
  const std::uint64_t longs[] = {0x0020000000000001, 0x7fffffffffffffff, 0x8000000000000000, ~0ull};
  EXPECT_EQ(decoded(longs, DType::kUint64), (Row{0x1p53L + 1, 0x1p63L - 1, 0x1p63L, 0x1p64L - 1}));
  EXPECT_EQ(decoded(longs, DType::kInt64), (Row{0x1p53L + 1, 0x1p63L - 1, -0x1p63L, -1}));
}

TEST(Decode, ReadsFloatsExactly) {
  const float singles[] = {0.1f, std::numeric_limits<float>::denorm_min(),
                           -std::numeric_limits<float>::max()};
  EXPECT_EQ(decoded(singles, DType::kFloat32), (Row{0.1f, 0x1p-149L, -0x1.fffffep127L}));
  const double doubles[] = {0.1, -5e-324, std::numeric_limits<double>::max(), HUGE_VAL};
  EXPECT_EQ(decoded(doubles, DType::kFloat64), (Row{0.1, -0x1p-1074L, kLargest, kInf}));
  const std::uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7c00, 0xfc00, 0x3555};
  EXPECT_EQ(decoded(halves, DType::kFloat16),
            (Row{1, -2, 0x1p-24L, 0x1.ff8p-15L, 0x1p-14L, 65504, kInf, -kInf, 0x1.554p-2L}));
  const std::uint16_t brains[] = {0x3f80, 0xc000, 0x0001, 0x007f, 0x0080, 0x7f7f, 0x7f80, 0xff80};
  EXPECT_EQ(decoded(brains, DType::kBfloat16),
            (Row{1, -2, 0x1p-133L, 0x1.fcp-127L, 0x1p-126L, 0x1.fep127L, kInf, -kInf}));
}

bool same_value(long double a, long double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

TEST(Decode, ReadsEveryBfloat16AsTheUpperHalfOfAFloat32) {
  for (std::uint32_t code = 0; code <= 0xffff; ++code) {
    const std::uint16_t bits[] = {static_cast<std::uint16_t>(code)};
    ASSERT_TRUE(same_value(decoded(bits, DType::kBfloat16)[0], std::bit_cast<float>(code << 16))) << code;
  }
}

// By what float16 is: 11 bits of significand, 2^-24 the smallest step.
TEST(Decode, EveryFloat16IsOneStepAboveTheCodeBelow) {
  long double expected = 0;
  for (int code = 0; code <= 0x7fff; ++code) {
    const std::uint16_t bits[] = {static_cast<std::uint16_t>(code),
                                  static_cast<std::uint16_t>(code | 0x8000)};
    const Row values = decoded(bits, DType::kFloat16);
    if (code == 0x7c00) expected = kInf;
    if (code == 0x7c01) expected = std::numeric_limits<long double>::quiet_NaN();
    ASSERT_TRUE(same_value(values[0], expected)) << code;
    ASSERT_TRUE(same_value(values[1], -expected)) << code;
    expected += std::ldexp(1.0L, std::max(code >> 10, 1) - 25);
  }
}

TEST(Encode, RoundsSmallFloatsToNearestEven) {
  const auto rounded = [](long double value, DType dtype) {
    std::byte bytes[2];
    encode(dtype, value, bytes);
    return decode(dtype, bytes);
  };
  EXPECT_EQ(rounded(2049, DType::kFloat16), 2048);
  EXPECT_EQ(rounded(2051, DType::kFloat16), 2052);
  EXPECT_EQ(rounded(65519, DType::kFloat16), 65504);
  EXPECT_EQ(rounded(-65520, DType::kFloat16), -std::numeric_limits<long double>::infinity());
  EXPECT_EQ(rounded(0x1p-25L, DType::kFloat16), 0);
  EXPECT_EQ(rounded(0x1.8p-24L, DType::kFloat16), 0x1p-23L);
  EXPECT_EQ(rounded(0x1.fffp-15L, DType::kFloat16), 0x1p-14L);
  EXPECT_EQ(rounded(257, DType::kBfloat16), 256);
  EXPECT_EQ(rounded(259, DType::kBfloat16), 260);
  EXPECT_EQ(rounded(3.4e38L, DType::kBfloat16), std::numeric_limits<long double>::infinity());
}

TEST(Encode, InvertsDecodeForEveryCodeOf16Bits) {
  for (const DType dtype : {DType::kFloat16, DType::kBfloat16}) {
    for (std::uint32_t code = 0; code <= 0xffff; ++code) {
      const auto bits = static_cast<std::uint16_t>(code);
      const long double value = decode(dtype, reinterpret_cast<const std::byte*>(&bits));
      std::uint16_t back = 0;
      encode(dtype, value, reinterpret_cast<std::byte*>(&back));
      const long double again = decode(dtype, reinterpret_cast<const std::byte*>(&back));
      ASSERT_TRUE(std::isnan(value) ? std::isnan(again) : back == bits) << code;
    }
  }
}

}  // namespace
}  // namespace quadrance::testing
