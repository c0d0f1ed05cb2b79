// SPDX-License-Identifier: Apache-2.0
// Records a metric's step and finish as a graph, by running them on symbols instead of numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "expression/graph.h"

namespace quadrance::internal {

struct TracedMetric {
  Graph graph;
  std::vector<Graph::Id> step;  ///< the new value of every accumulator
  Graph::Id finish = Graph::kNone;

  /// e.g. "t0 = x - y;\na0 = fma(t0, t0, a0);\n"
  std::string step_text() const;
  /// e.g. "result = sqrt(a0);\n"
  std::string finish_text() const;
};

/// The metric at this place in metrics().
TracedMetric trace_metric(std::size_t metric);

}  // namespace quadrance::internal
