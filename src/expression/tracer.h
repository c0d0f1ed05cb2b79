// SPDX-License-Identifier: Apache-2.0
// Records a metric's step and finish as a graph, by running them on symbols instead of numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "expression/graph.h"
#include "quadrance/matrix.h"

namespace quadrance::internal {

struct TracedMetric {
  Graph graph;
  /// The new value of every accumulator.
  std::vector<Graph::Id> step;
  Graph::Id finish = Graph::kNone;
  /// The same of a pass before, whose result the other one reads (Operation::kFirstPass); nothing if there is
  /// none.
  std::vector<Graph::Id> first_step;
  Graph::Id first_finish = Graph::kNone;

  /// e.g. "t0 = x - y;\na0 = qdr_fma(t0, t0, a0);\n"
  std::string step_text(const TextStyle& style = {}) const { return text_of_step(step, style); }
  /// e.g. "result = sqrt(a0);\n"
  std::string finish_text(const TextStyle& style = {}) const { return text_of_finish(finish, style); }
  std::string first_step_text(const TextStyle& style = {}) const { return text_of_step(first_step, style); }
  std::string first_finish_text(const TextStyle& style = {}) const {
    return text_of_finish(first_finish, style);
  }

 private:
  std::string text_of_step(const std::vector<Graph::Id>& accumulators, const TextStyle& style) const;
  std::string text_of_finish(Graph::Id result, const TextStyle& style) const;
};

/// Kernels there are: kernels_of() is below this.
std::size_t count_of_kernels();

/// Whether these kernels compute in float32 too.
bool has_float32(std::size_t kernels);

/// What kernels_of() gives, computed in this dtype.
TracedMetric trace_metric(std::size_t kernels, DType compute);

}  // namespace quadrance::internal
