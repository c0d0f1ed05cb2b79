// SPDX-License-Identifier: Apache-2.0
// Arithmetic in twice the precision of x87's long double, for the oracle.
#pragma once

#include <cmath>
#include <limits>

#ifdef __FAST_MATH__
#error "the error terms below vanish if the compiler may reorder sums"
#endif

namespace quadrance::testing {

/// The unevaluated sum hi + lo, |lo| at most half an ulp of hi. Not finite: lo is 0 and hi what plain
/// arithmetic gives, so that NaN and Inf need no code of their own.
///
/// x87: u = 2^-64; a sum errs by about 3 u^2, a product by less than 8 u^2 (Joldes, Muller, Popescu, "Tight
/// and rigorous error bounds for basic building blocks of double-word arithmetic", ACM TOMS 44, 2017,
/// algorithms 6 and 10). Valgrind computes x87 in 53 bits: these functions are wrong there.
///
/// IEEE 128-bit: lo stays 0 and an operation errs by 2^-113, which is enough and already done in software.
struct Wide {
  long double hi = 0;
  long double lo = 0;

  long double rounded() const { return hi + lo; }
};

inline constexpr bool kQuadruple = std::numeric_limits<long double>::digits >= 113;

/// a + b for |a| >= |b|, without error (Dekker).
inline Wide sum_of_ordered(long double a, long double b) {
  const long double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b without error (Knuth's two-sum): also where the bits of a and b lie more than a mantissa apart.
inline Wide exact_sum(long double a, long double b) {
  const long double sum = a + b;
  if (kQuadruple || !std::isfinite(sum)) return {sum, 0};
  const long double b_seen = sum - a;
  return {sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/// a * b without error (Veltkamp's halves of 32 bits, Dekker's product), for factors of 2^-8000 to 2^8000.
inline Wide exact_product(long double a, long double b) {
  const long double product = a * b;
  if (kQuadruple || !std::isfinite(product)) return {product, 0};
  constexpr long double kSplit = 0x1p32L + 1;
  const long double a_high = a * kSplit - (a * kSplit - a);
  const long double b_high = b * kSplit - (b * kSplit - b);
  const long double a_low = a - a_high;
  const long double b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

inline Wide operator+(Wide a, Wide b) {
  const Wide high = exact_sum(a.hi, b.hi);
  if (kQuadruple || !std::isfinite(high.hi)) return {high.hi, 0};
  const Wide low = exact_sum(a.lo, b.lo);
  const Wide near = sum_of_ordered(high.hi, high.lo + low.hi);
  return sum_of_ordered(near.hi, near.lo + low.lo);
}

inline Wide operator*(Wide a, Wide b) {
  const Wide high = exact_product(a.hi, b.hi);
  if (kQuadruple || !std::isfinite(high.hi)) return {high.hi, 0};
  return sum_of_ordered(high.hi, high.lo + (a.hi * b.lo + a.lo * b.hi));
}

inline Wide abs(Wide a) { return a.hi < 0 ? Wide{-a.hi, -a.lo} : a; }

inline Wide operator-(Wide a, Wide b) { return a + Wide{-b.hi, -b.lo}; }

/// One correction of the rounded quotient; errs by about u^2.
inline Wide operator/(Wide a, Wide b) {
  const long double quotient = a.hi / b.hi;
  if (kQuadruple || !std::isfinite(quotient) || !std::isfinite(b.hi)) return {quotient, 0};
  const Wide rest = a - b * Wide{quotient, 0};
  return sum_of_ordered(quotient, rest.hi / b.hi);
}

/// One Newton step from the rounded root; errs by about u^2.
inline Wide sqrt(Wide a) {
  const long double root = std::sqrt(a.hi);
  if (kQuadruple || !std::isfinite(root) || root == 0) return {root, 0};
  const Wide square = exact_product(root, root);
  return sum_of_ordered(root, ((a.hi - square.hi) - square.lo + a.lo) / (2 * root));
}

/// pi, to 2^-128 of itself.
inline const Wide kPi = exact_sum(0xC90FDAA22168C235p-62L, -0xECE675D1FC8F8CBBp-128L);

/// e^a; 0 and Inf beyond the range of long double. Errs by 2^-110 (1 + |a|) of the result: an a with an error
/// of its own brings that too.
Wide exp(Wide a);

/// Errs by 2^-110, near 1 too: log(1) is 0. Of 0: -Inf, of a negative number: NaN.
Wide log(Wide a);

/// Errs by 2^-115 of the result: next to a multiple of pi and for the largest float64 too. Of Inf: NaN.
/// |a| must be below 2^1024.
Wide sin(Wide a);
Wide cos(Wide a);

/// The angle of (x, y) in [0, pi], for y >= 0. Errs by 2^-115 of the result. atan2(0, 0) is 0.
Wide atan2(Wide y, Wide x);

}  // namespace quadrance::testing
