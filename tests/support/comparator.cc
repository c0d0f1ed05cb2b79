// SPDX-License-Identifier: Apache-2.0
#include "support/comparator.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "support/elements.h"
#include "support/oracle.h"

namespace quadrance::testing {
namespace {

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

/// The numbers of a result's dtype that the rules turn on.
struct Limits {
  long double epsilon;
  long double smallest_normal;
  long double smallest_subnormal;
  long double largest;
  long double overflow;  // from here on a value rounds to Inf: half a step above the largest
};

template <class T>
constexpr Limits limits_of_type() {
  using Numbers = std::numeric_limits<T>;
  const long double largest = Numbers::max();
  // largest = (2 - eps) power, where the numbers are power * eps apart.
  const long double power = largest / (2 - static_cast<long double>(Numbers::epsilon()));
  return {Numbers::epsilon(), Numbers::min(), Numbers::denorm_min(), largest,
          largest + power * Numbers::epsilon() / 2};
}

Limits limits_of(DType dtype) {
  if (dtype == DType::kFloat32) return limits_of_type<float>();
  if (dtype == DType::kFloat64) return limits_of_type<double>();
  throw std::invalid_argument("[compare] results are float32 or float64");
}

// --- bounds ------------------------------------------------------------------------------------------------

/// Sums are taken in blocks: more features than a block cost no digits.
long double features_of_block(std::int64_t d) {
  constexpr std::int64_t kBlock = 128;
  return static_cast<long double>(std::min(d, kBlock));
}

/// What rounding to the result's dtype costs.
long double narrowing(DType compute, DType result) {
  const long double to = limits_of(result).epsilon;
  return to > limits_of(compute).epsilon ? to / 2 : 0;
}

/// So many eps of the compute dtype, and the narrowing.
Tolerance relative(long double roundings, DType compute, DType result) {
  return {.relative = roundings * limits_of(compute).epsilon + narrowing(compute, result), .subnormals = 2};
}

Tolerance sum_of_nonnegative(std::int64_t d, DType compute, DType result) {
  return relative(features_of_block(d) + 4, compute, result);
}

/// The weight is rounded (1 / V), and its product with the term.
Tolerance weighted_sum(std::int64_t d, DType, DType result) {
  Tolerance tolerance = sum_of_nonnegative(d, DType::kFloat64, result);
  tolerance.relative += 2 * limits_of(DType::kFloat64).epsilon;
  return tolerance;
}

/// Each number of a whitened row is rounded.
Tolerance of_whitened_rows(std::int64_t d, DType, DType result) {
  Tolerance tolerance = sum_of_nonnegative(d, DType::kFloat64, result);
  tolerance.of_magnitude = 4 * limits_of(DType::kFloat64).epsilon;
  return tolerance;
}

Tolerance ratio_of_sums(std::int64_t d, DType compute, DType result) {
  Tolerance one = sum_of_nonnegative(d, compute, result);
  one.relative *= 2;
  return one;
}

Tolerance one_rounding(std::int64_t, DType compute, DType result) {
  return {.relative = std::max(limits_of(compute).epsilon, limits_of(result).epsilon), .subnormals = 2};
}

/// Half the square of differences of unit vectors a, b, each number off by less than eps: with |a - b| =
/// sqrt(2 c) the error is below sqrt(2 c) 2 eps + 2 eps^2, and that of the sum.
Tolerance of_unit_rows(std::int64_t d, DType compute, DType result) {
  Tolerance tolerance = sum_of_nonnegative(d + 1, compute, result);
  const long double epsilon = limits_of(compute).epsilon;
  tolerance.of_root = 4 * epsilon;
  tolerance.absolute = 4 * epsilon * epsilon;
  return tolerance;
}

/// Half the square of a difference of roots, each off by less than eps: so is the root of it, twice.
Tolerance of_root_rows(std::int64_t d, DType compute, DType result) {
  Tolerance tolerance = sum_of_nonnegative(d + 1, compute, result);
  tolerance.absolute = 4 * limits_of(compute).epsilon;
  return tolerance;
}

/// The root of a sum of which each term may be off by 12 eps more, and by what the rounding of p and q does.
Tolerance root_of_divergence(std::int64_t d, DType compute, DType result) {
  Tolerance tolerance = relative(features_of_block(d + 1) + 16, compute, result);
  tolerance.absolute = 4 * limits_of(compute).epsilon;
  return tolerance;
}

/// Computed in float64. Near rows err as hellinger's square does, others as the logarithm of a sum.
Tolerance logarithm_of_sum(std::int64_t d, DType, DType result) {
  Tolerance tolerance = relative(features_of_block(d + 1) + 12, DType::kFloat64, result);
  const long double epsilon = limits_of(DType::kFloat64).epsilon;
  tolerance.of_root = 6 * epsilon;
  tolerance.absolute = 8 * epsilon * epsilon;
  return tolerance;
}

/// Computed in float64. p and q off by eps change p ln(p / q) - p + q by eps (p |ln(p / q)| + |p - q|), whose
/// sum is at most eps (D + 3 sqrt(D)), as total variation is at most sqrt(D / 2) (Pinsker).
Tolerance divergence(std::int64_t d, DType, DType result) {
  Tolerance tolerance = relative(features_of_block(d) + 16, DType::kFloat64, result);
  const long double epsilon = limits_of(DType::kFloat64).epsilon;
  tolerance.of_root = 6 * epsilon;
  tolerance.absolute = 8 * epsilon * epsilon;
  return tolerance;
}

/// An error of a sum is divided by p in its root; the logarithms of sum and terms are small beside it.
Tolerance root_of_powers(std::int64_t d, DType compute, DType result) {
  const long double p = test_parameters("minkowski", d).p.value();
  const long double logarithm = std::log(static_cast<long double>(std::max<std::int64_t>(d, 2)));
  return relative((features_of_block(d) + 8 + 4 * logarithm) / p + 6, compute, result);
}

Tolerance angle_of_rows(std::int64_t d, DType compute, DType result) {
  Tolerance tolerance = relative(features_of_block(d) + 12, compute, result);
  tolerance.absolute = 5 * limits_of(compute).epsilon;
  return tolerance;
}

/// Computed in float64, whatever the dtypes. Squares of angles below 1e-150 vanish.
Tolerance angle_on_sphere(std::int64_t, DType, DType result) {
  Tolerance tolerance = relative(16, DType::kFloat64, result);
  tolerance.absolute = 1e-150L;
  tolerance.of_magnitude = 8 * limits_of(DType::kFloat64).epsilon;
  return tolerance;
}

/// The number of features that are there is divided by, and multiplied.
Tolerance sum_over_present(std::int64_t d, DType compute, DType result) {
  return relative(features_of_block(d) + 6, compute, result);
}

/// Computed in float64, whatever the dtypes: a term is off by two roundings more than a sum's.
Tolerance ratio_of_present(std::int64_t d, DType, DType result) {
  return relative(2 * (features_of_block(d) + 6), DType::kFloat64, result);
}

/// Computed in float64, whatever the dtypes: differences are reduced exactly.
Tolerance sum_of_images(std::int64_t d, DType, DType result) {
  return relative(features_of_block(d) + 8, DType::kFloat64, result);
}

/// Sums of magnitudes up to a quarter of the largest number cannot overflow, whatever the order of the terms,
/// the rounding and a factor of 2 somewhere.
long double range_of(DType compute) { return limits_of(compute).largest / 4; }

/// A product may underflow and lose a subnormal.
Tolerance sum_of_products(std::int64_t d, DType compute, DType result) {
  Tolerance tolerance = relative(0, compute, result);
  tolerance.of_magnitude = (features_of_block(d) + 4) * limits_of(compute).epsilon;
  tolerance.either_sign = true;
  tolerance.absolute = static_cast<long double>(d) * limits_of(compute).smallest_subnormal;
  tolerance.range = range_of(compute);
  return tolerance;
}

/// Products that underflow are nothing beside coef0 of the test parameters.
Tolerance power_of_products(std::int64_t d, DType compute, DType result) {
  const auto degree = static_cast<long double>(test_parameters("polynomial", d).degree.value_or(3));
  Tolerance tolerance = relative(0, compute, result);
  tolerance.of_magnitude = degree * (features_of_block(d) + 8) * limits_of(compute).epsilon;
  tolerance.either_sign = true;
  tolerance.range = range_of(compute);
  return tolerance;
}

/// e^-s: squares that underflow do not change s enough to count.
Tolerance exponential_of_sum(std::int64_t d, DType compute, DType result) {
  Tolerance tolerance = relative(6, compute, result);
  tolerance.of_log = (features_of_block(d) + 8) * limits_of(compute).epsilon;
  tolerance.range = range_of(compute);
  return tolerance;
}

struct Bound {
  std::string_view metric;
  Tolerance (*tolerance)(std::int64_t d, DType compute, DType result);
};
constexpr Bound kBounds[] = {
    {"euclidean", sum_of_nonnegative},
    {"sqeuclidean", sum_of_nonnegative},
    {"cityblock", sum_of_nonnegative},
    {"chebyshev", one_rounding},
    {"canberra", sum_of_nonnegative},
    {"braycurtis", ratio_of_sums},
    {"seuclidean", weighted_sum},
    {"mahalanobis", of_whitened_rows},
    {"cosine", of_unit_rows},
    {"correlation", of_unit_rows},
    {"minkowski", root_of_powers},
    {"angular", angle_of_rows},
    {"haversine", angle_on_sphere},
    {"nan_euclidean", sum_over_present},
    {"periodic_euclidean", sum_of_images},
    {"inner_product", sum_of_products},
    {"polynomial", power_of_products},
    {"hamming", sum_of_nonnegative},
    {"gower", ratio_of_present},
    {"jaccard", one_rounding},
    {"dice", one_rounding},
    {"rogerstanimoto", one_rounding},
    {"russellrao", one_rounding},
    {"sokalsneath", one_rounding},
    {"yule", one_rounding},
    {"total_variation", sum_of_nonnegative},
    {"chi_square", sum_of_nonnegative},
    {"hellinger", of_root_rows},
    {"bhattacharyya", logarithm_of_sum},
    {"jensenshannon", root_of_divergence},
    {"kl", divergence},
    {"rbf", exponential_of_sum},
    {"laplacian", exponential_of_sum},
};

// --- one element -------------------------------------------------------------------------------------------

/// The error of one element in units of its bound, and what rule a fault breaks.
struct Verdict {
  long double error = 0;
  const char* rule = "";
};

bool has_wrong_sign(long double got, long double want) { return want >= 0 ? std::signbit(got) : got > 0; }

/// How far from the truth a pair may lie.
long double bound_of(long double want, const Magnitudes& size, const Tolerance& tolerance,
                     const Limits& limits) {
  const long double magnitude = std::fabs(want);
  long double bound = tolerance.relative * magnitude + tolerance.of_root * std::sqrt(magnitude) +
                      tolerance.of_magnitude * size.result + tolerance.absolute;
  if (tolerance.of_log > 0 && magnitude > 0)
    bound += tolerance.of_log * std::fabs(std::log(magnitude)) * magnitude;
  if (magnitude < limits.smallest_normal) bound += tolerance.subnormals * limits.smallest_subnormal;
  return bound;
}

/// Sums whose finite terms may overflow on the way, and a result that only an overflow explains.
bool is_allowed_overflow(long double got, const Magnitudes& size, const Tolerance& tolerance) {
  if (!std::isfinite(size.terms) || std::max(size.terms, size.result) <= tolerance.range) return false;
  return tolerance.of_log > 0 ? got == 0 && !std::signbit(got) : !std::isfinite(got);
}

Verdict judge(long double got, long double want, const Magnitudes& size, const Tolerance& tolerance,
              const Limits& limits) {
  if (is_allowed_overflow(got, size, tolerance)) return {};
  if (std::isnan(want)) return std::isnan(got) ? Verdict{} : Verdict{kInfinity, "NaN is wanted"};
  if (std::isnan(got)) return {kInfinity, "NaN is not wanted"};
  if (std::isinf(want)) return got == want ? Verdict{} : Verdict{kInfinity, "Inf of this sign is wanted"};
  if (want == 0 && tolerance.absolute == 0 && !tolerance.either_sign) {
    const bool positive_zero = got == 0 && !std::signbit(got);
    return positive_zero ? Verdict{} : Verdict{kInfinity, "exactly +0 is wanted"};
  }
  const long double magnitude = std::fabs(want);
  const long double bound = bound_of(want, size, tolerance, limits);
  if (has_wrong_sign(got, want) && !(tolerance.either_sign && magnitude <= bound))
    return {kInfinity, "the sign is wrong"};
  if (std::isinf(got)) {
    const bool may_overflow = magnitude + bound >= limits.overflow;
    return may_overflow ? Verdict{} : Verdict{kInfinity, "Inf is not wanted"};
  }
  const long double distance = std::fabs(got - want);
  if (distance == 0) return {};
  return {distance / bound, "the error is too large"};
}

// --- all elements ------------------------------------------------------------------------------------------

/// Collects the verdicts on elements that are given in any order.
class Tally {
 public:
  void add(std::int64_t i, std::int64_t j, long double got, long double want, Verdict verdict) {
    const bool failed = !(verdict.error <= 1);
    found_.failures += failed ? 1 : 0;
    if (found_.compared++ == 0 || verdict.error > found_.error) {
      found_.i = i;
      found_.j = j;
      found_.got = got;
      found_.want = want;
      found_.error = verdict.error;
      rule_ = verdict.rule;
    }
  }

