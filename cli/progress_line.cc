// SPDX-License-Identifier: Apache-2.0
#include "progress_line.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "interrupt.h"

namespace quadrance::cli {
namespace {

constexpr std::chrono::milliseconds kPatience{2000};
constexpr std::chrono::milliseconds kInterval{100};
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::string verb, std::string unit, bool quiet)
    : verb_(std::move(verb)),
      unit_(std::move(unit)),
      shown_(!quiet && isatty(STDERR_FILENO) == 1),
      begin_(Clock::now()),
      next_(begin_ + kPatience) {}

ProgressLine::~ProgressLine() {
  if (on_screen_) std::fputs(kClearLine, stderr);
}

bool ProgressLine::update(std::int64_t done, std::int64_t total) {
  const Clock::time_point now = Clock::now();
  if (shown_ && now >= next_) {
    next_ = now + kInterval;
    show(std::chrono::duration<double>(now - begin_).count(), done, total);
  }
  return Interrupt::caught() == 0;
}

void ProgressLine::show(double seconds, std::int64_t done, std::int64_t total) {
  const double part = static_cast<double>(done) / static_cast<double>(total);
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  std::fprintf(stderr, "%s%s %.0f %% of %.3g %s, %.3g million/s, %.0f s left", kClearLine, verb_.c_str(),
               100 * part, static_cast<double>(total), unit_.c_str(),
               static_cast<double>(done) / seconds / 1e6, left);
  std::fflush(stderr);
  on_screen_ = true;
}

}  // namespace quadrance::cli
