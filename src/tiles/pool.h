// SPDX-License-Identifier: Apache-2.0
// The worker threads: made on first use, asleep between jobs, made anew in a forked child.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace quadrance::internal {

class Pool {
 public:
  /// The process's pool. After fork() the child gets a new one: its parent's threads do not exist there.
  static Pool& instance();

  /// Calls work(0) on this thread and work(1) ... work(threads - 1) on workers, and returns when all have
  /// returned. If another call is using the workers, runs work(0) alone: work must take its share from a
  /// common counter, not from its number. The first exception thrown by any of them is rethrown here. If
  /// work(0) has forked the process, the call in the child throws kCancelled.
  void run(int threads, const std::function<void(int)>& work);

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  struct Worker {
    std::thread thread;
    std::atomic<std::uint32_t> job{0};  // counts up to wake the worker
  };

  Pool() = default;
  void grow(int workers);
  void serve(Worker* self, int number);
  void call(int number) noexcept;

  std::atomic<bool> busy_{false};
  std::vector<Worker*> workers_;  // never freed: threads wait on them until the process ends
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<std::uint32_t> running_{0};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace quadrance::internal
