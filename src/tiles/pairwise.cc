// SPDX-License-Identifier: Apache-2.0
#include "quadrance/pairwise.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <type_traits>
#include <vector>

#include "input/pack.h"
#include "messages.h"
#include "plan/job.h"
#include "plan/machine.h"
#include "plan/tile_layout.h"
#include "sinks/condensed.h"
#include "sinks/dense.h"
#include "tiles/columns.h"
#include "tiles/pool.h"
#include "tiles/ranges.h"
#include "tiles/row_sums.h"
#include "tiles/scratch.h"
#include "tiles/variances.h"
#include "tiles/worker.h"

namespace quadrance {
namespace internal {
namespace {

// A thread keeps this much scratch between jobs; d = 128 needs about half.
constexpr std::size_t kKeepScratch = std::size_t{1} << 20;

/// This thread's scratch for one job. A job inside another (a Progress may call the library) gets its own.
class ScratchLoan {
 public:
  ScratchLoan() : nested_(kept().lent) { kept().lent = true; }
  ~ScratchLoan() {
    if (nested_) return;
    kept().scratch.trim(kKeepScratch);
    kept().lent = false;
  }
  ScratchLoan(const ScratchLoan&) = delete;
  ScratchLoan& operator=(const ScratchLoan&) = delete;

  Scratch* get() { return nested_ ? &own_ : &kept().scratch; }

 private:
  struct Kept {
    Scratch scratch;
    bool lent = false;
  };
  static Kept& kept() {
    static thread_local Kept kept;
    return kept;
  }

  bool nested_;
  Scratch own_;
};

/// Tells the caller's Progress, from the calling thread only, at most every 50 ms.
class Reporter {
 public:
  Reporter(Progress* progress, std::int64_t total)
      : progress_(progress), total_(total), last_(Clock::now()) {}

  /// Whether workers should go on taking tasks.
  bool go_on() const { return !stop_.load(std::memory_order_relaxed); }

  void done(std::int64_t pairs, bool on_calling_thread) {
    if (progress_ == nullptr) return;
    const std::int64_t now_done = done_.fetch_add(pairs, std::memory_order_relaxed) + pairs;
    if (!on_calling_thread || Clock::now() - last_ < kInterval) return;
    last_ = Clock::now();
    if (!progress_->update(now_done, total_)) cancelled_ = true;
    if (cancelled_) stop();
  }
  /// Makes every worker stop at its next task.
  void stop() { stop_.store(true, std::memory_order_relaxed); }

