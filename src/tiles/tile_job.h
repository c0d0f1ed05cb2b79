// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/backend.h"
#include "plan/schedule.h"
#include "plan/tile_layout.h"
#include "sinks/sink.h"
#include "tiles/columns.h"
#include "tiles/row_sums.h"

namespace quadrance::internal {

/// What all workers of a job share. T is the compute dtype.
template <class T>
struct TileJob {
  const MatrixView& x;
  const Columns<T>& columns;
  const Kernel<T>& kernel;
  const Movers& movers;
  const Schedule& schedule;
  const TileLayout& layout;
  const Sink& sink;
  const T* weights;  ///< of the features, for weighted kernels
  int weight_exponent;
  RowSums row_sums;             ///< of x, if layout.by_products; then packed rows are without their means
  RowSums column_sums;          ///< of y
  const T* parameters;          ///< of the kernels
  const T* feature_parameters;  ///< [k, features]
  bool triangle;                ///< only strips on and above the diagonal are computed
  bool streaming;               ///< stores go past the caches
};

/// Which part of the result a strip is.
struct StripArea {
  std::int64_t row, rows, col, cols;
  std::int64_t mirrored_rows;  ///< rows above the diagonal block, stored transposed as well

  bool touches_diagonal() const { return col < row + rows; }
};

}  // namespace quadrance::internal
