// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrance/matrix.h"
#include "quadrance/metric.h"
#include "quadrance/sink.h"

namespace quadrance {

/// Told how far a job is, and asked whether to go on. Called only from the thread that made the call, first
/// after 50 ms and then at most every 50 ms.
class Progress {
 public:
  virtual ~Progress() = default;
  /// pairs done of all pairs computed. Return false to cancel: the call then throws kCancelled and the
  /// contents of a caller's output are unspecified; so does a call in a child that update() has forked, if it
  /// has several threads. May throw; the exception reaches the caller after the workers stop.
  virtual bool update(std::int64_t done, std::int64_t total) = 0;
};

/// Everything a job can be asked besides its points.
struct Options {
  std::string metric = "euclidean";
  MetricParameters parameters = {};
  Layout layout = Layout::kDense;
  /// dtype of the result, kFloat32 or kFloat64. Unset: the caller's output decides; else floats up to 32
  /// bits (also with integers up to 16), and bool or 8-bit integers of one dtype give kFloat32, all else
  /// kFloat64.
  std::optional<DType> dtype;
  /// "auto", or a name from devices(), or one of its targets as "cpu-avx2". A named device never falls back.
  std::string device = "auto";
  /// 0: default_threads(); at most 1024, else kOption. Threads stay asleep for the next job.
  int threads = 0;
  /// Bytes the job may allocate. 0: what the machine and the cgroup have left. Below: kOption.
  std::int64_t memory_limit = 0;
  Progress* progress = nullptr;
  /// What errors call the points: a binding gives the names of its own arguments.
  std::string_view x_name = "x";
  std::string_view y_name = "y";
};

/// What will run, decided and checked before any work.
///
/// bytes_in   the views' elements as they lie in the caller's memory
/// bytes_out  the result, counted against memory only when the library allocates it (bytes_out_new)
/// scratch    packed copy of one operand in the compute dtype, the workers' tiles (more with more threads),
///            and where the metric has them: prepared rows of both sets, sums of rows, squares [d, d]
struct Plan {
  const MetricInfo* metric = nullptr;
  Layout layout = Layout::kDense;
  std::int64_t n = 0;
  std::int64_t m = 0;
  std::int64_t d = 0;
  bool symmetric = false;  ///< only the upper triangle is computed
  bool weighted = false;   ///< the kernel multiplies each feature's term by a weight
  DType input = DType::kFloat64;
  DType compute = DType::kFloat64;  ///< in which differences and block sums are taken
  DType result = DType::kFloat64;
  std::string device;                                        ///< "cpu"
  std::string target;                                        ///< "avx512"
  std::string_view target_source;                            ///< why it is not the best of the device, if so
  std::vector<std::pair<std::string, std::string>> skipped;  ///< devices passed over, each with its reason
  int threads = 1;
  std::string threads_source;  ///< who chose the number
  std::int64_t tile_rows = 0;
  std::int64_t tile_cols = 0;
  std::int64_t tiles = 0;
  std::int64_t pairs = 0;  ///< pairs computed: with symmetric, whole tiles on the diagonal included
  std::int64_t bytes_in = 0;
  std::int64_t bytes_out = 0;
  std::int64_t bytes_out_new = 0;
  std::int64_t bytes_scratch = 0;
  std::int64_t bytes_available = 0;  ///< the limit the job was held against; 0: too small a job to ask

  /// Name of the kernels that run it: the metric's, unless its parameters choose others (minkowski with p = 2
  /// runs those of euclidean).
  std::string_view kernels;
  /// What it takes of two features: the metric's "direct" differences or "product", "bits" in common, or
  /// "mixed": products, and differences for pairs that are near (docs/numerics.md).
  std::string_view form;
  /// e.g. "euclidean/f32/direct/cpu-avx512"
  std::string kernel() const;
  /// The plan in lines for people.
  std::string explain() const;
};

/// Plans the distances between the rows of x (symmetric), or between the rows of x and of y.
///
/// Errors: kShape (x and y differ in columns, condensed of two sets), kDtype, kMetric, kOption, kDevice,
///         kMemory: as distances() would throw, but for what only the elements say (integers beyond 2^53,
///         parameters taken from them) and matrices that have to be factorised. Nothing is computed. Views
///         made by MatrixView::shape() will do.
Plan make_plan(const MatrixView& x, const Options& options = {});
Plan make_plan(const MatrixView& x, const MatrixView& y, const Options& options = {});

/// Plans the same into memory of the caller's, as distances_into() would: out decides the dtype, and its
/// bytes are not counted against the memory. Shape and overlap of out are not looked at.
Plan make_plan(const OutputView& out, const MatrixView& x, const Options& options = {});
Plan make_plan(const OutputView& out, const MatrixView& x, const MatrixView& y, const Options& options = {});

}  // namespace quadrance
