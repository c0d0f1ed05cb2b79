// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "backends/backend.h"
#include "backends/power_of_two.h"
#include "metrics/redo.h"

namespace quadrance::internal {

/// The operations a metric is written in, on plain numbers.
template <class T, Scaling kScaling, Range kRange>
struct ScalarOps {
  static constexpr int kDigits = std::numeric_limits<T>::digits;
  static constexpr T kUp = power_of_two<T>(kRange.up);
  static constexpr T kDown = power_of_two<T>(kRange.down);
  T feature_weight = 1;
  T feature_values[kMostFeatureParameters] = {};
  T parameters[kMostParameters] = {};
  T first_result = 0;
  T row_value = 0;
  T column_value = 0;

  T weight() const { return feature_weight; }
  T parameter(int i) const { return parameters[i]; }
  T feature_parameter(int i) const { return feature_values[i]; }
  T first_pass() const { return first_result; }
  T row_summary() const { return row_value; }
  T column_summary() const { return column_value; }
  T count_common(T x, T y, T count) const {
    return count + static_cast<T>(std::popcount(bits_of(x) & bits_of(y)));
  }
  T number_of(T count) const { return count; }
  T difference(T x, T y) const {
    if constexpr (kScaling == Scaling::kUp) return (x - y) * kUp;
    return scaled_down(x) - scaled_down(y);
  }
  T sum(T x, T y) const { return scaled_down(x) + scaled_down(y); }
  void keep_in_range(T* x, T* y) const {
    if constexpr (kScaling == Scaling::kDown) {
      if (std::max(std::abs(*x), std::abs(*y)) <= std::numeric_limits<T>::max() / 4) return;
      *x *= T{0.25};
      *y *= T{0.25};
    }
  }
  T scaled(T a) const {
    if constexpr (kScaling == Scaling::kUp) return a * kUp;
    return scaled_down(a);
  }
  T constant(double value) const { return static_cast<T>(value); }
  T smallest_normal() const { return std::numeric_limits<T>::min(); }
  T infinity() const { return std::numeric_limits<T>::infinity(); }
  T multiply(T a, T b) const { return a * b; }
  T at_most(T a, T limit) const { return a > limit ? limit : a; }
  T at_least(T a, T limit) const { return a < limit ? limit : a; }
  T abs(T a) const { return std::abs(a); }
  T add(T a, T b) const { return a + b; }
  T subtract(T a, T b) const { return a - b; }
  T divide(T a, T b) const { return a / b; }
  T round(T a) const { return std::nearbyint(a); }
  bool less(T a, T b) const { return a < b; }
  bool equal(T a, T b) const { return a == b; }
  bool are_numbers(T a, T b) const { return !std::isnan(a) && !std::isnan(b); }
  T select(bool condition, T yes, T no) const { return condition ? yes : no; }
  T zero_if(bool condition, T no) const { return condition ? 0 : no; }
  // By the bits, as vectors do it: of what is no normal number above 0 some number.
  T exponent(T a) const { return static_cast<T>(static_cast<int>(biased_exponent(a)) - kBias); }
  T mantissa(T a) const {
    return std::bit_cast<T>(bits_of(a) - (biased_exponent(a) << (kDigits - 1)) + bits_of(T{1}));
  }
  T two_to(T n) const { return std::bit_cast<T>(bits_of(n + kExponentBase) << (kDigits - 1)); }
  T max_magnitude(T a, T b) const { return std::isnan(a) || a > b ? a : b; }
  T ratio(T a, T b) const { return a == 0 && b == 0 ? 0 : a / b; }
  T ratio_in_range(T a, T b) const { return ratio(a, b); }
  T above_zero(T magnitude) const { return magnitude; }
  T multiply_add(T a, T b, T c) const { return a * b + c; }
  T sqrt(T a) const { return std::sqrt(a); }

  template <int kDegree>
  static constexpr int unscaling() {
    if (kScaling == Scaling::kNone) return 0;
    return -kDegree * (kScaling == Scaling::kUp ? kRange.up : kRange.down);
  }
  template <int kDegree>
  T unscale(T result) const {
    if constexpr (kScaling != Scaling::kNone) {
      constexpr T kUnscale = power_of_two<T>(kScaling == Scaling::kUp ? -kRange.up : -kRange.down);
      for (int i = 0; i < kDegree; ++i) result *= kUnscale;
    }
    return result;
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int kBias = std::numeric_limits<T>::max_exponent - 1;
  static constexpr T kExponentBase = T{1} / std::numeric_limits<T>::epsilon() + kBias;
  static Bits bits_of(T word) { return std::bit_cast<Bits>(word); }
  /// Of m in [sqrt(1/2), sqrt(2)).
  static Bits biased_exponent(T a) {
    constexpr T kRootOfHalf = static_cast<T>(0x1.6a09e667f3bcdp-1);
    return (bits_of(a) + (bits_of(T{1}) - bits_of(kRootOfHalf))) >> (kDigits - 1);
  }
  static T scaled_down(T value) { return kScaling == Scaling::kDown ? value * kDown : value; }
};

}  // namespace quadrance::internal
