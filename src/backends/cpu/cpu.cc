// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu.h"

#include "hwy/highway.h"
#include "hwy/targets.h"
#include "messages.h"

namespace quadrance::internal {

#define METRIC(name, Struct, kernels) const KernelSet& cpu_kernels_##kernels(std::int64_t target);
#define KERNELS(name, Struct) const KernelSet& cpu_kernels_##name(std::int64_t target);
#include "metrics/list.inc"

namespace {

struct Target {
  std::int64_t bit;
  std::string_view name;
};

// Best first.
constexpr Target kTargets[] = {
    {HWY_AVX3, "avx512"},
    {HWY_AVX2, "avx2"},
    {HWY_SSE4, "sse4"},
    {HWY_NEON, "neon"},
};

using KernelsFor = const KernelSet& (*)(std::int64_t target);
constexpr KernelsFor kKernels[] = {
#define METRIC(name, Struct, kernels) cpu_kernels_##kernels,
#define KERNELS(name, Struct) cpu_kernels_##name,
#include "metrics/list.inc"
};

/// After a pause a Xeon (Sapphire Rapids, in a VM) runs 512-bit vectors at half speed for up to a
/// millisecond; smaller jobs than this are done sooner with those of AVX2 even without a pause, for the width
/// of a panel (n = 10, d = 40, float32: 1.7 us against 2.2 and, after a pause, up to 4.5).
constexpr double kStepsOfSlowStart = 150'000;

bool prefers_narrow_vectors(const JobSize& size, const KernelSet& kernels) {
  return size.steps < kStepsOfSlowStart && size.features <= kFeatureBlock && kernels.same_on_wider_vectors;
}

bool runs_here(const Target& target) {
  // Asked once: the cpuid instruction takes 20 us in a virtual machine, more than a small job.
  static const std::int64_t supported = hwy::SupportedTargets() & static_cast<std::int64_t>(HWY_TARGETS);
  return (target.bit & supported) != 0;
}

class Cpu final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string_view description() const override { return "vector kernels, chosen for this CPU at run time"; }

  std::vector<std::string_view> targets() const override {
    std::vector<std::string_view> names;
    for (const Target& target : kTargets) {
      if (runs_here(target)) names.push_back(target.name);
    }
    return names;
  }

  std::string take(std::size_t kernels, std::string_view name, const JobSize& size,
                   Engine* engine) const override {
    for (const Target& target : kTargets) {
      if (!runs_here(target) || !(name.empty() || name == target.name)) continue;
      engine->target = target.name;
      engine->kernels = &kKernels[kernels](target.bit);
      engine->movers = cpu_movers(target.bit);
      if (!name.empty() || target.bit != HWY_AVX3 || !prefers_narrow_vectors(size, *engine->kernels))
        return {};
      engine->why = "a small job, over before 512-bit vectors run at full speed";
    }
    if (engine->kernels != nullptr) return {};
    return name.empty() ? messages::no_simd() : messages::no_such_target(name, targets());
  }
};

}  // namespace

const Backend& cpu_backend() noexcept {
  static const Cpu backend;
  return backend;
}

}  // namespace quadrance::internal
