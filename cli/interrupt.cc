// SPDX-License-Identifier: Apache-2.0
#include "interrupt.h"

#include <csignal>

namespace quadrance::cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t caught_signal = 0;
struct sigaction before[2];

void note(int signal) { caught_signal = signal; }

}  // namespace

Interrupt::Interrupt() {
  struct sigaction noting {};
  noting.sa_handler = note;
  noting.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int i = 0; i < 2; ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &noting, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &before[i], nullptr);
}

int Interrupt::caught() noexcept { return caught_signal; }

void end_by_caught_signal() {
  if (caught_signal == 0) return;
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

}  // namespace quadrance::cli
