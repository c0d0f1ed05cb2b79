// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace quadrance {

/// One place where a job can run, best first in devices().
struct DeviceInfo {
  std::string name;                  ///< "cpu", "reference"
  std::string description;           ///< one line for people
  std::string unavailable;           ///< why it cannot be used here; empty when it can
  std::vector<std::string> targets;  ///< instruction sets it has kernels for and this CPU runs, best first
};

/// The devices this build knows, best first, the reference loops last. `device = "auto"` takes the first that
/// accepts the job; a name takes that one or fails with kDevice; "cpu-avx2" names a target of a device too.
std::vector<DeviceInfo> devices();

/// How many threads a job gets that does not ask for a number, and who said so.
struct ThreadCount {
  int threads;
  std::string source;  ///< "QUADRANCE_NUM_THREADS", "SLURM_CPUS_PER_TASK", "affinity" or "cgroup cpu quota"
};

/// QUADRANCE_NUM_THREADS if it is a whole number from 1 to 1024 and nothing else, else SLURM_CPUS_PER_TASK,
/// else the CPUs this process may run on (affinity), rounded up to whole CPUs of the cgroup's quota where
/// that is smaller.
ThreadCount default_threads();

/// The version of the library that is linked, e.g. "0.1.0".
const char* version() noexcept;

}  // namespace quadrance
