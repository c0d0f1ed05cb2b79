// SPDX-License-Identifier: Apache-2.0
// One line on the terminal for jobs of more than two seconds; nothing in a log file.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "quadrance/plan.h"

namespace quadrance::cli {

/// Shows how far a job is, and cancels it once a signal came.
class ProgressLine : public Progress {
 public:
  /// verb: "computing"; unit: "pairs".
  ProgressLine(std::string verb, std::string unit, bool quiet);
  ~ProgressLine() override;
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool update(std::int64_t done, std::int64_t total) override;

 private:
  using Clock = std::chrono::steady_clock;

  void show(double seconds, std::int64_t done, std::int64_t total);

  std::string verb_;
  std::string unit_;
  bool shown_;  // whether stderr is a terminal, and wanted
  bool on_screen_ = false;
  Clock::time_point begin_;
  Clock::time_point next_;
};

}  // namespace quadrance::cli
