// SPDX-License-Identifier: Apache-2.0
// The worker threads: each job runs on the number asked for, failures reach the caller, busy workers are not
// waited for, signals stay with the program's own threads, a forked child gets its own. Runs under TSan as
// well.
#include "tiles/pool.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "quadrance/error.h"

namespace quadrance::internal {
namespace {

TEST(Pool, RunsEveryNumberOnce) {
  for (const int threads : {1, 2, 3, 7, 2}) {
    std::atomic<int> calls{0};
    std::atomic<unsigned> seen{0};
    Pool::instance().run(threads, [&](int number) {
      ++calls;
      seen |= 1u << number;
    });
    EXPECT_EQ(calls, threads);
    EXPECT_EQ(seen, (1u << threads) - 1);
  }
}

TEST(Pool, NumberZeroIsTheCallingThread) {
  const std::thread::id caller = std::this_thread::get_id();
  Pool::instance().run(3, [&](int number) { EXPECT_EQ(number == 0, std::this_thread::get_id() == caller); });
}

TEST(Pool, SharesACounterWithoutLosingWork) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> next{0};
    std::vector<int> done(500, 0);
    Pool::instance().run(4, [&](int) {
      for (int i; (i = next.fetch_add(1)) < 500;) ++done[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), 500);
  }
}

TEST(Pool, TheFirstFailureIsThrownAfterAllHaveStopped) {
  std::atomic<int> finished{0};
  const auto work = [&](int number) {
    if (number == 1) throw std::runtime_error("worker");
    ++finished;
  };
  EXPECT_THROW(Pool::instance().run(3, work), std::runtime_error);
  EXPECT_EQ(finished, 2);
  EXPECT_THROW(Pool::instance().run(1, [](int) { throw std::logic_error("caller"); }), std::logic_error);
  Pool::instance().run(3, [&](int) { ++finished; });  // the pool still works
  EXPECT_EQ(finished, 5);
}

TEST(Pool, AJobInsideAJobRunsAlone) {
  std::atomic<int> inner{0};
  Pool::instance().run(2, [&](int) { Pool::instance().run(2, [&](int) { ++inner; }); });
  EXPECT_EQ(inner, 2);
}

TEST(Pool, CallersAtOnceDoNotWaitForEachOther) {
  std::atomic<int> total{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 8; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        std::atomic<int> next{0};
        Pool::instance().run(3, [&](int) {
          while (next.fetch_add(1) < 10) ++total;
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 8 * 50 * 10);
}

TEST(Pool, WorkersBlockSignals) {
  std::atomic<int> blocked{0};
  Pool::instance().run(2, [&](int number) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    if (number == 1 && sigismember(&mask, SIGINT) == 1) ++blocked;
  });
  EXPECT_EQ(blocked, 1);
}

TEST(PoolFork, AChildGetsAPoolOfItsOwn) {
  Pool::instance().run(2, [](int) {});
  Pool* parent = &Pool::instance();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    std::atomic<int> calls{0};
    Pool::instance().run(2, [&](int) { ++calls; });
    _exit(calls == 2 && &Pool::instance() != parent ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(PoolFork, AJobThatForkedEndsInTheChildToo) {
  int status = 0;
  bool in_child = false;
  const auto fork_once = [&](int number) {
    if (number != 0) return;
    const pid_t child = fork();
    in_child = child == 0;
    if (in_child) alarm(20);
    if (child > 0) waitpid(child, &status, 0);
  };
  try {
    Pool::instance().run(2, fork_once);
    if (in_child) _exit(1);
  } catch (const Error& error) {
    if (!in_child) throw;
    _exit(error.code() == ErrorCode::kCancelled ? 0 : 2);
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace quadrance::internal
