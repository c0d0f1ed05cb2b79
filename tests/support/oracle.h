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
///           minkowski, angles, images, products and kernels: within 2^-62. But angles below 2^-50: 2^-110;
///           inner_product and polynomial where terms cancel: 2^-110 of magnitudes().
/// Range:    no overflow or underflow: squares of float64 are normal numbers of long double
/// Edges:    d = 0 -> 0; NaN -> NaN; Inf - Inf -> NaN; Inf against a finite number -> Inf; a zero is +0.
///           Ratios and angles of Inf -> NaN. nan_euclidean leaves out features with NaN; none left -> NaN.
///           periodic_euclidean: Inf in a feature that repeats -> NaN. d = 0: rbf, laplacian -> 1, polynomial
///           -> coef0^degree
/// Errors:   std::invalid_argument: unknown metric (canonical names only); lengths that differ; w, V or box
///           of another length; haversine of other than two features
long double oracle(std::string_view metric, std::span<const long double> x, std::span<const long double> y,
                   const MetricParameters& parameters);

/// The same with test_parameters().
long double oracle(std::string_view metric, std::span<const long double> x, std::span<const long double> y);

/// Parameters that property tests give the metrics that need some; oracle() without parameters assumes them.
MetricParameters test_parameters(std::string_view metric, std::int64_t d);

/// How large a result would be if nothing cancelled: what the error of a sum of terms of both signs is a
/// multiple of, and whether a sum overflows.
struct Magnitudes {
  /// The sum of the terms' magnitudes: |x y|, |x - y| or (x - y)^2.
  long double terms = 0;
  /// The result, were all its terms positive: for inner_product `terms`, for polynomial (gamma terms +
  /// |coef0|)^degree. For mahalanobis the lengths of both rows. For haversine the radius, if an angle is
  /// first brought to a circle or between the poles. Else 0.
  long double result = 0;
};

/// Of inner_product, polynomial, rbf, laplacian, mahalanobis and haversine; of the other metrics 0, as their
/// bounds need none.
Magnitudes magnitudes(std::string_view metric, std::span<const long double> x, std::span<const long double> y,
                      const MetricParameters& parameters);

/// Row i of a view, every dtype and stride, exactly.
std::vector<long double> row_of(const MatrixView& view, std::int64_t i);

/// All rows of a view.
std::vector<std::vector<long double>> rows_of(const MatrixView& view);

}  // namespace quadrance::testing