  Comparison finish(DType dtype, std::string_view unit) {
    std::ostringstream text;
    text << found_.failures << " of " << found_.compared << " elements are wrong";
    if (found_.compared > 0) {
      // Digits that tell neighbours of the dtype apart, and 4 more for the truth.
      const int digits = dtype == DType::kFloat32 ? 9 : 17;
      text << "; worst is [" << found_.i << ", " << found_.j << "]: got ";
      text.precision(digits);
      text << found_.got << ", want ";
      text.precision(digits + 4);
      text << found_.want;
      text.precision(4);
      if (std::isfinite(found_.error)) text << ", error " << found_.error << ' ' << unit;
      if (found_.failures > 0) text << " (" << rule_ << ')';
    }
    found_.message = text.str();
    return found_;
  }

 private:
  Comparison found_;
  const char* rule_ = "";
};

Comparison failure(const std::string& message) {
  return {.failures = 1, .error = kInfinity, .message = message};
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

std::string shape_text(const MatrixView& view) { return text('(', view.rows, ", ", view.cols, ')'); }

/// The error between two elements that must have the same bits.
Verdict judge_bits(DType dtype, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, static_cast<std::size_t>(bytes_of(dtype))) == 0) return {};
  const bool both_nan = is_float(dtype) && std::isnan(decode(dtype, a)) && std::isnan(decode(dtype, b));
  return both_nan ? Verdict{} : Verdict{kInfinity, "the bits differ"};
}

}  // namespace

