// SPDX-License-Identifier: Apache-2.0
#include "tiles/pool.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "messages.h"

namespace quadrance::internal {
namespace {

std::atomic<Pool*> current{nullptr};

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits until the value is no longer `old`. Looks for 50 us before it sleeps: waking a sleeping thread takes
/// about as long, and the tiles of a job follow the packing of its columns at once.
std::uint32_t wait_for_change(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
  constexpr std::chrono::microseconds kLook{50};
  const auto begin = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 32; ++i) {
      const std::uint32_t now = value.load(std::memory_order_acquire);
      if (now != old) return now;
      pause();
    }
  } while (std::chrono::steady_clock::now() - begin < kLook);
  value.wait(old, std::memory_order_acquire);
  return value.load(std::memory_order_acquire);
}

/// Signals (SIGINT above all) belong to the program's own threads.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

Pool& Pool::instance() {
  Pool* pool = current.load(std::memory_order_acquire);
  if (pool != nullptr) return *pool;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { current.store(nullptr); });
  (void)registered;
  // Never destroyed: a worker may still be asleep in it while the process exits.
  auto* fresh = new Pool();
  if (!current.compare_exchange_strong(pool, fresh, std::memory_order_acq_rel)) {
    delete fresh;
    return *pool;
  }
  return *fresh;
}

void Pool::run(int threads, const std::function<void(int)>& work) {
  if (threads <= 1 || busy_.exchange(true, std::memory_order_acquire)) {
    work(0);
    return;
  }
  try {
    grow(threads - 1);
  } catch (...) {
    // The system gives no more threads, or no memory for them: those there are do the work.
  }
  const int helpers = std::min(threads - 1, static_cast<int>(workers_.size()));
  work_ = &work;
  failure_ = nullptr;
  running_.store(static_cast<std::uint32_t>(helpers), std::memory_order_relaxed);
  for (int w = 0; w < helpers; ++w) {
    workers_[static_cast<std::size_t>(w)]->job.fetch_add(1, std::memory_order_release);
    workers_[static_cast<std::size_t>(w)]->job.notify_one();
  }
  call(0);
  if (helpers > 0 && current.load(std::memory_order_relaxed) != this) throw messages::forked();
  for (std::uint32_t left; (left = running_.load(std::memory_order_acquire)) != 0;)
    wait_for_change(running_, left);
  const std::exception_ptr failure = failure_;
  failure_ = nullptr;
  busy_.store(false, std::memory_order_release);
  if (failure) std::rethrow_exception(failure);
}

void Pool::grow(int workers) {
  const BlockSignals blocked;
  workers_.reserve(static_cast<std::size_t>(std::max(workers, 0)));  // a thread that runs is always kept
  while (static_cast<int>(workers_.size()) < workers) {
    auto worker = std::make_unique<Worker>();
    const int number = static_cast<int>(workers_.size()) + 1;
    worker->thread = std::thread(&Pool::serve, this, worker.get(), number);
    worker->thread.detach();
    workers_.push_back(worker.release());
  }
}

void Pool::serve(Worker* self, int number) {
  for (std::uint32_t seen = 0;;) {
    seen = wait_for_change(self->job, seen);
    call(number);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) running_.notify_one();
  }
}

void Pool::call(int number) noexcept {
  try {
    (*work_)(number);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace quadrance::internal
