// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM as a wish to stop, so that no half-written file is left.
#pragma once

namespace quadrance::cli {

/// While this lives, the first SIGINT or SIGTERM is only noted; a second one ends the process at once. A
/// signal the command was started to ignore (nohup, a shell's background job) stays ignored.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// The signal that came, 0 if none did.
  static int caught() noexcept;
};

/// Ends the process by the signal that came, so that a shell sees it; returns if none did.
void end_by_caught_signal();

}  // namespace quadrance::cli
