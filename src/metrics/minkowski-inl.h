// SPDX-License-Identifier: Apache-2.0
#if defined(QDR_METRICS_MINKOWSKI_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_METRICS_MINKOWSKI_INL_H
#undef QDR_METRICS_MINKOWSKI_INL_H
#else
#define QDR_METRICS_MINKOWSKI_INL_H
#endif

#include <algorithm>
#include <cmath>

#include "metrics/chebyshev-inl.h"
#include "metrics/kernel_parameters.h"
#include "metrics/minkowski_power-inl.h"

#include "metrics/begin-inl.h"

/// Any p, by logarithms. p = 1, 2 and Inf have kernels of their own, and so have multiples of 1/2.
struct Minkowski : MinkowskiPower {
  static constexpr MetricInfo info{
      .names = "minkowski mi m pnorm",
      .formula = "(sum_f |x[f] - y[f]|^p)^(1/p)",
      .source = "scipy.spatial.distance.minkowski",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 1,
      .growth = MetricInfo::kNeverExact,
      .accuracy =
          "relative error <= ((min(d, 128) + 8 + 4 ln d) / p + 6) eps for any d and any offset from the "
          "origin",
      .edges =
          "p left out: 2; p = 1, 2, Inf are cityblock, euclidean, chebyshev; p <= 0 -> error; p < 1: no "
          "triangle "
          "inequality; d = 0 -> 0; NaN in a row -> NaN; Inf - Inf -> NaN; no overflow or underflow of the "
          "powers; a "
          "difference below 2^-1022 of the pair's largest (float32, p >= 0.3: 2^-126) counts as 0, which is "
          "within the bound for p >= 0.06",
      .parameters = "p w",
  };
  using FirstPass = Chebyshev;
  static constexpr bool many_constants = true;
  static constexpr int temporaries = 9;  // the row's value, the ratio, and what a power needs

  /// The kernels for this p. From 2^60 on the largest difference is the distance to the last bit.
  static std::string_view kernels(const MetricParameters& given) {
    const double p = given.p.value_or(2);
    if (p == 1) return "cityblock";
    if (p == 2) return "euclidean";
    if (p >= 0x1p60) return "chebyshev";
    if (!is_multiplied(p)) return "minkowski";
    return std::floor(p) == p ? "minkowski_integer" : "minkowski_half_integer";
  }

  static bool is_multiplied(double p) { return p < 16 && std::floor(2 * p) == 2 * p; }

  /// Below this the 2^-126p that a difference may count and is left out with would be seen in float32.
  static constexpr double kLeastPower = 0.3;

  /// minkowski_multiplied-inl.h says why p above 5.5.
  static bool in_float64(const MetricParameters& given) {
    const double p = given.p.value_or(2);
    return p < kLeastPower || (p > 5.5 && is_multiplied(p));
  }

  /// In the order of Parameter; then the bits of the whole part of p, for p < 16. Below 2^-100 only pairs
  /// that differ in one feature are finitely far apart, as from there on.
  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    const double p = std::max(given.parameters.p.value_or(2), 0x1p-100);
    const long double weight = static_cast<long double>(given.weight_exponent) / static_cast<long double>(p);
    const long double whole = std::nearbyint(weight);
    std::vector<double> out{1 / p, static_cast<double>(whole), static_cast<double>(weight - whole), p};
    for (int bit = 0; bit < 4; ++bit) out.push_back(p < 16 && (static_cast<int>(p) >> bit & 1) != 0 ? 1 : 0);
    return out;
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V ratio = o.divide(o.abs(o.difference(x, y)), o.first_pass());
    const V term = exp2_of_term(o, o.multiply(log2_of_normal(o, ratio), o.parameter(kPower)));
    sum[0] = o.add(sum[0], o.select(o.less(ratio, o.smallest_normal()), o.constant(0), term));
  }

  /// A largest difference of 0 or Inf is the distance, and the ratios to it are NaN.
  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V largest = o.first_pass();
    const V unless_infinite = o.select(o.less(largest, o.infinity()), root(o, sum[0], largest), largest);
    return o.select(o.less(o.constant(0), largest), unless_infinite, largest);
  }
};

#include "metrics/end-inl.h"

#endif