Tolerance tolerance_of(std::string_view metric, std::int64_t d, DType compute, DType result) {
  for (const Bound& bound : kBounds) {
    if (bound.metric == metric) return bound.tolerance(d, compute, result);
  }
  throw std::invalid_argument(text("[compare] no bound is known for metric '", metric, "'"));
}

Comparison::operator ::testing::AssertionResult() const {
  return (failures == 0 ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << message;
}

Comparison compare(const MatrixView& got, const Truth& want, const Tolerance& tolerance,
                   const PairMagnitudes& magnitudes) {
  const Limits limits = limits_of(got.dtype);
  Tally tally;
  for (std::int64_t i = 0; i < got.rows; ++i) {
    for (std::int64_t j = 0; j < got.cols; ++j) {
      const long double value = decode(got.dtype, address_of(got, i, j));
      const long double truth = want(i, j);
      const Magnitudes size = magnitudes ? magnitudes(i, j) : Magnitudes{};
      tally.add(i, j, value, truth, judge(value, truth, size, tolerance, limits));
    }
  }
  return tally.finish(got.dtype, "times the bound");
}

Comparison compare(const MatrixView& got, const MatrixView& x, const MatrixView& y, std::string_view metric,
                   DType compute) {
  if (x.cols != y.cols || got.rows != x.rows || got.cols != y.rows) {
    return failure(
        text("shapes do not fit: got ", shape_text(got), " for x ", shape_text(x), " and y ", shape_text(y)));
  }
  const auto x_rows = rows_of(x);
  const auto y_rows = rows_of(y);
  const MetricParameters parameters = test_parameters(metric, x.cols);
  const auto truth = [&](std::int64_t i, std::int64_t j) {
    return oracle(metric, x_rows[static_cast<std::size_t>(i)], y_rows[static_cast<std::size_t>(j)],
                  parameters);
  };
  const auto size = [&](std::int64_t i, std::int64_t j) {
    return magnitudes(metric, x_rows[static_cast<std::size_t>(i)], y_rows[static_cast<std::size_t>(j)],
                      parameters);
  };
  return compare(got, truth, tolerance_of(metric, x.cols, compute, got.dtype), size);
}

Comparison bits_equal(const MatrixView& a, const MatrixView& b) {
  if (a.rows != b.rows || a.cols != b.cols)
    return failure(text("shapes differ: ", shape_text(a), " and ", shape_text(b)));
  if (a.dtype != b.dtype) return failure("dtypes differ");
  Tally tally;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int64_t j = 0; j < a.cols; ++j) {
      const std::byte* at_a = address_of(a, i, j);
      const std::byte* at_b = address_of(b, i, j);
      tally.add(i, j, decode(a.dtype, at_a), decode(b.dtype, at_b), judge_bits(a.dtype, at_a, at_b));
    }
  }
  return tally.finish(a.dtype, "");
}

Comparison is_symmetric_bits(const MatrixView& matrix) {
  const MatrixView transposed(matrix.data, matrix.dtype, matrix.cols, matrix.rows, matrix.col_stride,
                              matrix.row_stride);
  return bits_equal(matrix, transposed);
}

MatrixView view_of(const OutputView& out) {
  return {out.data, out.dtype, out.rows, out.cols, out.row_stride, bytes_of(out.dtype)};
}

}  // namespace quadrance::testing
