// SPDX-License-Identifier: Apache-2.0
#include "metrics/elementary-inl.h"
#include "metrics/kernel_parameters.h"
#include "metrics/squared_difference-inl.h"

#include "metrics/begin-inl.h"

struct Rbf : SquaredDifference {
  static constexpr MetricInfo info{
      .names = "rbf gaussian",
      .formula = "exp(-gamma sum_f (x[f] - y[f])^2)",
      .source = "sklearn.metrics.pairwise.rbf_kernel",
      .symmetric = true,
      .nonnegative = true,
      .zero_self = false,
      .triangle = false,
      .degree = MetricInfo::kNotHomogeneous,
      .growth = MetricInfo::kNeverExact,
      .accuracy = "relative error <= ((min(d, 128) + 8) |ln k| + 6) eps for a similarity k",
      .edges =
          "gamma left out: 1 / d; from 0 to 1; equal rows -> 1; d = 0 -> 1; NaN in a row or Inf - Inf -> "
          "NaN; else a sum "
          "beyond the dtype's range -> 0, but 1 for gamma = 0",
      .parameters = "gamma",
      .similarity = true,
  };
  static constexpr Redo redo = Redo::kNever;  // a sum that overflows counts as Inf

  static bool in_float64(const MetricParameters& given) { return needs_float64(given.gamma.value_or(1)); }

  static std::vector<double> kernel_parameters(const ParametersGiven& given) {
    constexpr double kLog2E = 0x1.71547652b82fep+0;
    return {-gamma_of(given) * kLog2E};
  }

  template <class Ops, class V>
  static QDR_INLINE V finish(const Ops& o, const V (&sum)[accumulators]) {
    return exp_of_distance(o, sum[0], o.parameter(0));
  }
};

#include "metrics/end-inl.h"
