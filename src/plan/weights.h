// SPDX-License-Identifier: Apache-2.0
// Weights of features, as the kernels take them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "backends/backend.h"

namespace quadrance::internal {

/// Weights scaled by a power of 4 so that the largest is in (1/4, 1]: sums with them overflow no earlier than
/// without. Where sums are of differences themselves, so that the smallest is in [2^53, 2^55): a weighted
/// subnormal difference keeps its digits.
struct FeatureWeights {
  std::vector<double> values;
  int exponent = 0;         ///< these times 2 to this power are those given
  int result_exponent = 0;  ///< distances are multiplied by 2 to this power
  double smallest = 1;      ///< above 0
};

/// w: not negative, finite, comparable.
FeatureWeights scale_weights(std::span<const double> w, const KernelSet& kernels);

/// The weighted kernel with the limits that these weights move.
Kernel<double> with_weights(Kernel<double> kernel, const FeatureWeights& weights);

/// Weights may differ by 2 to this power: powers of scaled differences are 2^-832 or more.
inline constexpr int kComparableWeights = 90;
/// Variances may: squares that are redone, of differences scaled up by 2^700, are 2^-748 or more, and stay
/// normal numbers with a weight of 2^-270.
inline constexpr int kComparableVariances = 270;

/// Refuses weights of which the largest is more than 2^exponent times the smallest above 0.
void require_comparable(std::span<const double> w, std::string_view name, int exponent);

}  // namespace quadrance::internal
