// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "quadrance/matrix.h"

namespace quadrance::internal {

/// The largest less the smallest finite number of each feature of the rows of x, and of y if it is not null,
/// taken together; 0 of a feature that is constant or has none. Of float64 the range may be beyond float64.
///
/// go_on: called every 64 rows; may throw, to cancel.
std::vector<long double> ranges(const MatrixView& x, const MatrixView* y, const std::function<void()>& go_on);

}  // namespace quadrance::internal
