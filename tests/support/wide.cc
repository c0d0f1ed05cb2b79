// SPDX-License-Identifier: Apache-2.0
// Series after a reduction of the argument. Newton's step doubles the digits of <cmath>'s logarithm and
// angle.
#include "support/wide.h"

#include <cstddef>
#include <cstdint>

namespace quadrance::testing {
namespace {

constexpr Wide kOne{1, 0};

Wide negative(Wide a) { return {-a.hi, -a.lo}; }

Wide scaled(Wide a, int exponent) { return {std::ldexp(a.hi, exponent), std::ldexp(a.lo, exponent)}; }

// --- exponential -------------------------------------------------------------------------------------------

const Wide kLog2 = exact_sum(0xB17217F7D1CF79ACp-64L, -0xD871319FF0342543p-130L);

/// e^a - 1 for |a| <= 1: Taylor's terms at a / 2^8, of which the twelfth is below 2^-120 of the first. From
/// the sixth on they are below 2^-56 of it, so that a plain long double holds all the digits that count.
Wide exp_less_1(Wide a) {
  constexpr int kHalvings = 8;
  const Wide small = scaled(a, -kHalvings);
  long double tail = 1;
  for (int n = 12; n > 5; --n) tail = 1 + small.hi * tail / static_cast<long double>(n);
  Wide sum{tail, 0};
  for (int n = 5; n > 1; --n) sum = kOne + small * sum / Wide{static_cast<long double>(n), 0};
  sum = small * sum;
  // (1 + s)^2 - 1: as the 1 is left out, its rounding does not double with each square.
  for (int k = 0; k < kHalvings; ++k) sum = scaled(sum, 1) + sum * sum;
  return sum;
}

// --- circle ------------------------------------------------------------------------------------------------

/// An angle as a number of quarter turns and a rest of at most about an eighth turn.
struct Turned {
  int quarters = 0;  // 0 to 3
  Wide rest;
};

/// The 64 binary digits of 2 / pi after the first `skipped` ones behind the point.
std::uint64_t digits_of_2_over_pi(int skipped) {
  constexpr std::uint64_t kDigits[] = {
      0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
      0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
      0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};
  const auto word = static_cast<std::size_t>(skipped / 64);
  const int shift = skipped % 64;
  return shift == 0 ? kDigits[word] : kDigits[word] << shift | kDigits[word + 1] >> (64 - shift);
}

/// Payne and Hanek, "Radian reduction for trigonometric functions", SIGNUM 18, 1983: of the product of an
/// integer m and 2 / pi only the digits below 4 matter, so 2 / pi is read from where they begin.
Turned turned(long double angle) {
  if (std::fabs(angle) < 0.75L) return {0, {angle, 0}};
  if (!std::isfinite(angle)) return {0, {angle - angle, 0}};
  int exponent = 0;
  const long double m = std::ldexp(std::frexp(angle, &exponent), 64);
  exponent -= 64;  // angle = m 2^exponent, |m| < 2^64
  const int skipped = exponent < 2 ? 0 : exponent - 2;
  // Four words are 190 digits behind the point: the 62 that a float64 next to a multiple may cancel, and 128.
  Wide parts[4];
  for (int word = 0; word < 4; ++word) {
    const Wide product = exact_product(m, static_cast<long double>(digits_of_2_over_pi(skipped + 64 * word)));
    const int unit = exponent - skipped - 64 * (word + 1);
    // Exact, and so without the multiples of 4.
    parts[word] = exact_sum(std::fmod(std::ldexp(product.hi, unit), 4.0L), std::ldexp(product.lo, unit));
  }
  // What cancels does so between the first two words, and exactly: m times the second is below 4.
  const long double whole = std::round(parts[0].hi + parts[1].hi);
  const Wide turns = (parts[0] - Wide{whole, 0}) + parts[1] + parts[2] + parts[3];
  const int quarters = static_cast<int>(std::fmod(whole, 4.0L));
  return {(quarters + 4) % 4, turns * scaled(kPi, -1)};
}

/// The series whose terms are first, and each the one before times -a^2 / (n (n + 1)) for n = from, from + 2,
/// ...: for |a| <= 2.
Wide alternating_series(Wide first, int from, Wide a) {
  const Wide factor = negative(a * a);
  Wide sum = first;
  Wide term = first;
  for (int n = from; std::fabs(term.hi) > std::fabs(sum.hi) * 0x1p-130L; n += 2) {
    term = term * factor / Wide{static_cast<long double>(n * (n + 1)), 0};
    sum = sum + term;
  }
  return sum;
}

Wide sine_of_rest(Wide a) { return alternating_series(a, 2, a); }
Wide cosine_of_rest(Wide a) { return alternating_series(kOne, 1, a); }

Wide sine_of(Turned angle) {
  const Wide value = angle.quarters % 2 == 0 ? sine_of_rest(angle.rest) : cosine_of_rest(angle.rest);
  return angle.quarters < 2 ? value : negative(value);
}

/// The error term of a large angle may itself be some turns.
Turned turned(Wide angle) {
  const Turned high = turned(angle.hi);
  const Turned low = turned(angle.lo);
  return {(high.quarters + low.quarters) % 4, high.rest + low.rest};
}

}  // namespace

Wide exp(Wide a) {
  if (kQuadruple) return {std::exp(a.hi), 0};
  constexpr long double kBeyondAnyRange = 12'000;
  if (!(std::fabs(a.hi) < kBeyondAnyRange)) return {std::exp(a.hi), 0};
  const long double powers_of_2 = std::round(a.hi / kLog2.hi);
  const Wide result = kOne + exp_less_1(a - Wide{powers_of_2, 0} * kLog2);
  const Wide out = scaled(result, static_cast<int>(powers_of_2));
  return std::isfinite(out.hi) ? out : Wide{out.hi, 0};
}

Wide log(Wide a) {
  const long double rough = std::log(a.hi);
  if (kQuadruple || !std::isfinite(rough)) return {rough, 0};
  int exponent = 0;
  if (std::frexp(a.hi, &exponent) < 0.7L) --exponent;  // 1 - 2^-64 and 1 + 2^-63 alike are scaled by 1
  const Wide scaled_a = scaled(a, -exponent);
  const Wide near{std::log(scaled_a.hi), 0};
  // e^-near is 1 / a but for 2^-64, whose square is all that Newton's step neglects.
  const Wide rest = scaled_a * (kOne + exp_less_1(negative(near))) - kOne;
  return Wide{static_cast<long double>(exponent), 0} * kLog2 + (near + rest);
}

Wide sin(Wide a) {
  if (kQuadruple) return {std::sin(a.hi), 0};
  return sine_of(turned(a));
}

Wide cos(Wide a) {
  if (kQuadruple) return {std::cos(a.hi), 0};
  Turned angle = turned(a);
  angle.quarters = (angle.quarters + 1) % 4;
  return sine_of(angle);
}

Wide atan2(Wide y, Wide x) {
  const Wide near{std::atan2(y.hi, x.hi), 0};
  if (kQuadruple || near.hi == 0 || !std::isfinite(x.hi) || !std::isfinite(y.hi)) return near;
  // The point turned back by `near` has an angle of about 2^-64, which is its tangent.
  const Wide sine = sin(near);
  const Wide cosine = cos(near);
  return near + (y * cosine - x * sine) / (x * cosine + y * sine);
}

}  // namespace quadrance::testing
