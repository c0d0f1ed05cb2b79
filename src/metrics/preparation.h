// SPDX-License-Identifier: Apache-2.0
// What a metric does to each row once, before any pair is computed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "quadrance/metric.h"

namespace quadrance::internal {

/// Turns a row of features into the numbers its metric's step works on. Row by row, so that a pair's distance
/// depends on the pair alone. Thread-safe.
class Preparation {
 public:
  virtual ~Preparation() = default;
  /// Numbers in a prepared row.
  virtual std::int64_t features() const = 0;
  /// row [d] -> prepared [features()]. `wide`: the result is used in float64, so work in twice its precision;
  /// else it is rounded to float32, and float64 is wide enough.
  virtual void prepare(const double* row, bool wide, double* prepared) const = 0;
};

/// What a preparation is made from, checked.
struct PreparationParameters {
  std::int64_t d;
  MetricParameters parameters;
  std::vector<long double> covariance = {};  ///< [d, d] of the data, in place of V
  std::vector<double> centre = {};           ///< of the data that V comes from; empty: 0
  std::function<void()> go_on = [] {};       ///< called many times; may throw, to cancel
  int element_bits = 0;                      ///< of packed rows: each element holds so many features
  bool weighted = false;                     ///< weights were given, if only 0
};

/// A matrix that is no covariance, nor the inverse of one.
struct BadMatrix {
  enum Kind { kNotSymmetric, kNegative, kSingular } kind;
  const char* name;
  std::int64_t i, j;
};

/// For the metric at this place in metrics(). Null: its rows are used as they are.
/// Throws BadMatrix.
std::unique_ptr<const Preparation> make_preparation(std::size_t metric, PreparationParameters given);

}  // namespace quadrance::internal
