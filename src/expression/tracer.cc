// SPDX-License-Identifier: Apache-2.0
#include "expression/tracer.h"

#include "messages.h"
#include "metrics/all.h"

namespace quadrance::internal {
namespace {

/// A number that is not known yet.
struct Value {
  Graph::Id id;
};

/// The operations a metric is written in, on symbols.
struct TracerOps {
  Graph* graph;

  Value difference(Value x, Value y) const { return {graph->apply(Operation::kSubtract, x.id, y.id)}; }
  Value sum(Value x, Value y) const { return add(x, y); }
  void keep_in_range(Value*, Value*) const {}  // a matter of scaled kernels
  Value weight() const { return {graph->leaf(Operation::kWeight)}; }
  Value constant(double value) const { return {graph->constant(value)}; }
  Value multiply(Value a, Value b) const { return {graph->apply(Operation::kMultiply, a.id, b.id)}; }
  Value at_most(Value a, Value limit) const { return {graph->apply(Operation::kAtMost, a.id, limit.id)}; }
  Value abs(Value a) const { return {graph->apply(Operation::kAbs, a.id)}; }
  Value add(Value a, Value b) const { return {graph->apply(Operation::kAdd, a.id, b.id)}; }
  Value max_magnitude(Value a, Value b) const { return {graph->apply(Operation::kMaxMagnitude, a.id, b.id)}; }
  Value ratio(Value a, Value b) const { return {graph->apply(Operation::kRatio, a.id, b.id)}; }
  Value multiply_add(Value a, Value b, Value c) const {
    return {graph->apply(Operation::kMultiplyAdd, a.id, b.id, c.id)};
  }
  Value sqrt(Value a) const { return {graph->apply(Operation::kSqrt, a.id)}; }
};

template <class Metric>
TracedMetric trace() {
  TracedMetric traced;
  const TracerOps o{&traced.graph};
  Value accumulators[Metric::accumulators];
  const auto fresh_accumulators = [&] {
    for (int a = 0; a < Metric::accumulators; ++a) {
      accumulators[a] = {traced.graph.leaf(Operation::kAccumulator, a)};
    }
  };
  fresh_accumulators();
  Metric::step(o, accumulators, Value{traced.graph.leaf(Operation::kX)},
               Value{traced.graph.leaf(Operation::kY)});
  for (const Value& value : accumulators) traced.step.push_back(value.id);
  fresh_accumulators();
  traced.finish = Metric::finish(o, accumulators).id;
  return traced;
}

constexpr TracedMetric (*kTraces[])() = {
#define METRIC(name, Struct, kernels) trace<plain::Struct>,
#include "metrics/list.inc"
#undef METRIC
};

}  // namespace

std::string TracedMetric::step_text() const {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < step.size(); ++a) names.push_back(messages::text("a", a));
  return graph.statements(step, names);
}

std::string TracedMetric::finish_text() const {
  const std::string name = "result";
  return graph.statements({&finish, 1}, {&name, 1});
}

TracedMetric trace_metric(std::size_t metric) { return kTraces[metric](); }

}  // namespace quadrance::internal
