// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/backend.h"
#include "quadrance/plan.h"

namespace quadrance::internal {

/// A plan with what it runs on.
struct Job {
  Plan plan;
  Engine engine;
  std::int64_t panels_per_task = 1;
};

/// Checks and decides everything. y null: the distances among the rows of x. out null: the library allocates.
/// Views without data are taken; reads no element.
Job plan_job(const MatrixView& x, const MatrixView* y, const Options& options, const OutputView* out);

}  // namespace quadrance::internal
