// SPDX-License-Identifier: Apache-2.0
#include "expression/tracer.h"

#include <iterator>

#include "messages.h"
#include "metrics/all.h"

namespace quadrance::internal {
namespace {

/// A number that is not known yet.
struct Value {
  Graph::Id id;
};
struct Condition {
  Graph::Id id;
};

/// The operations a metric is written in, on symbols. kDigits: of the dtype that is computed in.
template <int kDigitsOfDtype>
struct TracerOps {
  static constexpr int kDigits = kDigitsOfDtype;
  Graph* graph;

  Value difference(Value x, Value y) const { return {graph->apply(Operation::kSubtract, x.id, y.id)}; }
  Value sum(Value x, Value y) const { return add(x, y); }
  void keep_in_range(Value*, Value*) const {}  // a matter of scaled kernels
  Value weight() const { return {graph->leaf(Operation::kWeight)}; }
  Value parameter(int i) const { return {graph->leaf(Operation::kParameter, i)}; }
  Value feature_parameter(int i) const { return {graph->leaf(Operation::kFeatureParameter, i)}; }
  Value first_pass() const { return {graph->leaf(Operation::kFirstPass)}; }
  Value row_summary() const { return {graph->leaf(Operation::kRowSummary)}; }
  Value column_summary() const { return {graph->leaf(Operation::kColumnSummary)}; }
  Value count_common(Value x, Value y, Value count) const {
    return {graph->apply(Operation::kCountCommon, x.id, y.id, count.id)};
  }
  Value number_of(Value count) const { return count; }
  Value scaled(Value a) const { return a; }
  Value constant(double value) const { return {graph->constant(value)}; }
  Value smallest_normal() const { return constant(kDigits <= 24 ? 0x1p-126 : 0x1p-1022); }
  Value infinity() const { return {graph->leaf(Operation::kInfinity)}; }
  Value multiply(Value a, Value b) const { return {graph->apply(Operation::kMultiply, a.id, b.id)}; }
  Value at_most(Value a, Value limit) const { return {graph->apply(Operation::kAtMost, a.id, limit.id)}; }
  Value at_least(Value a, Value limit) const { return {graph->apply(Operation::kAtLeast, a.id, limit.id)}; }
  Value abs(Value a) const { return {graph->apply(Operation::kAbs, a.id)}; }
  Value add(Value a, Value b) const { return {graph->apply(Operation::kAdd, a.id, b.id)}; }
  Value subtract(Value a, Value b) const { return {graph->apply(Operation::kSubtract, a.id, b.id)}; }
  Value divide(Value a, Value b) const { return {graph->apply(Operation::kDivide, a.id, b.id)}; }
  Value round(Value a) const { return {graph->apply(Operation::kRound, a.id)}; }
  Condition less(Value a, Value b) const { return {graph->apply(Operation::kLess, a.id, b.id)}; }
  Condition equal(Value a, Value b) const { return {graph->apply(Operation::kEqual, a.id, b.id)}; }
  Condition are_numbers(Value a, Value b) const { return {graph->apply(Operation::kAreNumbers, a.id, b.id)}; }
  Value select(Condition condition, Value yes, Value no) const {
    return {graph->apply(Operation::kSelect, condition.id, yes.id, no.id)};
  }
  Value zero_if(Condition condition, Value no) const { return select(condition, constant(0), no); }
  Value exponent(Value a) const { return {graph->apply(Operation::kExponent, a.id)}; }
  Value mantissa(Value a) const { return {graph->apply(Operation::kMantissa, a.id)}; }
  Value two_to(Value n) const { return {graph->apply(Operation::kPowerOfTwo, n.id)}; }
  Value max_magnitude(Value a, Value b) const { return {graph->apply(Operation::kMaxMagnitude, a.id, b.id)}; }
  Value ratio(Value a, Value b) const { return {graph->apply(Operation::kRatio, a.id, b.id)}; }
  Value ratio_in_range(Value a, Value b) const { return ratio(a, b); }
  Value above_zero(Value magnitude) const { return magnitude; }
  Value multiply_add(Value a, Value b, Value c) const {
    return {graph->apply(Operation::kMultiplyAdd, a.id, b.id, c.id)};
  }
  Value sqrt(Value a) const { return {graph->apply(Operation::kSqrt, a.id)}; }
};

template <int kCount>
struct Accumulators {
  Value values[kCount];
  explicit Accumulators(Graph* graph) {
    for (int a = 0; a < kCount; ++a) values[a] = {graph->leaf(Operation::kAccumulator, a)};
  }
};

template <class Step, class Ops>
std::vector<Graph::Id> trace_step(const Ops& o) {
  Accumulators<Step::accumulators> accumulators(o.graph);
  Step::step(o, accumulators.values, Value{o.graph->leaf(Operation::kX)},
             Value{o.graph->leaf(Operation::kY)});
  std::vector<Graph::Id> out;
  for (const Value& value : accumulators.values) out.push_back(value.id);
  return out;
}

template <class Step, class Ops>
Graph::Id trace_finish(const Ops& o) {
  return Step::finish(o, Accumulators<Step::accumulators>(o.graph).values).id;
}

template <class Metric, int kDigits>
TracedMetric trace() {
  TracedMetric traced;
  const TracerOps<kDigits> o{&traced.graph};
  if constexpr (requires { typename Metric::FirstPass; }) {
    traced.first_step = trace_step<typename Metric::FirstPass>(o);
    traced.first_finish = trace_finish<typename Metric::FirstPass>(o);
  }
  traced.step = trace_step<Metric>(o);
  traced.finish = trace_finish<Metric>(o);
  return traced;
}

struct Traces {
  TracedMetric (*f32)();
  TracedMetric (*f64)();
};
template <class Metric>
constexpr Traces kTracesOf{trace<Metric, 24>, trace<Metric, 53>};
template <class Metric>
constexpr bool kHasFloat32 = !Metric::info.in_float64;
constexpr bool kTracesFloat32[] = {
#define METRIC(name, Struct, kernels) kHasFloat32<plain::Struct>,
#define KERNELS(name, Struct) kHasFloat32<plain::Struct>,
#include "metrics/list.inc"
};
constexpr Traces kTraces[] = {
#define METRIC(name, Struct, kernels) kTracesOf<plain::Struct>,
#define KERNELS(name, Struct) kTracesOf<plain::Struct>,
#include "metrics/list.inc"
};

}  // namespace

std::string TracedMetric::text_of_step(const std::vector<Graph::Id>& accumulators,
                                       const TextStyle& style) const {
  std::vector<std::string> names;
  for (std::size_t a = 0; a < accumulators.size(); ++a) names.push_back(messages::text("a", a));
  return graph.statements(accumulators, names, style);
}

std::string TracedMetric::text_of_finish(Graph::Id result, const TextStyle& style) const {
  const std::string name = "result";
  return graph.statements({&result, 1}, {&name, 1}, style);
}

std::size_t count_of_kernels() { return std::size(kTraces); }

bool has_float32(std::size_t kernels) { return kTracesFloat32[kernels]; }

TracedMetric trace_metric(std::size_t kernels, DType compute) {
  return compute == DType::kFloat32 ? kTraces[kernels].f32() : kTraces[kernels].f64();
}

}  // namespace quadrance::internal
