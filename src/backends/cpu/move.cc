// SPDX-License-Identifier: Apache-2.0
// Carries blocks from scratch to their places with the widest vectors, past the caches where asked.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/move.cc"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

#include "backends/backend.h"
#include "backends/cpu/dispatch.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace quadrance::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if QDR_EMULATED
static const Movers* movers() { return nullptr; }
#else

inline constexpr std::size_t kLineBytes = 64;

/// One vector of Out from as many elements of T.
template <class Out, class T>
HWY_INLINE hn::Vec<hn::ScalableTag<Out> > load_as(const T* from) {
  const hn::ScalableTag<Out> d;
  if constexpr (sizeof(Out) == sizeof(T)) {
    return hn::LoadU(d, from);
  } else {
    const hn::Repartition<double, decltype(d)> d64;
    const hn::Half<decltype(d)> half;
    return hn::Combine(d, hn::DemoteTo(half, hn::LoadU(d64, from + hn::Lanes(d64))),
                       hn::DemoteTo(half, hn::LoadU(d64, from)));
  }
}

/// Whole lines by non-temporal stores: the memory bus moves each byte once, without reading the line first.
/// All stores of a line are issued together, or the write-combining buffer flushes it in pieces.
template <class Out, class T>
HWY_INLINE std::int64_t stream_lines(const T* from, std::int64_t count, Out* to) {
  const hn::ScalableTag<Out> d;
  constexpr std::int64_t kLine = static_cast<std::int64_t>(kLineBytes / sizeof(Out));
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t i = 0;
  for (; i + kLine <= count; i += kLine) {
    hn::Vec<decltype(d)> line[kLine / kLanes];
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < kLine / kLanes; ++v) line[v] = load_as<Out>(from + i + v * kLanes);
#pragma GCC unroll 8
    for (std::int64_t v = 0; v < kLine / kLanes; ++v) hn::Stream(line[v], d, to + i + v * kLanes);
  }
  return i;
}

template <class Out, class T>
HWY_INLINE void copy_cached(const T* from, std::int64_t count, Out* to) {
  const hn::ScalableTag<Out> d;
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(load_as<Out>(from + i), d, to + i);
  for (; i < count; ++i) to[i] = static_cast<Out>(from[i]);
}

template <class Out, class T>
HWY_INLINE void copy_row(const T* from, std::int64_t count, Out* to, bool streaming) {
  if (streaming) {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(to) % kLineBytes;
    const std::int64_t head =
        std::min(count, static_cast<std::int64_t>((kLineBytes - past) % kLineBytes / sizeof(Out)));
    copy_cached(from, head, to);
    const std::int64_t done = head + stream_lines(from + head, count - head, to + head);
    from += done;
    to += done;
    count -= done;
  }
  copy_cached(from, count, to);
}

template <class Out, class T>
HWY_INLINE void copy_block(const Block<T>& block, const RowPlaces& places, bool streaming) {
  std::byte* place = places.first;
  std::int64_t stride = places.stride;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    copy_row(block.data + r * block.stride, block.cols, reinterpret_cast<Out*>(place), streaming);
    place += stride;
    stride += places.stride_change;
  }
}

/// 128-bit blocks of rows that lie 16 / sizeof(T) rows apart, side by side in one vector.
template <class D, class T = hn::TFromD<D> >
HWY_INLINE hn::Vec<D> gather_blocks(D d, const T* from, std::int64_t stride) {
  if constexpr (hn::MaxLanes(D()) * sizeof(T) <= 16) {
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    const std::int64_t rows = static_cast<std::int64_t>(hn::MaxLanes(d) / 2);
    return hn::Combine(d, gather_blocks(half, from + rows * stride, stride),
                       gather_blocks(half, from, stride));
  }
}

/// Transposes four columns (float32) or two (float64) of as many rows as a vector has lanes: the 128-bit
/// blocks are put where they belong by the loads, so that only shuffles inside blocks are left, two per
/// output vector.
HWY_INLINE void transpose_group(const float* from, std::int64_t stride, float* out, std::int64_t out_stride) {
  const hn::ScalableTag<float> d;
  const hn::Repartition<double, decltype(d)> d64;
  const auto a = gather_blocks(d, from, stride);
  const auto b = gather_blocks(d, from + stride, stride);
  const auto c = gather_blocks(d, from + 2 * stride, stride);
  const auto e = gather_blocks(d, from + 3 * stride, stride);
  const auto ab_low = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, ab_low, ce_low)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, ab_low, ce_low)), d, out + out_stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, ab_high, ce_high)), d, out + 2 * out_stride);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, ab_high, ce_high)), d, out + 3 * out_stride);
}

HWY_INLINE void transpose_group(const double* from, std::int64_t stride, double* out,
                                std::int64_t out_stride) {
  const hn::ScalableTag<double> d;
  const auto a = gather_blocks(d, from, stride);
  const auto b = gather_blocks(d, from + stride, stride);
  hn::StoreU(hn::InterleaveLower(d, a, b), d, out);
  hn::StoreU(hn::InterleaveUpper(d, a, b), d, out + out_stride);
}

template <class T>
HWY_INLINE void transpose_block(const Block<T>& block, T* out, std::int64_t out_stride) {
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  constexpr std::int64_t kColumns = 16 / sizeof(T);
  for (std::int64_t j = 0; j < block.cols; j += kColumns) {
    for (std::int64_t i = 0; i < block.rows; i += kLanes) {
      transpose_group(block.data + i * block.stride + j, block.stride, out + j * out_stride + i, out_stride);
    }
  }
}

static void copy_f32(const Block<float>& block, const RowPlaces& places, bool streaming) {
  copy_block<float>(block, places, streaming);
}
static void copy_f64(const Block<double>& block, const RowPlaces& places, bool streaming) {
  copy_block<double>(block, places, streaming);
}
static void copy_f64_f32(const Block<double>& block, const RowPlaces& places, bool streaming) {
  copy_block<float>(block, places, streaming);
}
static void transpose_f32(const Block<float>& block, float* out, std::int64_t out_stride) {
  transpose_block(block, out, out_stride);
}
static void transpose_f64(const Block<double>& block, double* out, std::int64_t out_stride) {
  transpose_block(block, out, out_stride);
}
static void fence() { hwy::FlushStream(); }

static const Movers* movers() {
  static constexpr Movers kMovers{copy_f32, copy_f64, copy_f64_f32, transpose_f32, transpose_f64, fence};
  return &kMovers;
}

#endif

}  // namespace quadrance::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "backends/cpu/cpu.h"

namespace quadrance::internal {

HWY_EXPORT(movers);

const Movers* cpu_movers(std::int64_t target) { return QDR_FOR_TARGET(movers, target)(); }

}  // namespace quadrance::internal
#endif
