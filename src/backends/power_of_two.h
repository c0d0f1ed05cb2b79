// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace quadrance::internal {

/// 2^exponent, exactly; the exponent must be one of a normal number. Into a constexpr variable: a loop over the
/// exponent in the hot path would cost a thousand multiplications a feature.
template <class T>
constexpr T power_of_two(int exponent) {
  T value = 1;
  for (int e = 0; e < exponent; ++e) value *= T{2};
  for (int e = 0; e > exponent; --e) value *= T{0.5};
  return value;
}

}  // namespace quadrance::internal
