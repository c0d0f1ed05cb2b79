// SPDX-License-Identifier: Apache-2.0
// True distances, from formulas written by hand and apart from src/: the library is held against these.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "quadrance/matrix.h"
#include "quadrance/metric.h"

namespace quadrance::testing {

/// The distance between two points, whose elements are values of any of the library's dtypes.
///
/// Accuracy: euclidean, sqeuclidean: within 2^-63 of the true value (2^-10 ulp of a float64) for any float64
///           and int64 input and d up to a million. Differences are exact, squares and sums of 128 bits lose
///           (3 d + 8) 2^-128 < 2^-106 together, and what is left is the rounding to long double, 2^-64.
///           Where long double has 113 bits: (d + 4) 2^-113 < 2^-93.
/// Range:    no overflow or underflow: squares of float64 are normal numbers of long double
/// Edges:    d = 0 -> 0; NaN -> NaN; Inf - Inf -> NaN; Inf against a finite number -> Inf; a zero is +0
/// Errors:   std::invalid_argument: unknown metric (canonical names only), lengths that differ
long double oracle(std::string_view metric, std::span<const long double> x, std::span<const long double> y);

/// The same with weights of the features (seuclidean: their variances); empty: all 1.
long double oracle(std::string_view metric, std::span<const long double> x, std::span<const long double> y,
                   std::span<const long double> w);

/// Parameters that property tests give the metrics that need some; oracle() without weights assumes them.
MetricParameters test_parameters(std::string_view metric, std::int64_t d);

/// Row i of a view, every dtype and stride, exactly.
std::vector<long double> row_of(const MatrixView& view, std::int64_t i);

/// All rows of a view.
std::vector<std::vector<long double>> rows_of(const MatrixView& view);

}  // namespace quadrance::testing
