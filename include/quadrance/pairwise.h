// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "quadrance/error.h"
#include "quadrance/matrix.h"
#include "quadrance/plan.h"

namespace quadrance {

/// Distances between all rows of x, or between the rows of x and the rows of y.
///
/// Formula:  out[i, j] = metric(x[i, :], y[j, :]); see find_metric(options.metric)
/// Shapes:   x [n, d], y [m, d] -> [n, m]; Layout::kCondensed: x [n, d] -> [1, n (n-1) / 2], pairs i < j
/// Units:    of a result: the points' own, their square for sqeuclidean, none for ratios and angles
/// Accuracy: the metric's (MetricInfo::accuracy). Sums run in blocks of 128 features, block totals in twice
///           the precision: of more features bounds grow no further, or as slowly as ln d (minkowski). Those
///           of differences do not depend on the distance from the origin; products and lengths of rows count
///           in inner_product, polynomial and mahalanobis (docs/numerics.md)
/// Same bits: a pair gives the same bits whatever the batch, tile, thread count, layout or position
///           (one machine, device target and dtype); without y the result equals its transpose bit for bit
/// Edges:    d = 0 -> 0; n = 0 or m = 0 -> empty; NaN in a row -> NaN in its distances; Inf - Inf -> NaN
/// Errors:   kShape, kDtype, kMetric, kOption, kDevice, kMemory before anything is written; kCancelled
/// Threads:  may be called from several threads at once. The worker threads serve one call at a time; a call
///           that finds them busy runs on its own thread.
Matrix distances(const MatrixView& x, const Options& options = {});
Matrix distances(const MatrixView& x, const MatrixView& y, const Options& options = {});

/// The same into memory of the caller's, whose dtype chooses the result's. Inputs may be any layout; out must
/// not overlap them (kShape). Whatever the checks refuse is refused before
/// anything is written; cancelling, an exception of Progress, or scratch memory that runs out during the job
/// may leave out partly written.
void distances_into(const OutputView& out, const MatrixView& x, const Options& options = {});
void distances_into(const OutputView& out, const MatrixView& x, const MatrixView& y,
                    const Options& options = {});

/// Similarities instead of distances: kernels such as rbf, whose MetricInfo says `similarity`. All else is as
/// with distances(), but that d = 0 and equal rows give what the formula says.
///
/// Errors:   kMetric: options.metric names a distance (and distances() refuses a similarity)
Matrix similarities(const MatrixView& x, const Options& options);
Matrix similarities(const MatrixView& x, const MatrixView& y, const Options& options);
void similarities_into(const OutputView& out, const MatrixView& x, const Options& options);
void similarities_into(const OutputView& out, const MatrixView& x, const MatrixView& y,
                       const Options& options);

}  // namespace quadrance
