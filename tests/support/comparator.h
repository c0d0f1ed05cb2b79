// SPDX-License-Identifier: Apache-2.0
// Holds a computed matrix against the truth, element by element, within the metric's bound.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "quadrance/matrix.h"
#include "support/oracle.h"

namespace quadrance::testing {

/// How far a computed element may lie from the true value. Tolerance{}: nowhere, for exact values.
struct Tolerance {
  /// Of the true value.
  long double relative = 0;
  /// Added where the true value is below the smallest normal number of the result's dtype, in steps of its
  /// smallest subnormal.
  long double subnormals = 0;
  /// Of the square root of the true value, and whatever the value: for distances that are squares of what was
  /// rounded. With these a true 0 need not be met exactly.
  long double of_root = 0;
  long double absolute = 0;
  /// Of the true value times |ln| of it: for e^-s, which turns the relative error of s into one s times as
  /// large.
  long double of_log = 0;
  /// Of the pair's Magnitudes::result.
  long double of_magnitude = 0;
  /// Sums of terms of both signs: a value within the bound of 0 may have either.
  bool either_sign = false;
  /// A pair of finite rows with larger Magnitudes may come out as what a sum does that overflows: for e^-s
  /// as 0, for sums of both signs as Inf of any sign or NaN. It may also come out right, as where the device
  /// computes in a wider dtype.
  long double range = std::numeric_limits<long double>::infinity();
};

/// The bound the metric states, for d features.
///
/// Formula:  sums of non-negative terms: relative = (b + 4) eps, b = min(d, 128), eps of the compute dtype,
///           plus half an eps of the result dtype where that one is narrower; subnormals = 2
/// Why 2:    below the smallest normal number a rounding costs half a subnormal however small the value, so
///           no relative bound can hold. A value that is scaled back and then narrowed is rounded there
///           twice, which makes 1; the 2 leaves as much again.
/// Parameters: of test_parameters(), for the metrics whose bound depends on them.
/// Errors:   std::invalid_argument: no bound is known for the metric
Tolerance tolerance_of(std::string_view metric, std::int64_t d, DType compute, DType result);

/// What a comparison found. EXPECT_TRUE(comparison) prints the worst element.
struct Comparison {
  std::int64_t compared = 0;
  std::int64_t failures = 0;
  // The element with the largest error, the first of several; -1 where nothing was compared.
  std::int64_t i = -1;
  std::int64_t j = -1;
  long double got = 0;
  long double want = 0;
  /// Of that element, in units of its bound: above 1 is a failure, Inf a fault that no bound allows (of NaN,
  /// Inf, sign or zero).
  long double error = 0;
  std::string message;

  explicit operator bool() const { return failures == 0; }
  operator ::testing::AssertionResult() const;  // NOLINT: implicit, so that EXPECT_TRUE shows the message
};

/// The true value of element [i, j].
using Truth = std::function<long double(std::int64_t i, std::int64_t j)>;

/// The magnitudes of element [i, j].
using PairMagnitudes = std::function<Magnitudes(std::int64_t i, std::int64_t j)>;

/// Compares every element of got (kFloat32 or kFloat64, any strides) with the truth.
///
/// Beyond the tolerance these hold, for metrics whose bound is relative:
///   NaN wherever the truth is NaN, and nowhere else
///   an infinite truth is met with its sign; a finite one by Inf only if the tolerance reaches that far
///   a true 0 is exactly +0; other results never have the other sign (nothing above 0 comes out as -0)
/// Without `magnitudes` they count as 0.
/// Errors: std::invalid_argument if got is not of floats
Comparison compare(const MatrixView& got, const Truth& want, const Tolerance& tolerance,
                   const PairMagnitudes& magnitudes = {});

/// Compares got [n, m] with the oracle's distances between the rows of x and of y, within the metric's bound.
Comparison compare(const MatrixView& got, const MatrixView& x, const MatrixView& y, std::string_view metric,
                   DType compute);

/// Passes if both have the same shape, dtype and bits; NaN equals every other NaN. -0 is not 0.
Comparison bits_equal(const MatrixView& a, const MatrixView& b);

/// Passes if a matrix equals its transpose bit for bit (as bits_equal).
Comparison is_symmetric_bits(const MatrixView& matrix);

/// The same memory, to be read.
MatrixView view_of(const OutputView& out);

}  // namespace quadrance::testing
