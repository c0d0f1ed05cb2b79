// SPDX-License-Identifier: Apache-2.0
// Limits of other machines, shown as folders: cgroup v2, cgroup v1, nested groups, none at all.
#include "plan/machine.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

class Machine : public ::testing::Test {
 protected:
  Machine()
      : root_(std::filesystem::temp_directory_path() / ("quadrance-machine-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(root_);
    write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree:  1 kB\nMemAvailable:   8000000 kB\n");
    for (const char* variable : {"QUADRANCE_NUM_THREADS", "SLURM_CPUS_PER_TASK"}) unsetenv(variable);
  }
  ~Machine() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    const auto whole = root_ / path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text;
  }
  std::string root() const { return root_.string(); }

 private:
  std::filesystem::path root_;
};

TEST_F(Machine, WithoutCgroupsFreeMemoryCounts) {
  EXPECT_EQ(available_memory(root()).available, std::int64_t{8'000'000} * 1024);
  EXPECT_EQ(available_memory(root()).source, "free memory");
  EXPECT_EQ(cgroup_cpus(root()), 0);
}

TEST_F(Machine, CgroupV2LimitsCountAtEveryLevel) {
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("sys/fs/cgroup/outer/inner/memory.current", "5\n");
  write("sys/fs/cgroup/outer/memory.max", "1000000\n");
  write("sys/fs/cgroup/outer/memory.current", "900000\n");
  write("sys/fs/cgroup/outer/memory.stat", "anon 100\ninactive_file 300000\n");
  EXPECT_EQ(available_memory(root()).available, 1'000'000 - (900'000 - 300'000));
  EXPECT_EQ(available_memory(root()).source, "cgroup limit");
  write("sys/fs/cgroup/outer/inner/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
  EXPECT_EQ(cgroup_cpus(root()), 2);  // one and a half, rounded up
}

TEST_F(Machine, CgroupV1LimitsCount) {
  write("proc/self/cgroup", "4:memory:/job\n1:cpu,cpuacct:/job\n0::/\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2000000\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "500000\n");
  write("sys/fs/cgroup/memory/job/memory.stat", "total_inactive_file 100000\n");
  EXPECT_EQ(available_memory(root()).available, 1'600'000);
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "100000\n");
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cgroup_cpus(root()), 1);
  write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cgroup_cpus(root()), 0);
}

TEST_F(Machine, InAContainerTheMountIsTheGroup) {
  write("proc/self/cgroup", "0::/a/path/of/the/host\n");
  write("sys/fs/cgroup/memory.max", "4000\n");
  write("sys/fs/cgroup/memory.current", "1000\n");
  EXPECT_EQ(available_memory(root()).available, 3000);
}

TEST_F(Machine, AFullGroupLeavesNothing) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/memory.max", "1000\n");
  write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(available_memory(root()).available, 0);
}

TEST_F(Machine, ThreadsComeFromTheEnvironmentFirst) {
  setenv("SLURM_CPUS_PER_TASK", "3", 1);
  EXPECT_EQ(count_threads(root()).threads, 3);
  EXPECT_EQ(count_threads(root()).source, "SLURM_CPUS_PER_TASK");
  setenv("QUADRANCE_NUM_THREADS", "5", 1);
  EXPECT_EQ(count_threads(root()).threads, 5);
  for (const char* nonsense : {"0", "-2", "many", "", "99999", "4x", "3.7"}) {
    setenv("QUADRANCE_NUM_THREADS", nonsense, 1);
    EXPECT_EQ(count_threads(root()).threads, 3) << nonsense;
  }
  unsetenv("QUADRANCE_NUM_THREADS");
  unsetenv("SLURM_CPUS_PER_TASK");
  const int affinity = count_threads(root()).threads;
  EXPECT_GE(affinity, 1);
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  if (affinity > 1) {
    EXPECT_EQ(count_threads(root()).threads, 1);
    EXPECT_EQ(count_threads(root()).source, "cgroup cpu quota");
  }
}

}  // namespace
}  // namespace quadrance::internal
