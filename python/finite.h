// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "quadrance/matrix.h"

namespace quadrance::python {

struct NotFinite {
  std::int64_t row;
  std::int64_t col;
  bool nan;  ///< else an infinity
};

/// The first NaN or Inf of a view, row by row; with allow_nan the first Inf. Nothing for integers.
std::optional<NotFinite> find_not_finite(const MatrixView& view, bool allow_nan);

}  // namespace quadrance::python
