// SPDX-License-Identifier: Apache-2.0
// What a metric's single definition records on symbols: the text generated kernels will be printed from. The
// texts are written out here by hand, from the formulas.
#include "expression/tracer.h"

#include "gtest/gtest.h"
#include "metrics/kernel_parameters.h"
#include "quadrance/metric.h"

namespace quadrance::internal {
namespace {

std::size_t kernels(std::string_view name, const MetricParameters& parameters = {}) {
  return kernels_of(static_cast<std::size_t>(&find_metric(name) - metrics().data()), parameters);
}

TracedMetric trace(std::string_view name) { return trace_metric(kernels(name), DType::kFloat64); }

TEST(Tracer, RecordsEuclidean) {
  const TracedMetric traced = trace("euclidean");
  EXPECT_EQ(traced.step_text(), "t0 = x - y;\na0 = qdr_fma(t0, t0, a0);\n");
  EXPECT_EQ(traced.finish_text(), "result = sqrt(a0);\n");
}

TEST(Tracer, RecordsSqEuclidean) {
  const TracedMetric traced = trace("sqeuclidean");
  EXPECT_EQ(traced.step_text(), "t0 = x - y;\na0 = qdr_fma(t0, t0, a0);\n");
  EXPECT_EQ(traced.finish_text(), "result = a0;\n");
}

TEST(Tracer, RecordsTheOtherMetrics) {
  const struct {
    const char* metric;
    const char* step;
    const char* finish;
  } cases[] = {
      {"cityblock", "t0 = x - y;\nt1 = fabs(t0);\na0 = a0 + t1;\n", "result = a0;\n"},
      {"chebyshev", "t0 = x - y;\nt1 = fabs(t0);\na0 = qdr_max_magnitude(a0, t1);\n", "result = a0;\n"},
      {"canberra",
       "t0 = x - y;\nt1 = fabs(t0);\nt2 = fabs(x);\nt3 = fabs(y);\nt4 = t2 + t3;\nt5 = qdr_ratio(t1, t4);\n"
       "a0 = a0 + t5;\n",
       "result = a0;\n"},
      {"braycurtis",
       "t0 = x - y;\nt1 = fabs(t0);\nt2 = a0 + t1;\nt3 = x + y;\nt4 = fabs(t3);\nt5 = a1 + t4;\n"
       "a0 = t2;\na1 = t5;\n",
       "result = qdr_ratio(a0, a1);\n"},
      {"cosine", "t0 = x - y;\na0 = qdr_fma(t0, t0, a0);\n",
       "t0 = 8.0 < a0;\nt1 = a0 * 0.5;\nt2 = qdr_at_most(t1, 2.0);\nresult = t0 ? 1.0 : t2;\n"},
      {"hamming", "t0 = x == y;\nt1 = t0 ? 0.0 : f0;\na0 = a0 + t1;\n",
       "t0 = p0 + p0;\nt1 = t0 < a0;\nt2 = QDR_INFINITY - QDR_INFINITY;\nt3 = a0 / p0;\nresult = t1 ? t2 : "
       "t3;\n"},
      {"jaccard", "a0 = qdr_count_common(x, y, a0);\n",
       "t0 = x_summary - a0;\nt1 = y_summary - a0;\nt2 = t0 * t1;\nt3 = x_summary + t1;\nt4 = p8 - t3;\n"
       "t5 = t0 + t1;\nt6 = p0 * t5;\nt7 = qdr_fma(p1, a0, t6);\nt8 = qdr_fma(p2, t4, t7);\nt9 = qdr_fma(p3, "
       "t2, t8);\n"
       "t10 = qdr_fma(a0, t4, t2);\nt11 = p4 * t5;\nt12 = qdr_fma(p5, a0, t11);\nt13 = qdr_fma(p6, t4, "
       "t12);\n"
       "t14 = qdr_fma(p7, t10, t13);\nresult = qdr_ratio(t9, t14);\n"},
      {"total_variation", "t0 = x - y;\nt1 = fabs(t0);\na0 = a0 + t1;\n", "result = a0 * 0.5;\n"},
      {"chi_square",
       "t0 = x - y;\nt1 = fabs(t0);\nt2 = fabs(x);\nt3 = fabs(y);\nt4 = t2 + t3;\nt5 = qdr_ratio(t1, t4);\n"
       "t6 = t5 * 0.5;\na0 = qdr_fma(t1, t6, a0);\n",
       "result = a0;\n"},
      {"hellinger", "t0 = x - y;\na0 = qdr_fma(t0, t0, a0);\n",
       "t0 = a0 * 0.5;\nt1 = 4.0 < t0;\nt2 = QDR_INFINITY - QDR_INFINITY;\nt3 = qdr_at_most(t0, 1.0);\nt4 = "
       "sqrt(t3);\n"
       "result = t1 ? t2 : t4;\n"},
      {"inner_product", "a0 = qdr_fma(x, y, a0);\n", "result = 0.0 - a0;\n"},
      {"nan_euclidean",
       "t0 = x == x && y == y;\nt1 = x - y;\nt2 = t0 ? t1 : 0.0;\nt3 = qdr_fma(t2, t2, a0);\nt4 = t0 ? 1.0 : "
       "0.0;\n"
       "t5 = a1 + t4;\na0 = t3;\na1 = t5;\n",
       "t0 = qdr_ratio(p0, a1);\nt1 = a0 * t0;\nresult = sqrt(t1);\n"},
      {"correlation", "t0 = x - y;\na0 = qdr_fma(t0, t0, a0);\n",
       "t0 = 8.0 < a0;\nt1 = a0 * 0.5;\nt2 = qdr_at_most(t1, 2.0);\nresult = t0 ? 1.0 : t2;\n"},
  };
  for (const auto& [metric, step, finish] : cases) {
    EXPECT_EQ(trace(metric).step_text(), step);
    EXPECT_EQ(trace(metric).finish_text(), finish);
  }
}

TEST(Tracer, RecordsAFirstPass) {
  EXPECT_EQ(trace("euclidean").first_step_text(), "");
  MetricParameters parameters;
  parameters.p = 2.3;
  const TracedMetric traced = trace_metric(kernels("minkowski", parameters), DType::kFloat32);
  EXPECT_EQ(traced.first_step_text(), "t0 = x - y;\nt1 = fabs(t0);\na0 = qdr_max_magnitude(a0, t1);\n");
  EXPECT_EQ(traced.first_finish_text(), "result = a0;\n");
  EXPECT_TRUE(traced.step_text().starts_with("t0 = x - y;\nt1 = fabs(t0);\nt2 = t1 / first;\nt3 = "));
}

TEST(Tracer, APowerHasTheDigitsOfItsDtype) {
  MetricParameters parameters;
  parameters.p = 2.3;
  const std::size_t at = kernels("minkowski", parameters);
  EXPECT_LT(trace_metric(at, DType::kFloat32).step_text().size(),
            trace_metric(at, DType::kFloat64).step_text().size());
}

TEST(Tracer, EveryMetricCanBeTraced) {
  for (std::size_t m = 0; m < metrics().size(); ++m) {
    for (const DType dtype : {DType::kFloat32, DType::kFloat64})
      EXPECT_NE(trace_metric(m, dtype).finish_text(), "") << metrics()[m].name();
  }
}

}  // namespace
}  // namespace quadrance::internal
