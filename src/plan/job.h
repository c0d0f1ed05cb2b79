// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "backends/backend.h"
#include "metrics/kernel_parameters.h"
#include "metrics/preparation.h"
#include "plan/parameters.h"
#include "plan/schedule.h"
#include "plan/tile_layout.h"
#include "plan/weights.h"
#include "quadrance/plan.h"

namespace quadrance::internal {

/// A plan with what it runs on.
struct Job {
  Plan plan;
  Engine engine;
  bool prepares = false;                           ///< rows are prepared
  std::unique_ptr<const Preparation> preparation;  ///< if so; null: still to be made from the data
  std::int64_t columns = 0;                        ///< of the points
  std::int64_t features = 0;                       ///< of a row as the kernels see it
  FeatureWeights weights;                  ///< if plan.weighted; empty: still to be taken from the data
  Kernel<double> weighted;                 ///< the kernel with these weights
  std::vector<double> parameters;          ///< of the kernels
  std::vector<double> feature_parameters;  ///< [k, features]
  std::optional<TileLayout> layout;
  std::optional<Schedule> schedule;

  /// Makes the preparation, if the metric has one. Errors: kMetric: a matrix that is no covariance
  void prepare(PreparationParameters given);
  void weigh(FeatureWeights with);
  /// Puts the features' ranges, which were left out, into the parameters of the kernels.
  void take_ranges(const MetricParameters& given, const std::vector<long double>& ranges);
  /// Rows that a thread prepares at a time: some 10 us of work at d = 40, and 2 MiB at most.
  std::int64_t rows_at_once() const {
    constexpr std::int64_t kElements = std::int64_t{1} << 18;
    return std::clamp<std::int64_t>(kElements / std::max<std::int64_t>(columns, 1), 1, 64);
  }

  template <class T>
  const Kernel<T>& kernel() const {
    if constexpr (sizeof(T) == 8) {
      if (plan.weighted) return weighted;
    }
    return engine.kernels->get<T>();
  }
};

/// Checks and decides everything. y null: the distances among the rows of x. out null: the library allocates.
/// Views without data are taken; reads no element.
Job plan_job(const MatrixView& x, const MatrixView* y, const Options& options, const OutputView* out);

}  // namespace quadrance::internal