  void throw_if_cancelled() const {
    if (cancelled_) throw messages::cancelled(done_.load(), total_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kInterval{50};

  Progress* progress_;
  std::int64_t total_;
  Clock::time_point last_;
  bool cancelled_ = false;
  std::atomic<std::int64_t> done_{0};
  std::atomic<bool> stop_{false};
};

/// Calls body(index) for all indices below count, spread over the threads, unless the caller cancels.
template <class Body>
void parallel_for(int threads, std::int64_t count, Reporter* reporter, const Body& body) {
  std::atomic<std::int64_t> next{0};
  Pool::instance().run(threads, [&](int number) {
    try {
      for (std::int64_t i; reporter->go_on() && (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
        body(i);
        reporter->done(0, number == 0);
      }
    } catch (...) {
      reporter->stop();
      throw;
    }
  });
  reporter->throw_if_cancelled();
}

template <class T, class Out>
void work(const TileJob<T>& job, std::atomic<std::int64_t>* next, Reporter* reporter,
          bool on_calling_thread) {
  try {
    ScratchLoan scratch;
    Worker<T, Out> worker(job, scratch.get());
    for (std::int64_t i;
         reporter->go_on() && (i = next->fetch_add(1, std::memory_order_relaxed)) < job.schedule.tasks();) {
      const Task task = job.schedule.task(i);
      worker.run(task);
      reporter->done(job.schedule.task_pairs(task), on_calling_thread);
    }
    worker.finish();
  } catch (...) {
    reporter->stop();
    throw;
  }
}

template <class T>
const T* weights_of(const Job& job) {
  if constexpr (std::is_same_v<T, double>) return job.weights.values.data();
  return nullptr;
}

template <class T>
std::vector<T> narrowed(const std::vector<double>& values) {
  std::vector<T> out(values.size());
  std::transform(values.begin(), values.end(), out.begin(),
                 [](double value) { return static_cast<T>(value); });
  return out;
}

template <class T>
RowSumsOf<T> sum_rows(const Job& job, const MatrixView& x, const TileLayout& layout, Progress* progress) {
  const Kernel<T>& kernel = job.kernel<T>();
  RowSumsOf<T> sums(x, kernel);
  Reporter reporter(progress, job.plan.pairs);
  constexpr std::int64_t kRows = 16;  // packed together: of column-major data these share cache lines
  parallel_for(job.plan.threads, (x.rows + kRows - 1) / kRows, &reporter, [&](std::int64_t task) {
    ScratchLoan scratch;
    const auto bytes = static_cast<std::size_t>(kRows * layout.row_stride) * sizeof(T);
    T* rows = reinterpret_cast<T*>(scratch.get()->reserve(bytes));
    const std::int64_t first = task * kRows;
    sums.take(x, first, std::min(kRows, x.rows - first), kernel, *job.engine.movers, rows, layout.row_stride);
  });
  sums.pad();
  return sums;
}

template <class T, class Out>
void run_tiles(const Job& job, const MatrixView& x, const MatrixView& y, const Sink& sink,
               Progress* progress) {
  const Plan& plan = job.plan;
  const Kernel<T>& kernel = job.kernel<T>();
  const TileLayout& layout = *job.layout;
  Reporter reporter(progress, plan.pairs);
  RowSumsOf<T> x_sums;
  RowSumsOf<T> y_sums;
  if (layout.by_products) {
    x_sums = sum_rows<T>(job, x, layout, progress);
    if (!plan.symmetric) y_sums = sum_rows<T>(job, y, layout, progress);
  }
  const RowSums row_sums = x_sums.view();
  const RowSums column_sums = plan.symmetric ? row_sums : y_sums.view();
  Columns<T> columns(y, kernel, *job.engine.movers, column_sums.mean);
  if (layout.packed_columns) {
    columns.allocate();
    const auto packing_bytes = static_cast<std::size_t>(kernel.cols * layout.packing_stride) * sizeof(T);
    parallel_for(plan.threads, columns.panels(), &reporter, [&](std::int64_t panel) {
      ScratchLoan scratch;
      columns.pack(panel, reinterpret_cast<T*>(scratch.get()->reserve(packing_bytes)), layout.packing_stride);
    });
  }
  const std::vector<T> parameters = narrowed<T>(job.parameters);
  const std::vector<T> feature_parameters = narrowed<T>(job.feature_parameters);
  const TileJob<T> tiles{x,
                         columns,
                         kernel,
                         *job.engine.movers,
                         *job.schedule,
                         layout,
                         sink,
                         weights_of<T>(job),
                         job.weights.result_exponent,
                         row_sums,
                         column_sums,
                         parameters.data(),
                         feature_parameters.data(),
                         plan.symmetric,
                         plan.bytes_out > last_level_cache()};
  std::atomic<std::int64_t> next{0};
  Pool::instance().run(plan.threads, [&](int number) { work<T, Out>(tiles, &next, &reporter, number == 0); });
  reporter.throw_if_cancelled();
}

/// The rows as the metric's step wants them, in the dtype they are computed in.
template <class T>
Matrix prepare_rows(const Job& job, const MatrixView& x, Progress* progress) {
  const Preparation& preparation = *job.preparation;
  const std::int64_t features = preparation.features();
  Matrix out(dtype_of<T>(), x.rows, features);
  Reporter reporter(progress, job.plan.pairs);
  const std::int64_t at_once = job.rows_at_once();
  parallel_for(job.plan.threads, (x.rows + at_once - 1) / at_once, &reporter, [&](std::int64_t task) {
    const std::int64_t first = task * at_once;
    const std::int64_t count = std::min(at_once, x.rows - first);
    std::vector<double> rows(static_cast<std::size_t>(count * x.cols + features));
    double* prepared = rows.data() + count * x.cols;
    pack_rows<double>(x, first, count, rows.data(), x.cols);
    for (std::int64_t r = 0; r < count; ++r) {
      preparation.prepare(rows.data() + r * x.cols, std::is_same_v<T, double>, prepared);
      std::transform(prepared, prepared + features, out.as<T>() + (first + r) * features,
                     [](double value) { return static_cast<T>(value); });
    }
  });
  return out;
}

template <class T, class Out>
void prepare_and_run(const Job& job, const MatrixView& x, const MatrixView& y, const Sink& sink,
                     Progress* progress) {
  if (job.preparation == nullptr) return run_tiles<T, Out>(job, x, y, sink, progress);
  const Matrix prepared_x = prepare_rows<T>(job, x, progress);
  if (job.plan.symmetric) return run_tiles<T, Out>(job, prepared_x.view(), prepared_x.view(), sink, progress);
  run_tiles<T, Out>(job, prepared_x.view(), prepare_rows<T>(job, y, progress).view(), sink, progress);
}

/// Parameters that come from the data. A feature that is constant in them has no differences to weigh.
void take_from_data(const MatrixView& x, const MatrixView& y, const Options& options,
                    const std::function<void()>& go_on, Job* job) {
  const bool one_set = job->plan.symmetric || same_numbers(x, y, go_on);
  const bool of_ranges = job->plan.metric->takes("ranges");
  if (!one_set && !options.parameters.from_both) {
    const MetricInfo& metric = *job->plan.metric;
    throw of_ranges ? messages::ranges_of_two_sets(metric.name())
                    : messages::variance_of_two_sets(metric.name(), takes_covariance(metric));
  }
  const MatrixView* both = one_set ? nullptr : &y;
  if (of_ranges) return job->take_ranges(options.parameters, ranges(x, both, go_on));
  const auto d = static_cast<std::size_t>(job->plan.d);
  if (one_set && x.rows == 1) {  // 0 apart from itself, whatever the parameters
    if (!job->prepares) job->weights.values.assign(d, 1.0);
    return;
  }
  if (job->prepares) {
    Covariance found = covariance(x, both, go_on);
    return job->prepare(
        {job->plan.d, options.parameters, std::move(found.matrix), std::move(found.centre), go_on});
  }
  std::vector<double> w = variances(x, both, go_on);
  require_comparable(w, "the variances V of the data", kComparableVariances);
  for (double& variance : w) variance = variance > 0 ? 1 / variance : 0;
  job->weigh(scale_weights(w, *job->engine.kernels));
}

/// Packed rows of 64-bit integers as words, which no number holds.
MatrixView as_words(MatrixView view) {
  if (size_of(view.dtype) == sizeof(double)) view.dtype = DType::kFloat64;
  return view;
}

/// Which bits are features is not known, but no more than these may ever be set.
void require_bits_of_features(const MatrixView& packed, std::string_view which, std::int64_t features,
                              const std::function<void()>& go_on) {
  if (features == packed.cols * 8 * static_cast<std::int64_t>(size_of(packed.dtype))) return;
  const std::int64_t used = count_bits_in_use(packed, go_on);
  if (used > features) throw messages::packed_beyond(which, used, features);
}

void run_job(Job* planned, const OutputView& out, const MatrixView& points_x, const MatrixView& points_y,
             const Options& options) {
  const bool packed = options.parameters.packed.has_value();
  const MatrixView x = packed ? as_words(points_x) : points_x;
  const MatrixView y = packed ? as_words(points_y) : points_y;
  const Job& job = *planned;
  Progress* progress = options.progress;
  const Plan& plan = job.plan;
  Reporter reporter(progress, plan.pairs);
  const auto go_on = [&reporter] {
    reporter.done(0, true);
    reporter.throw_if_cancelled();
  };
  if (packed) {
    require_bits_of_features(x, options.x_name, plan.d, go_on);
    if (!plan.symmetric) require_bits_of_features(y, options.y_name, plan.d, go_on);
  }
  require_exact_integers(x, options.x_name, go_on);
  if (!plan.symmetric) require_exact_integers(y, options.y_name, go_on);
  const bool needed = needs_data(*plan.metric, options.parameters, plan.d);
  if (needed && plan.d > 0 && plan.bytes_out > 0) take_from_data(x, y, options, go_on, planned);
  if (!needed && takes_covariance(*plan.metric))
    planned->prepare({plan.d, options.parameters, {}, {}, go_on});
  if (plan.bytes_out == 0) return;
  const auto run = [&](const Sink& sink) {
    if (plan.compute == DType::kFloat32)
      prepare_and_run<float, float>(job, x, y, sink, progress);
    else if (plan.result == DType::kFloat64)
      prepare_and_run<double, double>(job, x, y, sink, progress);
    else
      prepare_and_run<double, float>(job, x, y, sink, progress);
  };
  if (plan.layout == Layout::kCondensed)
    run(CondensedSink(out, plan.n));
  else
    run(DenseSink(out));
}

void require_data(const MatrixView& view, std::string_view which) {
  if (view.data == nullptr && view.rows > 0 && view.cols > 0) throw messages::no_data(which);
}

struct Extent {
  std::uintptr_t begin, end;
};

/// The bytes between the first and the last element of a view, whatever the signs of its strides.
Extent extent(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t row_stride,
              std::int64_t col_stride, std::size_t size) {
  const auto at = reinterpret_cast<std::uintptr_t>(data);
  if (rows == 0 || cols == 0) return {at, at};
  const std::int64_t row_span = (rows - 1) * row_stride;
  const std::int64_t col_span = (cols - 1) * col_stride;
  const std::int64_t low = std::min<std::int64_t>(0, row_span) + std::min<std::int64_t>(0, col_span);
  const std::int64_t high = std::max<std::int64_t>(0, row_span) + std::max<std::int64_t>(0, col_span);
  return {at + static_cast<std::uintptr_t>(low), at + static_cast<std::uintptr_t>(high) + size};
}

void require_apart(const OutputView& out, const MatrixView& view, std::string_view which) {
  const auto out_size = static_cast<std::int64_t>(size_of(out.dtype));
  const Extent a = extent(out.data, out.rows, out.cols, out.row_stride, out_size, size_of(out.dtype));
  const Extent b =
      extent(view.data, view.rows, view.cols, view.row_stride, view.col_stride, size_of(view.dtype));
  if (a.begin < b.end && b.begin < a.end) throw messages::out_overlaps(which);
}

void check_output(const OutputView& out, const Plan& plan) {
  const bool condensed = plan.layout == Layout::kCondensed;
  const std::int64_t rows = condensed ? 1 : plan.n;
  const std::int64_t cols = condensed ? condensed_size(plan.n) : plan.m;
  if (out.rows != rows || out.cols != cols) throw messages::out_shape(out.rows, out.cols, rows, cols);
  const auto size = static_cast<std::int64_t>(size_of(out.dtype));
  if (rows > 1 && (out.row_stride < cols * size || out.row_stride % size != 0)) {
    throw messages::out_stride(out.row_stride, cols * size);
  }
  if (reinterpret_cast<std::uintptr_t>(out.data) % static_cast<std::uintptr_t>(size) != 0) {
    throw messages::out_misaligned(size);
  }
  if (out.data == nullptr && rows > 0 && cols > 0) throw messages::no_data("out");
}

Matrix allocate_and_run(const MatrixView& x, const MatrixView* y, const Options& options) {
  Job job = plan_job(x, y, options, nullptr);
  const MatrixView& columns = y != nullptr ? *y : x;
  require_data(x, options.x_name);
  require_data(columns, options.y_name);
  const bool condensed = job.plan.layout == Layout::kCondensed;
  Matrix result(job.plan.result, condensed ? 1 : job.plan.n,
                condensed ? condensed_size(job.plan.n) : job.plan.m);
  run_job(&job, result.output(), x, columns, options);
  return result;
}

void check_and_run(const OutputView& out, const MatrixView& x, const MatrixView* y, const Options& options) {
  Job job = plan_job(x, y, options, &out);
  const MatrixView& columns = y != nullptr ? *y : x;
  require_data(x, options.x_name);
  require_data(columns, options.y_name);
  check_output(out, job.plan);
  require_apart(out, x, options.x_name);
  require_apart(out, columns, options.y_name);
  run_job(&job, out, x, columns, options);
}

void require_distance(const Options& options) {
  const MetricInfo& metric = find_metric(options.metric);
  if (metric.similarity) throw messages::is_a_similarity(metric.name());
}

}  // namespace
}  // namespace internal

Matrix distances(const MatrixView& x, const Options& options) {
  internal::require_distance(options);
  return internal::allocate_and_run(x, nullptr, options);
}

Matrix distances(const MatrixView& x, const MatrixView& y, const Options& options) {
  internal::require_distance(options);
  return internal::allocate_and_run(x, &y, options);
}

void distances_into(const OutputView& out, const MatrixView& x, const Options& options) {
  internal::require_distance(options);
  internal::check_and_run(out, x, nullptr, options);
}

void distances_into(const OutputView& out, const MatrixView& x, const MatrixView& y, const Options& options) {
  internal::require_distance(options);
  internal::check_and_run(out, x, &y, options);
}

Matrix similarities(const MatrixView& x, const Options& options) {
  find_similarity(options.metric);
  return internal::allocate_and_run(x, nullptr, options);
}

Matrix similarities(const MatrixView& x, const MatrixView& y, const Options& options) {
  find_similarity(options.metric);
  return internal::allocate_and_run(x, &y, options);
}

void similarities_into(const OutputView& out, const MatrixView& x, const Options& options) {
  find_similarity(options.metric);
  internal::check_and_run(out, x, nullptr, options);
}

void similarities_into(const OutputView& out, const MatrixView& x, const MatrixView& y,
                       const Options& options) {
  find_similarity(options.metric);
  internal::check_and_run(out, x, &y, options);
}

}  // namespace quadrance
