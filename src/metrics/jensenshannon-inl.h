// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "metrics/elementary-inl.h"
#include "metrics/kernel_parameters.h"
#include "metrics/probability_rows.h"

#include "metrics/begin-inl.h"

/// With s = p + q and t = |p - q| / s a feature adds s f(t), f(t) = (1 + t) log2(1 + t) + (1 - t) log2(1 -
/// t), which is not negative and, as a series in t^2 where t is small, loses no digit.
struct JensenShannon {
  static constexpr MetricInfo info{
      .names = "jensenshannon js",
      .formula =
          "sqrt(sum_f (p[f] ln(p[f] / m[f]) + q[f] ln(q[f] / m[f])) / 2 / ln(base)), p = x / sum(x), q = y / "
          "sum(y), m = (p + q) / 2",
      .source = "scipy.spatial.distance.jensenshannon",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = true,
      .triangle = true,
      .degree = 0,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "error <= 4 eps + (min(d, 127) + 16) eps j for a distance j, base e",
      .edges =
          "base left out: e; 0 ln 0 = 0; two zero rows -> 0, a zero row and another -> NaN; a number below "
          "0, "
          "NaN or Inf in a row -> NaN; no sum overflows; d = 0 -> 0",
      .parameters = "base",
      .domain = "numbers not below 0",
  };
  using Preparation = Probabilities;
  static constexpr int accumulators = 1;
  static constexpr Combine combine = Combine::kSum;
  static constexpr Redo redo = Redo::kNever;
  static constexpr int temporaries = 10;        // the row's value, and what a logarithm needs
  static constexpr bool many_constants = true;  // the kernel loads each for several vectors at a time

  enum Parameter { kFactor };

  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    const std::optional<double>& base = given.parameters.base;
    constexpr double kQuarterOfLn2 = 0x1.62e42fefa39efp-3;
    return {base ? 0.25 / std::log2(*base) : kQuarterOfLn2};
  }

  template <class Ops, class V>
  static QDR_INLINE void step(const Ops& o, V (&sum)[accumulators], V x, V y) {
    const V size = o.add(x, y);
    // Of two zeros, or subnormal numbers, any number will do.
    const V inverse = o.divide(o.constant(2), o.at_least(size, o.smallest_normal()));
    const V twice_t = o.multiply(o.difference(x, y), inverse);
    const V rest = o.multiply(o.at_most(x, y), inverse);  // 1 - t, with digits of its own
    sum[0] = o.multiply_add(size, divergence(o, o.multiply(twice_t, twice_t), rest), sum[0]);
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    const V result = o.sqrt(o.multiply(sum[0], o.parameter(kFactor)));
    // Of two distributions the sum is at most 4, of a zero row and one 2 and twice kNoDistribution.
    return nan_if(o, o.less(o.constant(1.5 * kNoDistribution), sum[0]), result);
  }

 private:
  /// f(t) for t from 0 to 1, given u = 4 t^2 and b = 1 - t. Relative error below 6 eps. Up to t = 1/2 it is a
  /// polynomial in u, beyond b log2(b) and a polynomial in b, (2 - b) log2(2 - b): one is evaluated, with the
  /// coefficients that a pair needs.
  template <class Ops, class V>
  static QDR_INLINE V divergence(const Ops& o, V u, V b) {
    const auto far = o.less(o.constant(1), u);
    const V smaller = o.select(far, b, o.constant(0));
    const V sum = polynomial(o, far, o.select(far, b, u));
    // Of 0 and subnormal numbers the logarithm is a number, and its product nothing beside the sum.
    return o.multiply_add(smaller, log2_of_normal(o, smaller), sum);
  }

  template <class Ops, class M, class V>
  static QDR_INLINE V polynomial(const Ops& o, M far, V v) {
    if constexpr (Ops::kDigits <= 24) {
      constexpr double in_u[] = {0,
                                 0x1.7154764231ee2p-2,
                                 0x1.ec712e713e290p-7,
                                 0x1.89c09ec038aa8p-10,
                                 0x1.ac9d5dcca164ap-13,
                                 0x1.af139364e7912p-16,
                                 0x1.467e0c6a4cadfp-17};  // 2^-28.5
      constexpr double in_b[] = {2,
                                 -0x1.38aa3d856abd5p+1,
                                 0x1.7156d72a8c92bp-2,
                                 0x1.eb9de8ecaafd2p-5,
                                 0x1.fd65c2a7a18a8p-7,
                                 0x1.a00696fe155c8p-9,
                                 0x1.9655d3e9956adp-9};  // 2^-29.3
      return one_of_two_polynomials(o, far, v, in_b, in_u);
    } else {
      constexpr double in_u[] = {0,
                                 0x1.71547652b82fdp-2,
                                 0x1.ec709dc3a1b1fp-7,
                                 0x1.89f3b1672edcfp-10,
                                 0x1.a61763de2cb9bp-13,
                                 0x1.06a24873d66cdp-15,
                                 0x1.662b4ed787524p-18,
                                 0x1.0350461b47f90p-20,
                                 0x1.91e8523fd3066p-23,
                                 0x1.05109a9be38e2p-25,
                                 0x1.b33c088d7a4eep-27,
                                 -0x1.d66d30a5d18a9p-30,
                                 0x1.5efdfc88c286cp-30};  // 2^-52.4
      constexpr double in_b[] = {2,
                                 -0x1.38aa3b295c1d8p+1,
                                 0x1.71547652cd176p-2,
                                 0x1.ec709da7c6a8cp-5,
                                 0x1.ec70a72a2ab36p-7,
                                 0x1.2775d56b99d0cp-8,
                                 0x1.8a1230d2230e0p-10,
                                 0x1.18197a56c67abp-11,
                                 0x1.b9398c1924551p-13,
                                 0x1.d0b84e489351bp-15,
                                 0x1.2229b1dcf7733p-14,
                                 -0x1.b1395429b52f9p-16,
                                 0x1.ada06c78d4eebp-16};  // 2^-53.6
      return one_of_two_polynomials(o, far, v, in_b, in_u);
    }
  }
};

#include "metrics/end-inl.h"
