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
  long double overflow;  // from here on a value rounds to Inf: half a step above the largest
};

template <class T>
constexpr Limits limits_of_type() {
  using Numbers = std::numeric_limits<T>;
  const long double largest = Numbers::max();
  // largest = (2 - eps) power, where the numbers are power * eps apart.
  const long double power = largest / (2 - static_cast<long double>(Numbers::epsilon()));
  return {Numbers::epsilon(), Numbers::min(), Numbers::denorm_min(),
          largest + power * Numbers::epsilon() / 2};
}

Limits limits_of(DType dtype) {
  if (dtype == DType::kFloat32) return limits_of_type<float>();
  if (dtype == DType::kFloat64) return limits_of_type<double>();
  throw std::invalid_argument("[compare] results are float32 or float64");
}

// --- bounds ------------------------------------------------------------------------------------------------

Tolerance sum_of_nonnegative(std::int64_t d, DType compute, DType result) {
  constexpr std::int64_t kBlock = 128;
  const Limits from = limits_of(compute);
  const Limits to = limits_of(result);
  const long double sum = static_cast<long double>(std::min(d, kBlock) + 4) * from.epsilon;
  const long double narrowing = to.epsilon > from.epsilon ? to.epsilon / 2 : 0;
  return {.relative = sum + narrowing, .subnormals = 2};
}

/// The weight is rounded (1 / V), and its product with the term.
Tolerance weighted_sum(std::int64_t d, DType, DType result) {
  Tolerance tolerance = sum_of_nonnegative(d, DType::kFloat64, result);
  tolerance.relative += 2 * limits_of(DType::kFloat64).epsilon;
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

struct Bound {
  std::string_view metric;
  Tolerance (*tolerance)(std::int64_t d, DType compute, DType result);
};
constexpr Bound kBounds[] = {
    {"euclidean", sum_of_nonnegative}, {"sqeuclidean", sum_of_nonnegative},
    {"cityblock", sum_of_nonnegative}, {"chebyshev", one_rounding},
    {"canberra", sum_of_nonnegative},  {"braycurtis", ratio_of_sums},
    {"seuclidean", weighted_sum},      {"cosine", of_unit_rows},
    {"correlation", of_unit_rows},
};

// --- one element -------------------------------------------------------------------------------------------

/// The error of one element in units of its bound, and what rule a fault breaks.
struct Verdict {
  long double error = 0;
  const char* rule = "";
};

bool has_wrong_sign(long double got, long double want) { return want >= 0 ? std::signbit(got) : got > 0; }

Verdict judge(long double got, long double want, const Tolerance& tolerance, const Limits& limits) {
  if (std::isnan(want)) return std::isnan(got) ? Verdict{} : Verdict{kInfinity, "NaN is wanted"};
  if (std::isnan(got)) return {kInfinity, "NaN is not wanted"};
  if (want == 0 && tolerance.absolute == 0) {
    const bool positive_zero = got == 0 && !std::signbit(got);
    return positive_zero ? Verdict{} : Verdict{kInfinity, "exactly +0 is wanted"};
  }
  if (has_wrong_sign(got, want)) return {kInfinity, "the sign is wrong"};
  if (std::isinf(want)) return std::isinf(got) ? Verdict{} : Verdict{kInfinity, "Inf is wanted"};
  const long double magnitude = std::fabs(want);
  if (std::isinf(got)) {
    const bool may_overflow = magnitude * (1 + tolerance.relative) >= limits.overflow;
    return may_overflow ? Verdict{} : Verdict{kInfinity, "Inf is not wanted"};
  }
  long double bound =
      tolerance.relative * magnitude + tolerance.of_root * std::sqrt(magnitude) + tolerance.absolute;
  if (magnitude < limits.smallest_normal) bound += tolerance.subnormals * limits.smallest_subnormal;
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

Comparison compare(const MatrixView& got, const Truth& want, const Tolerance& tolerance) {
  const Limits limits = limits_of(got.dtype);
  Tally tally;
  for (std::int64_t i = 0; i < got.rows; ++i) {
    for (std::int64_t j = 0; j < got.cols; ++j) {
      const long double value = decode(got.dtype, address_of(got, i, j));
      const long double truth = want(i, j);
      tally.add(i, j, value, truth, judge(value, truth, tolerance, limits));
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
  const auto truth = [&](std::int64_t i, std::int64_t j) {
    return oracle(metric, x_rows[static_cast<std::size_t>(i)], y_rows[static_cast<std::size_t>(j)]);
  };
  return compare(got, truth, tolerance_of(metric, x.cols, compute, got.dtype));
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
