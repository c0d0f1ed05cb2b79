// SPDX-License-Identifier: Apache-2.0
#include "plan/machine.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace quadrance {
namespace internal {
namespace {

// A virtual machine may report the whole socket's cache (320 MiB for two cores); results of 100 MB then went
// through caches that did not hold them, 1.3 to 1.6 times slower than past them.
constexpr std::int64_t kMostCache = std::int64_t{32} << 20;

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The first word of a file as a number; nothing if there is no file or it says "max".
std::optional<std::int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word)) return std::nullopt;
  return parse_number(word);
}

/// The number after a word at the start of a line ("MemAvailable:", "inactive_file").
std::optional<std::int64_t> number_after(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    std::int64_t value = 0;
    if (words >> word >> value && word == key) return value;
  }
  return std::nullopt;
}

/// One cgroup hierarchy and the names its files have there.
struct Hierarchy {
  std::string mount;
  std::string group;  // this process's group, starting with '/'
  bool v2;
};

/// Lines of /proc/self/cgroup: "0::/path" (v2), "4:memory:/path" (v1, several controllers by commas).
std::vector<Hierarchy> hierarchies(const std::string& root, std::string_view controller) {
  std::vector<Hierarchy> found;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (names.empty()) {
      found.push_back({root + "/sys/fs/cgroup", group, true});
    } else if (("," + names + ",").find(std::string(",").append(controller).append(",")) !=
               std::string::npos) {
      found.push_back({root + "/sys/fs/cgroup/" + std::string(controller), group, false});
      found.push_back({root + "/sys/fs/cgroup/" + names, group, false});
    }
  }
  return found;
}

/// The group's folder and every one above it: a limit anywhere on the way counts. In a container the group's
/// path may not exist below the mount; the mount itself, always in the list, then is the group.
std::vector<std::string> folders(const Hierarchy& hierarchy) {
  std::vector<std::string> out;
  std::string group = hierarchy.group;
  while (!group.empty() && group != "/") {
    out.push_back(hierarchy.mount + group);
    group.resize(group.rfind('/'));
  }
  out.push_back(hierarchy.mount);
  return out;
}

std::int64_t cgroup_memory_left(const std::string& root) {
  std::int64_t left = kUnlimited;
  for (const Hierarchy& hierarchy : hierarchies(root, "memory")) {
    for (const std::string& folder : folders(hierarchy)) {
      const auto limit = number_in(folder + (hierarchy.v2 ? "/memory.max" : "/memory.limit_in_bytes"));
      const auto used = number_in(folder + (hierarchy.v2 ? "/memory.current" : "/memory.usage_in_bytes"));
      if (!limit || !used) continue;
      const auto cached =
          number_after(folder + "/memory.stat", hierarchy.v2 ? "inactive_file" : "total_inactive_file");
      left =
          std::min(left, std::max<std::int64_t>(0, *limit - (*used - std::min(*used, cached.value_or(0)))));
    }
  }
  return left;
}

std::int64_t address_space_left(const std::string& root) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const std::int64_t used = number_in(root + "/proc/self/statm").value_or(0) * sysconf(_SC_PAGESIZE);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - used);
}

int affinity_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Machines of more than 1,024 CPUs need a larger set than this; they get the number that is online.
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Reading half a dozen files takes longer than a small job: once per process.
int own_cgroup_cpus() {
  static const int cpus = cgroup_cpus("");
  return cpus;
}

std::optional<int> threads_from(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const auto value = parse_number(text);
  if (!value || *value < 1 || *value > 1024) return std::nullopt;
  return static_cast<int>(*value);
}

}  // namespace

MemoryLimit available_memory(const std::string& root) {
  MemoryLimit least{kUnlimited, "free memory"};
  if (const auto kib = number_after(root + "/proc/meminfo", "MemAvailable:")) least.available = *kib * 1024;
  const auto lower = [&least](std::int64_t available, const char* source) {
    if (available < least.available) least = {available, source};
  };
  lower(cgroup_memory_left(root), "cgroup limit");
  lower(address_space_left(root), "address space limit");
  return least;
}

int cgroup_cpus(const std::string& root) {
  std::int64_t cpus = 0;
  for (const Hierarchy& hierarchy : hierarchies(root, "cpu")) {
    for (const std::string& folder : folders(hierarchy)) {
      std::int64_t quota = 0;
      std::int64_t period = 0;
      if (hierarchy.v2) {
        std::ifstream file(folder + "/cpu.max");  // "max 100000" or "150000 100000"
        if (!(file >> quota >> period)) continue;
      } else {
        quota = number_in(folder + "/cpu.cfs_quota_us").value_or(-1);
        period = number_in(folder + "/cpu.cfs_period_us").value_or(0);
      }
      if (quota <= 0 || period <= 0) continue;
      const std::int64_t here = (quota + period - 1) / period;
      cpus = cpus == 0 ? here : std::min(cpus, here);
    }
  }
  return static_cast<int>(std::min<std::int64_t>(cpus, 1024));
}

ThreadCount count_threads(const std::string& root) {
  for (const char* variable : {"QUADRANCE_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) {
    if (const auto threads = threads_from(variable)) return {*threads, variable};
  }
  const int cpus = affinity_cpus();
  const int quota = root.empty() ? own_cgroup_cpus() : cgroup_cpus(root);
  if (quota > 0 && quota < cpus) return {quota, "cgroup cpu quota"};
  return {cpus, "affinity"};
}

std::int64_t last_level_cache() noexcept {
  static const std::int64_t bytes = [] {
    const long level3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return level3 > 0 ? std::min(std::int64_t{level3}, kMostCache) : kMostCache;
  }();
  return bytes;
}

}  // namespace internal

ThreadCount default_threads() { return internal::count_threads(); }

}  // namespace quadrance
