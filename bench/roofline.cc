// SPDX-License-Identifier: Apache-2.0
#include "roofline.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/roofline.cc"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace quadrance::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_ARCH_X86
#define QDR_OPAQUE(v) asm volatile("" : "+v"(v))
#else
#define QDR_OPAQUE(v) asm volatile("" : "+w"(v))
#endif

static void fill_part(float* to, std::int64_t count, bool streaming) {
  const hn::ScalableTag<float> d;
  const auto one = hn::Set(d, 1.0f);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (streaming) {
    for (std::int64_t i = 0; i < count; i += lanes) hn::Stream(one, d, to + i);
    hwy::FlushStream();
  } else {
    for (std::int64_t i = 0; i < count; i += lanes) hn::Store(one, d, to + i);
  }
}

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
static double run_arithmetic(bool, bool, std::int64_t) { return 0; }
#else
/// Twelve independent sums: twice the latency times the throughput of any core so far. The row's value is
/// made opaque in every step, as the real kernel gets a new one from memory.
template <class T, bool kDirect>
HWY_NOINLINE double loop(std::int64_t steps) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  V sums[12];
  V x = hn::Set(d, T{1});
  V y[2] = {hn::Set(d, T{0.5}), hn::Set(d, T{0.25})};
#pragma GCC unroll 12
  for (int k = 0; k < 12; ++k) sums[k] = hn::Zero(d);
  const std::int64_t rounds = steps / (12 * static_cast<std::int64_t>(hn::Lanes(d)));
  for (std::int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < 12; ++k) {
      QDR_OPAQUE(x.raw);
      const V t = kDirect ? hn::Sub(x, y[k % 2]) : x;
      sums[k] = hn::MulAdd(t, kDirect ? t : y[k % 2], sums[k]);
    }
  }
  V total = sums[0];
#pragma GCC unroll 12
  for (int k = 1; k < 12; ++k) total = hn::Add(total, sums[k]);
  return static_cast<double>(hn::GetLane(total));
}

static double run_arithmetic(bool is_float, bool direct, std::int64_t steps) {
  if (is_float) return direct ? loop<float, true>(steps) : loop<float, false>(steps);
  return direct ? loop<double, true>(steps) : loop<double, false>(steps);
}
#endif

static const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace quadrance::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <sys/mman.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace quadrance::bench {

HWY_EXPORT(fill_part);
HWY_EXPORT(run_arithmetic);
HWY_EXPORT(target_name);

namespace {

template <class F>
void on_threads(int threads, const F& work) {
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(work, t);
  work(0);
  for (std::thread& thread : others) thread.join();
}

std::atomic<double> sink;

}  // namespace

void fill(void* buffer, std::int64_t bytes, int threads, bool streaming) {
  // Taken from a counter, as the tiles are. A huge page each: two threads that touch a fresh one both clear
  // one, and one of them in vain.
  constexpr std::int64_t kPiece = std::int64_t{2} << 20;
  const std::int64_t pieces = (bytes + kPiece - 1) / kPiece;
  std::atomic<std::int64_t> next{0};
  on_threads(threads, [&](int) {
    for (std::int64_t i; (i = next.fetch_add(1)) < pieces;) {
      auto* to = reinterpret_cast<float*>(static_cast<char*>(buffer) + i * kPiece);
      const std::int64_t here = std::min(kPiece, bytes - i * kPiece) / 64 * 64;
      HWY_DYNAMIC_DISPATCH(fill_part)(to, here / 4, streaming);
    }
  });
}

void fill_fresh(std::int64_t bytes, int threads, bool huge_pages) {
  constexpr std::int64_t kHuge = std::int64_t{2} << 20;
  const auto size = static_cast<std::size_t>((bytes + kHuge - 1) / kHuge * kHuge + kHuge);
  void* raw = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) throw std::runtime_error("bench: no memory");
  madvise(raw, size, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  const auto aligned = (reinterpret_cast<std::uintptr_t>(raw) + kHuge - 1) / kHuge * kHuge;
  fill(reinterpret_cast<void*>(aligned), bytes, threads, true);
  munmap(raw, size);
}

void arithmetic(DType dtype, Form form, std::int64_t steps, int threads) {
  on_threads(threads, [&](int) {
    sink = HWY_DYNAMIC_DISPATCH(run_arithmetic)(dtype == DType::kFloat32, form == Form::kDirect,
                                                steps / threads);
  });
}

const char* arithmetic_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace quadrance::bench
#endif
