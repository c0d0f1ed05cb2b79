// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <csignal>
#include <cstddef>
#include <iterator>

namespace quadrance::cli {
namespace {

// What a user, a scheduler or a closed terminal sends: the half-written file goes first.
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
constexpr std::size_t kCount = std::size(kSignals);

volatile std::sig_atomic_t caught_signal = 0;
struct sigaction before[kCount];

void note(int signal) { caught_signal = signal; }

}  // namespace

Interrupt::Interrupt() {
  struct sigaction noting {};
  noting.sa_handler = note;
  noting.sa_flags = SA_RESETHAND | SA_RESTART;
  for (std::size_t i = 0; i < kCount; ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &noting, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kCount; ++i) sigaction(kSignals[i], &before[i], nullptr);
}

int Interrupt::caught() noexcept { return caught_signal; }

void end_by_caught_signal() {
  if (caught_signal == 0) return;
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

}  // namespace quadrance::cli
