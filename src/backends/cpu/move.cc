// SPDX-License-Identifier: Apache-2.0
// Carries blocks from scratch to their places with the widest vectors, past the caches where asked.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/move.cc"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

#include <limits>

#include "backends/backend.h"
#include "backends/cpu/dispatch.h"
#include "backends/cpu/subnormals.h"
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

/// `count` elements, more than half of kMost and at most kMost, as two overlapping vectors of half of it: no
/// loop, and no mask (Zen 4 takes half a hundred cycles for a masked store).
template <std::size_t kMost, class T>
HWY_INLINE void copy_few(const T* from, std::int64_t count, T* to) {
  if constexpr (kMost == 1) {
    if (count == 1) *to = *from;
  } else if (count <= static_cast<std::int64_t>(kMost / 2)) {
    copy_few<kMost / 2>(from, count, to);
  } else {
    const hn::CappedTag<T, kMost / 2> d;
    const auto last = hn::LoadU(d, from + count - kMost / 2);
    hn::StoreU(hn::LoadU(d, from), d, to);
    hn::StoreU(last, d, to + count - kMost / 2);
  }
}

template <class Out, class T>
HWY_INLINE void copy_cached(const T* from, std::int64_t count, Out* to) {
  const hn::ScalableTag<Out> d;
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(load_as<Out>(from + i), d, to + i);
  if constexpr (std::is_same_v<Out, T>)
    copy_few<hn::MaxLanes(d)>(from + i, count - i, to + i);
  else
    for (; i < count; ++i) to[i] = static_cast<Out>(from[i]);
}

template <class Out, class T>
HWY_INLINE void stream_row(const T* from, std::int64_t count, Out* to) {
  const std::size_t past = reinterpret_cast<std::uintptr_t>(to) % kLineBytes;
  const std::int64_t head =
      std::min(count, static_cast<std::int64_t>((kLineBytes - past) % kLineBytes / sizeof(Out)));
  copy_cached(from, head, to);
  const std::int64_t done = head + stream_lines(from + head, count - head, to + head);
  copy_cached(from + done, count - done, to + done);
}

/// Rows of which the lines at both ends are fetched ahead: these are shared with the neighbours, and a store
/// that waits for its line holds up all later ones (1.1 times faster with rows that begin inside lines).
inline constexpr std::int64_t kRowsAhead = 8;

