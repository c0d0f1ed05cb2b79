// SPDX-License-Identifier: Apache-2.0
#include "quadrance/pairwise.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "input/pack.h"
#include "messages.h"
#include "plan/job.h"
#include "plan/machine.h"
#include "plan/schedule.h"
#include "plan/tile_layout.h"
#include "sinks/condensed.h"
#include "sinks/dense.h"
#include "tiles/columns.h"
#include "tiles/pool.h"
#include "tiles/scratch.h"
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
  ScratchLoan scratch;
  Worker<T, Out> worker(job, scratch.get());
  try {
    for (std::int64_t i;
         reporter->go_on() && (i = next->fetch_add(1, std::memory_order_relaxed)) < job.schedule.tasks();) {
      const Task task = job.schedule.task(i);
      worker.run(task);
      reporter->done(job.schedule.task_pairs(task), on_calling_thread);
    }
  } catch (...) {
    reporter->stop();
    throw;
  }
  worker.finish();
}

template <class T, class Out>
void run_tiles(const Job& job, const MatrixView& x, const MatrixView& y, const Sink& sink,
               Progress* progress) {
  const Plan& plan = job.plan;
  const Kernel<T>& kernel = job.engine.kernels.get<T>();
  const TileLayout layout(kernel, plan.n, plan.m, plan.d);
  const Schedule schedule(
      {plan.n, plan.m, plan.symmetric, layout.band_rows, kernel.cols, job.panels_per_task});
  Reporter reporter(progress, plan.pairs);
  Columns<T> columns(y, kernel, *job.engine.movers);
  if (layout.packed_columns) {
    columns.allocate();
    parallel_for(plan.threads, columns.panels(), &reporter, [&](std::int64_t panel) {
      ScratchLoan scratch;
      std::byte* base = scratch.get()->reserve(static_cast<std::size_t>(layout.scratch_bytes));
      columns.pack(panel, reinterpret_cast<T*>(base + layout.packing), layout.packing_stride);
    });
  }
  const TileJob<T> tiles{x,
                         columns,
                         kernel,
                         *job.engine.movers,
                         schedule,
                         layout,
                         sink,
                         plan.symmetric,
                         plan.bytes_out > last_level_cache()};
  std::atomic<std::int64_t> next{0};
  Pool::instance().run(plan.threads, [&](int number) { work<T, Out>(tiles, &next, &reporter, number == 0); });
  reporter.throw_if_cancelled();
}

void run_job(const Job& job, const OutputView& out, const MatrixView& x, const MatrixView& y,
             Progress* progress) {
  const Plan& plan = job.plan;
  require_exact_integers(x, "x");
  if (!plan.symmetric) require_exact_integers(y, "y");
  if (plan.bytes_out == 0) return;
  const auto run = [&](const Sink& sink) {
    if (plan.compute == DType::kFloat32)
      run_tiles<float, float>(job, x, y, sink, progress);
    else if (plan.result == DType::kFloat64)
      run_tiles<double, double>(job, x, y, sink, progress);
    else
      run_tiles<double, float>(job, x, y, sink, progress);
  };
  if (plan.layout == Layout::kCondensed)
    run(CondensedSink(out, plan.n));
  else
    run(DenseSink(out));
}

void require_data(const MatrixView& view, const char* which) {
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

void require_apart(const OutputView& out, const MatrixView& view, const char* which) {
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
  const Job job = plan_job(x, y, options, nullptr);
  const MatrixView& columns = y != nullptr ? *y : x;
  require_data(x, "x");
  require_data(columns, "y");
  const bool condensed = job.plan.layout == Layout::kCondensed;
  Matrix result(job.plan.result, condensed ? 1 : job.plan.n,
                condensed ? condensed_size(job.plan.n) : job.plan.m);
  run_job(job, result.output(), x, columns, options.progress);
  return result;
}

void check_and_run(const OutputView& out, const MatrixView& x, const MatrixView* y, const Options& options) {
  const Job job = plan_job(x, y, options, &out);
  const MatrixView& columns = y != nullptr ? *y : x;
  require_data(x, "x");
  require_data(columns, "y");
  check_output(out, job.plan);
  require_apart(out, x, "x");
  require_apart(out, columns, "y");
  run_job(job, out, x, columns, options.progress);
}

}  // namespace
}  // namespace internal

Matrix distances(const MatrixView& x, const Options& options) {
  return internal::allocate_and_run(x, nullptr, options);
}

Matrix distances(const MatrixView& x, const MatrixView& y, const Options& options) {
  return internal::allocate_and_run(x, &y, options);
}

void distances_into(const OutputView& out, const MatrixView& x, const Options& options) {
  internal::check_and_run(out, x, nullptr, options);
}

void distances_into(const OutputView& out, const MatrixView& x, const MatrixView& y, const Options& options) {
  internal::check_and_run(out, x, &y, options);
}

}  // namespace quadrance
