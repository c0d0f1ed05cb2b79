// SPDX-License-Identifier: Apache-2.0
// What this machine lets the process have. The paths are arguments, so that tests can show other machines.
#pragma once

#include <cstdint>
#include <string>

#include "quadrance/device.h"

namespace quadrance::internal {

struct MemoryLimit {
  std::int64_t available;  ///< bytes that may still be allocated
  std::string source;      ///< "free memory", "cgroup limit", "address space limit", "memory_limit"
};

/// The least of: MemAvailable of /proc/meminfo, what the cgroups (v2 or v1) above this process leave,
/// RLIMIT_AS. Files in the page cache of a cgroup count as free, as the kernel reclaims them first.
MemoryLimit available_memory(const std::string& root = "");

/// CPUs of the cgroup's quota rounded up, 0 if there is none.
int cgroup_cpus(const std::string& root = "");

/// See quadrance::default_threads().
ThreadCount count_threads(const std::string& root = "");

/// Bytes of the last-level cache that one job can count on: at most 32 MiB, also if the system does not say.
std::int64_t last_level_cache() noexcept;

}  // namespace quadrance::internal