template <class Out, class T>
HWY_INLINE void copy_block(const Block<T>& block, const RowPlaces& places, bool streaming) {
  const std::int64_t bytes = block.cols * static_cast<std::int64_t>(sizeof(Out));
  std::byte* place = places.first;
  std::int64_t stride = places.stride;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const T* from = block.data + r * block.stride;
    if (streaming) {
      const std::byte* ahead = place + kRowsAhead * stride;
      hwy::Prefetch(ahead);
      hwy::Prefetch(ahead + bytes - 1);
      stream_row(from, block.cols, reinterpret_cast<Out*>(place));
    } else {
      copy_cached(from, block.cols, reinterpret_cast<Out*>(place));
    }
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

/// Columns that are transposed together: as many as fit into 128 bits.
template <class T>
inline constexpr std::int64_t kGroup = 16 / sizeof(T);

/// Transposes a group of columns of as many rows as a vector has lanes: the 128-bit blocks are put where they
/// belong by the loads, so that only shuffles inside blocks are left, two per output vector. out[c] is column
/// c.
template <class D, class V = hn::Vec<D> >
HWY_INLINE void transpose_group(D d, const float* from, std::int64_t stride, V (&out)[4]) {
  const hn::Repartition<double, D> d64;
  const V a = gather_blocks(d, from, stride);
  const V b = gather_blocks(d, from + stride, stride);
  const V c = gather_blocks(d, from + 2 * stride, stride);
  const V e = gather_blocks(d, from + 3 * stride, stride);
  const auto ab_low = hn::BitCast(d64, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(d64, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(d64, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(d64, hn::InterleaveUpper(d, c, e));
  out[0] = hn::BitCast(d, hn::InterleaveLower(d64, ab_low, ce_low));
  out[1] = hn::BitCast(d, hn::InterleaveUpper(d64, ab_low, ce_low));
  out[2] = hn::BitCast(d, hn::InterleaveLower(d64, ab_high, ce_high));
  out[3] = hn::BitCast(d, hn::InterleaveUpper(d64, ab_high, ce_high));
}

template <class D, class V = hn::Vec<D> >
HWY_INLINE void transpose_group(D d, const double* from, std::int64_t stride, V (&out)[2]) {
  const V a = gather_blocks(d, from, stride);
  const V b = gather_blocks(d, from + stride, stride);
  out[0] = hn::InterleaveLower(d, a, b);
  out[1] = hn::InterleaveUpper(d, a, b);
}

/// Rows that are stored together: a vector of them, or a line where only whole lines may be streamed.
template <bool kStream, class T>
HWY_INLINE void transpose_block(const Block<T>& block, T* out, std::int64_t out_stride) {
  const hn::ScalableTag<T> d;
  constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  constexpr std::int64_t kParts = kStream ? static_cast<std::int64_t>(kLineBytes / sizeof(T)) / kLanes : 1;
  for (std::int64_t j = 0; j < block.cols; j += kGroup<T>) {
    for (std::int64_t i = 0; i < block.rows; i += kParts * kLanes) {
      hn::Vec<decltype(d)> columns[kParts][kGroup<T>];
#pragma GCC unroll 4
      for (std::int64_t p = 0; p < kParts; ++p)
        transpose_group(d, block.data + (i + p * kLanes) * block.stride + j, block.stride, columns[p]);
#pragma GCC unroll 4
      for (std::int64_t c = 0; c < kGroup<T>; ++c) {
        T* to = out + (j + c) * out_stride + i;
#pragma GCC unroll 4
        for (std::int64_t p = 0; p < kParts; ++p) {
          if constexpr (kStream)
            hn::Stream(columns[p][c], d, to + p * kLanes);
          else
            hn::StoreU(columns[p][c], d, to);
        }
      }
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
  const KeepSubnormals keeping;  // a kernel that flushes them may be what calls
  copy_block<float>(block, places, streaming);
}
static void transpose_f32(const Block<float>& block, float* out, std::int64_t out_stride, bool streaming) {
  streaming ? transpose_block<true>(block, out, out_stride) : transpose_block<false>(block, out, out_stride);
}
static void transpose_f64(const Block<double>& block, double* out, std::int64_t out_stride, bool streaming) {
  streaming ? transpose_block<true>(block, out, out_stride) : transpose_block<false>(block, out, out_stride);
}
template <class T>
HWY_INLINE Doubts inspect_block(const Block<T>& block, T lowest, T highest) {
  const hn::ScalableTag<T> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  auto small = hn::MaskFromVec(hn::Zero(d));
  auto large = hn::MaskFromVec(hn::Zero(d));
  Doubts rest;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const T* row = block.data + r * block.stride;
    std::int64_t c = 0;
    for (; c + kLanes <= block.cols; c += kLanes) {
      const auto result = hn::LoadU(d, row + c);
      small = hn::Or(small, hn::Lt(result, hn::Set(d, lowest)));
      large = hn::Or(large, hn::Gt(result, hn::Set(d, highest)));
    }
    for (; c < block.cols; ++c) {
      rest.too_small = rest.too_small || row[c] < lowest;
      rest.too_large = rest.too_large || row[c] > highest;
    }
  }
  return {rest.too_small || !hn::AllFalse(d, small), rest.too_large || !hn::AllFalse(d, large)};
}

template <class T>
HWY_INLINE std::uint8_t flag_row(const T* row, std::int64_t count, const RowLimits<T>& limits) {
  const hn::ScalableTag<T> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  auto fine = hn::MaskFromVec(hn::Zero(d));
  auto large = hn::MaskFromVec(hn::Zero(d));
  for (std::int64_t f = 0; f < count; f += kLanes) {
    const auto magnitude = hn::Abs(hn::LoadU(d, row + f));
    const auto is_finite = hn::Le(magnitude, hn::Set(d, std::numeric_limits<T>::max()));
    large = hn::Or(large, hn::And(is_finite, hn::Ge(magnitude, hn::Set(d, limits.large))));
    fine =
        hn::Or(fine, hn::And(hn::Lt(magnitude, hn::Set(d, limits.coarse)), hn::Gt(magnitude, hn::Zero(d))));
  }
  return static_cast<std::uint8_t>((hn::AllFalse(d, fine) ? 0 : kFine) |
                                   (hn::AllFalse(d, large) ? 0 : kLarge));
}

template <class T>
HWY_INLINE bool any_flagged(const Block<T>& rows, const RowLimits<T>& limits) {
  const hn::ScalableTag<T> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  auto plain = hn::Eq(hn::Zero(d), hn::Zero(d));
  for (std::int64_t r = 0; r < rows.rows; ++r) {
    for (std::int64_t f = 0; f < rows.cols; f += kLanes) {
      const auto magnitude = hn::Abs(hn::LoadU(d, rows.data + r * rows.stride + f));
      const auto coarse =
          hn::Or(hn::Ge(magnitude, hn::Set(d, limits.coarse)), hn::Eq(magnitude, hn::Zero(d)));
      plain = hn::And(plain, hn::And(coarse, hn::Lt(magnitude, hn::Set(d, limits.large))));
    }
  }
  return !hn::AllTrue(d, plain);
}

/// Most blocks hold nothing to flag, which one pass tells; only the others are looked at row by row.
template <class T>
HWY_INLINE void flag_block(const Block<T>& rows, const RowLimits<T>& limits, std::uint8_t* flags) {
  if (!any_flagged(rows, limits)) return;
  for (std::int64_t r = 0; r < rows.rows; ++r) {
    flags[r] = static_cast<std::uint8_t>(flags[r] | flag_row(rows.data + r * rows.stride, rows.cols, limits));
  }
}

static void flag_f32(const Block<float>& rows, const RowLimits<float>& limits, std::uint8_t* flags) {
  flag_block(rows, limits, flags);
}
static void flag_f64(const Block<double>& rows, const RowLimits<double>& limits, std::uint8_t* flags) {
  flag_block(rows, limits, flags);
}
/// What a product of a number with itself lost in rounding.
template <class D, class V = hn::Vec<D> >
HWY_INLINE V rest_of_square([[maybe_unused]] D d, V x, V square) {
#if HWY_TARGET != HWY_SSE4
  return hn::MulSub(x, x, square);
#else  // no fused multiply-add: the halves of x multiplied (Dekker, Numer. Math. 18, 1971)
  const V wide = hn::Mul(x, hn::Set(d, 0x1p27 + 1));
  const V high = hn::Sub(wide, hn::Sub(wide, x));
  const V low = hn::Sub(x, high);
  const V cross = hn::Mul(hn::Add(high, high), low);
  return hn::Add(hn::Add(hn::Sub(hn::Mul(high, high), square), cross), hn::Mul(low, low));
#endif
}

/// The sum of all lanes of head and tail, rounded once or little more.
template <class D, class V = hn::Vec<D> >
HWY_INLINE double sum_in_two(D d, V head, V tail) {
  HWY_ALIGN double heads[hn::MaxLanes(D())];
  hn::Store(head, d, heads);
  double sum = 0;
  double rest = hn::GetLane(hn::SumOfLanes(d, tail));
  for (const double value : heads) {
    const double next = sum + value;
    const double b = next - sum;
    rest += (sum - (next - b)) + (value - b);
    sum = next;
  }
  return sum + rest;
}

/// A sum of vectors in two numbers (Knuth's two-sum).
template <class D, class V = hn::Vec<D> >
struct TwoSum {
  V head, tail;

  // Written out, because an implicit constructor is not compiled for the target.
  HWY_INLINE TwoSum() : head(hn::Zero(D())), tail(hn::Zero(D())) {}
  HWY_INLINE void add(V value) {
    const V sum = hn::Add(head, value);
    const V b = hn::Sub(sum, head);
    tail = hn::Add(tail, hn::Add(hn::Sub(head, hn::Sub(sum, b)), hn::Sub(value, b)));
    head = sum;
  }
};

/// The first `count` lanes, if there are more; zeros in the others.
template <class D, class V = hn::Vec<D> >
HWY_INLINE V first_of(D d, V v, std::int64_t count) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  return count >= lanes ? v : hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(count)), v);
}

/// Squares of float32 are exact in float64, and a plain sum of them is rounded far below float32.
static TwoSums sums_f32(const float* row, std::int64_t count, float mean) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> narrow;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  auto sum = hn::Zero(d);
  auto square = hn::Zero(d);
  for (std::int64_t f = 0; f < count; f += kLanes) {
    const auto rest = hn::Sub(hn::LoadU(narrow, row + f), hn::Set(narrow, mean));
    const auto x = hn::PromoteTo(d, first_of(narrow, rest, count - f));
    sum = hn::Add(sum, x);
    square = hn::MulAdd(x, x, square);
  }
  return {hn::GetLane(hn::SumOfLanes(d, sum)), hn::GetLane(hn::SumOfLanes(d, square))};
}

/// Compensated sums (Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26, 2005, algorithms Sum2 and Dot2).
static TwoSums sums_f64(const double* row, std::int64_t count, double mean) {
  const hn::ScalableTag<double> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  TwoSum<decltype(d)> sum;
  TwoSum<decltype(d)> square;
  for (std::int64_t f = 0; f < count; f += kLanes) {
    const auto x = first_of(d, hn::Sub(hn::LoadU(d, row + f), hn::Set(d, mean)), count - f);
    const auto product = hn::Mul(x, x);
    sum.add(x);
    square.tail = hn::Add(square.tail, rest_of_square(d, x, product));
    square.add(product);
  }
  return {sum_in_two(d, sum.head, sum.tail), sum_in_two(d, square.head, square.tail)};
}

static Doubts inspect_f32(const Block<float>& block, float lowest, float highest) {
  return inspect_block(block, lowest, highest);
}
static Doubts inspect_f64(const Block<double>& block, double lowest, double highest) {
  return inspect_block(block, lowest, highest);
}
static void fence() { hwy::FlushStream(); }

static const Movers* movers() {
  static constexpr Movers kMovers{copy_f32, copy_f64, copy_f64_f32, transpose_f32, transpose_f64, flag_f32,
                                  flag_f64, sums_f32, sums_f64,     inspect_f32,   inspect_f64,   fence};
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
