// SPDX-License-Identifier: Apache-2.0
// What a metric's single definition records on symbols: the text generated kernels will be printed from. The
// texts are written out here by hand, from the formulas.
#include "expression/tracer.h"

#include "gtest/gtest.h"
#include "quadrance/metric.h"

namespace quadrance::internal {
namespace {

TracedMetric trace(std::string_view name) {
  return trace_metric(static_cast<std::size_t>(&find_metric(name) - metrics().data()));
}

TEST(Tracer, RecordsEuclidean) {
  const TracedMetric traced = trace("euclidean");
  EXPECT_EQ(traced.step_text(), "t0 = x - y;\na0 = fma(t0, t0, a0);\n");
  EXPECT_EQ(traced.finish_text(), "result = sqrt(a0);\n");
}

TEST(Tracer, RecordsSqEuclidean) {
  const TracedMetric traced = trace("sqeuclidean");
  EXPECT_EQ(traced.step_text(), "t0 = x - y;\na0 = fma(t0, t0, a0);\n");
  EXPECT_EQ(traced.finish_text(), "result = a0;\n");
}

TEST(Tracer, EveryMetricCanBeTraced) {
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    EXPECT_NE(trace_metric(m).finish_text(), "") << metrics()[m].name();
  }
}

}  // namespace
}  // namespace quadrance::internal
