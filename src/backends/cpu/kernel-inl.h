// SPDX-License-Identifier: Apache-2.0
// The CPU kernel: a register tile of R rows x C vectors of columns, with the steps of a metric or, for many
// features, products (metrics/product_form.h).
//
// Each feature costs C vector loads, R broadcasts and R*C steps, so the loads per step are (R+C)/(R*C): the
// tile with the largest R*C/(R+C) that the registers hold is taken: 5 x 5 vectors of AVX-512, 6 x 2 of AVX2.
// Accumulators stay in registers for up to kFeatureBlock features. Every loop over them carries a literal
// unroll pragma: without it GCC 12 keeps the array in memory and stores all of it in every step (1.7 times
// slower).
//
// With 32 registers a tile's sums are finished while the next tile is accumulated, a row at a time: a square
// root keeps the divider busy for ten cycles a vector, and the multiply-adds go on beside it (1.13 times
// faster at d = 40 on Zen 4). With 16 registers there is no room: the accumulators would be spilled (1.17
// times slower).
#if defined(QDR_BACKENDS_CPU_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef QDR_BACKENDS_CPU_KERNEL_INL_H
#undef QDR_BACKENDS_CPU_KERNEL_INL_H
#else
#define QDR_BACKENDS_CPU_KERNEL_INL_H
#endif

#include <algorithm>
#include <bit>
#include <limits>

#include "backends/cpu/dispatch.h"
#include "backends/cpu/group_ops-inl.h"
#include "backends/cpu/ops-inl.h"
#include "backends/cpu/subnormals.h"
#include "hwy/highway.h"
#include "metrics/product_form.h"
#include "metrics/traits-inl.h"
#include "metrics/weighted-inl.h"

#if !QDR_EMULATED
HWY_BEFORE_NAMESPACE();
namespace quadrance::internal::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL || HWY_ARCH_ARM_A64
inline constexpr int kRegisters = 32;
#else
inline constexpr int kRegisters = 16;
#endif

struct TileShape {
  int rows;
  int vectors;
};

/// The register tile with the fewest loads per step; among equals the one with more accumulators.
constexpr TileShape best_tile_shape(int accumulators, int temporaries) {
  TileShape best{1, 1};
  for (int rows = 1; rows <= 8; ++rows) {
    for (int vectors = 1; vectors <= 6; ++vectors) {
      if (accumulators * rows * vectors + vectors + temporaries > kRegisters) continue;
      const int gain = rows * vectors * (best.rows + best.vectors);
      const int best_gain = best.rows * best.vectors * (rows + vectors);
      if (gain > best_gain || (gain == best_gain && rows * vectors > best.rows * best.vectors)) {
        best = {rows, vectors};
      }
    }
  }
  return best;
}

/// The squared distance of pairs of rows x and y, from sums of these rows without their means and the product
/// of what is left: x - y is (x - mean(x)) - (y - mean(y)) and the difference of the means. NaN for near
/// pairs.
template <class D64, class V = hn::Vec<D64>>
class SquareOfPair {
 public:
  HWY_INLINE SquareOfPair(D64 d, const RowSums& rows, const RowSums& columns, std::int64_t features)
      : x_(hn::Set(d, *rows.square)), y_(hn::LoadU(d, columns.square)), both_(hn::Add(x_, y_)) {
    const V means = hn::Sub(hn::Set(d, *rows.mean), hn::LoadU(d, columns.mean));
    const V sums = hn::Sub(hn::Set(d, *rows.sum), hn::LoadU(d, columns.sum));
    const V count = hn::Set(d, static_cast<double>(features));
    apart_ = hn::Mul(means, hn::MulAdd(count, means, hn::Add(sums, sums)));
  }
  /// For a product that is right to far below the digits of the result.
  HWY_INLINE V by(D64 d, V product) const {
    return unless_near(d, hn::Add(hn::Sub(both_, hn::Add(product, product)), apart_));
  }
  /// For a product in two numbers; what rounding took off both_ is put back.
  HWY_INLINE V by(D64 d, V head, V tail) const {
    const V b = hn::Sub(both_, x_);
    const V error = hn::Add(hn::Sub(x_, hn::Sub(both_, b)), hn::Sub(y_, b));
    const V rest = hn::Add(hn::Sub(error, hn::Add(tail, tail)), apart_);
    return unless_near(d, hn::Add(hn::Sub(both_, hn::Add(head, head)), rest));
  }

 private:
  HWY_INLINE V unless_near(D64 d, V square) const {
    const auto far = hn::Ge(square, hn::Mul(both_, hn::Set(d, kNear)));
    return hn::IfThenElse(far, square, hn::Set(d, std::numeric_limits<double>::quiet_NaN()));
  }

  V x_, y_, both_, apart_;
};

/// Block sums added up in float64. Sums of float32 blocks lose nothing that matters: 29 more bits.
template <class D, class T = hn::TFromD<D>>
struct WideTotal {
  static_assert(sizeof(T) == 4);
  static constexpr int kBytes = 8;
  using D64 = hn::Repartition<double, D>;
  using Half = hn::Half<D>;

  static HWY_INLINE void set(D d, hn::Vec<D> sum, std::byte* total, std::size_t lane0) {
    store(low(d, sum), high(d, sum), total, lane0);
  }
  static HWY_INLINE void add(D d, hn::Vec<D> sum, std::byte* total, std::size_t lane0) {
    const D64 d64;
    const double* at = reinterpret_cast<const double*>(total) + lane0;
    store(hn::Add(hn::LoadU(d64, at), low(d, sum)),
          hn::Add(hn::LoadU(d64, at + hn::Lanes(d64)), high(d, sum)), total, lane0);
  }
  static HWY_INLINE hn::Vec<D> get(D d, const std::byte* total, std::size_t lane0) {
    const D64 d64;
    const double* at = reinterpret_cast<const double*>(total) + lane0;
    return narrow(d, hn::LoadU(d64, at), hn::LoadU(d64, at + hn::Lanes(d64)));
  }
  static HWY_INLINE hn::Vec<D> square(D d, const std::byte* total, std::size_t lane0, const RowSums& rows,
                                      const RowSums& columns, std::int64_t features) {
    const D64 d64;
    const auto half = static_cast<std::int64_t>(hn::Lanes(d64));
    const double* at = reinterpret_cast<const double*>(total) + lane0;
    const SquareOfPair<D64> first(d64, rows, columns, features);
    const SquareOfPair<D64> second(d64, rows, columns.from(half), features);
    return narrow(d, first.by(d64, hn::LoadU(d64, at)), second.by(d64, hn::LoadU(d64, at + half)));
  }

 private:
  static HWY_INLINE hn::Vec<D> narrow(D d, hn::Vec<D64> a, hn::Vec<D64> b) {
    return hn::Combine(d, hn::DemoteTo(Half(), b), hn::DemoteTo(Half(), a));
  }
  static HWY_INLINE hn::Vec<D64> low(D, hn::Vec<D> v) {
    return hn::PromoteTo(D64(), hn::LowerHalf(Half(), v));
  }
  static HWY_INLINE hn::Vec<D64> high(D, hn::Vec<D> v) {
    return hn::PromoteTo(D64(), hn::UpperHalf(Half(), v));
  }
  static HWY_INLINE void store(hn::Vec<D64> a, hn::Vec<D64> b, std::byte* total, std::size_t lane0) {
    double* at = reinterpret_cast<double*>(total) + lane0;
    hn::StoreU(a, D64(), at);
    hn::StoreU(b, D64(), at + hn::Lanes(D64()));
  }
};

/// Block sums of float64 added up by two-sum (Knuth, TAOCP 4.2.2): the rounding errors are kept in a second
/// number.
template <class D>
struct WideTotal<D, double> {
  static constexpr int kBytes = 16;

  static HWY_INLINE void set(D d, hn::Vec<D> sum, std::byte* total, std::size_t lane0) {
    double* at = reinterpret_cast<double*>(total) + 2 * lane0;
    hn::StoreU(sum, d, at);
    hn::StoreU(hn::Zero(d), d, at + hn::Lanes(d));
  }
  static HWY_INLINE void add(D d, hn::Vec<D> sum, std::byte* total, std::size_t lane0) {
    double* at = reinterpret_cast<double*>(total) + 2 * lane0;
    const auto head = hn::LoadU(d, at);
    const auto tail = hn::LoadU(d, at + hn::Lanes(d));
    const auto s = hn::Add(head, sum);
    const auto b = hn::Sub(s, head);
    const auto error = hn::Add(hn::Sub(head, hn::Sub(s, b)), hn::Sub(sum, b));
    hn::StoreU(s, d, at);
    hn::StoreU(hn::Add(tail, error), d, at + hn::Lanes(d));
  }
  static HWY_INLINE hn::Vec<D> get(D d, const std::byte* total, std::size_t lane0) {
    const double* at = reinterpret_cast<const double*>(total) + 2 * lane0;
    const auto head = hn::LoadU(d, at);
    const auto tail = hn::LoadU(d, at + hn::Lanes(d));
    // Once the head is not finite the tail is NaN and means nothing.
    const auto finite = hn::Le(hn::Abs(head), hn::Set(d, std::numeric_limits<double>::max()));
    return hn::IfThenElse(finite, hn::Add(head, tail), head);
  }
  static HWY_INLINE hn::Vec<D> square(D d, const std::byte* total, std::size_t lane0, const RowSums& rows,
                                      const RowSums& columns, std::int64_t features) {
    const double* at = reinterpret_cast<const double*>(total) + 2 * lane0;
    const SquareOfPair<D> pair(d, rows, columns, features);
    return pair.by(d, hn::LoadU(d, at), hn::LoadU(d, at + hn::Lanes(d)));
  }
};

/// Maxima of blocks: no wider number is needed.
template <class D>
struct MaximumTotal {
  using T = hn::TFromD<D>;
  static constexpr int kBytes = sizeof(T);

  static HWY_INLINE void set(D d, hn::Vec<D> maximum, std::byte* total, std::size_t lane0) {
    hn::StoreU(maximum, d, reinterpret_cast<T*>(total) + lane0);
  }
  static HWY_INLINE void add(D d, hn::Vec<D> maximum, std::byte* total, std::size_t lane0) {
    const VectorOps<D, Scaling::kNone, Range{}> o(nullptr);
    set(d, o.max_magnitude(get(d, total, lane0), maximum), total, lane0);
  }
  static HWY_INLINE hn::Vec<D> get(D d, const std::byte* total, std::size_t lane0) {
    return hn::LoadU(d, reinterpret_cast<const T*>(total) + lane0);
  }
};

/// Integers, where numbers have their bits.
template <class D>
struct CountTotal {
  using T = hn::TFromD<D>;
  using Integers = hn::RebindToUnsigned<D>;
  static constexpr int kBytes = sizeof(T);

  static HWY_INLINE void set(D d, hn::Vec<D> count, std::byte* total, std::size_t lane0) {
    hn::StoreU(count, d, reinterpret_cast<T*>(total) + lane0);
  }
  static HWY_INLINE void add(D d, hn::Vec<D> count, std::byte* total, std::size_t lane0) {
    const auto sum = hn::Add(hn::BitCast(Integers(), get(d, total, lane0)), hn::BitCast(Integers(), count));
    set(d, hn::BitCast(d, sum), total, lane0);
  }
  static HWY_INLINE hn::Vec<D> get(D d, const std::byte* total, std::size_t lane0) {
    return hn::LoadU(d, reinterpret_cast<const T*>(total) + lane0);
  }
};

template <class D, Combine kCombine>
struct TotalOf {
  using type = WideTotal<D>;
};
template <class D>
struct TotalOf<D, Combine::kMaximum> {
  using type = MaximumTotal<D>;
};
template <class D>
struct TotalOf<D, Combine::kCount> {
  using type = CountTotal<D>;
};

/// kNarrow: only the first half of the panel's columns, for last panels that hold no more points.
template <class Metric, class T, Scaling kScaling, bool kNarrow = false>
class TileKernel {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  using Ops = VectorOps<D, kScaling, range_of<Metric, T>()>;
  using Total = typename TotalOf<D, Metric::combine>::type;
  static constexpr bool kManyConstants = requires { Metric::many_constants; };
  // Constants are loaded for the vectors of a row together; where those are more than the registers hold, it
  // is accumulators that wait in memory, one load and store a step.
  static constexpr TileShape kShape =
      kManyConstants ? TileShape{3, 4} : best_tile_shape(Metric::accumulators, Metric::temporaries);
  static constexpr int kA = Metric::accumulators;
  static constexpr int kSummaries = summaries_of<Metric>();
  static constexpr bool kWeighted = requires { Metric::weighted; };
  /// Of rows that are scaled down only pairs count whose sums overflow: subnormal terms are nothing beside
  /// them, but where a few rows are huge nearly all terms of the others are subnormal then (80 times slower).
  /// Unscaled sums may flush if those that subnormal terms count in are computed again, scaled up (60 times
  /// slower); weights could make their results subnormal.
  static constexpr bool kFlushes = Metric::redo == Redo::kOutOfRange &&
                                   (kScaling == Scaling::kDown || (kScaling == Scaling::kNone && !kWeighted &&
                                                                   requires { Metric::flushes_subnormals; }));
  static constexpr bool kTwoPasses = requires { typename Metric::FirstPass; };
  // Quotients: float32 has no range for the products of two.
  static constexpr bool kTwoFeatures = sizeof(T) == 8 && kScaling == Scaling::kNone &&
                                       requires(const Ops& o, V (&sum)[kA], const V (&two)[2]) {
    Metric::step_two(o, sum, two, two, [](int, V term) { return term; });
  };
  // Several sums of a pair have no place to wait in, nor where the first pass's result stands: they are
  // finished from the registers.
  static constexpr bool kWait = kA == 1 && !kTwoPasses;
  static constexpr bool kFinishBeside = kWait && kRegisters >= 32;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr int kVectors = kNarrow ? (kShape.vectors + 1) / 2 : kShape.vectors;
  using Accumulators = V[kShape.rows][kVectors][kA];

 public:
  static constexpr int kRows = kShape.rows;
  static constexpr int kCols = kShape.vectors * kLanes;
  static constexpr bool kHasProducts = has_products<Metric, Ops, V>();
  static constexpr int kUsedCols = kVectors * kLanes;
  static constexpr int kTotalBytes = kA * Total::kBytes;

  static HWY_NOINLINE bool fill(const TileCall<T>& call) {
    if constexpr (kFlushes) {
      const FlushSubnormals flushing;
      return fill_sums(call);
    } else {
      return fill_sums(call);
    }
  }

  /// As fill, for all pairs that are not near. The parts of a block are added up where the results will be.
  static HWY_NOINLINE void fill_by_products(const TileCall<T>& call) {
    using Step = typename Metric::ByProducts;
    for (std::int64_t f = 0; f < call.features;) {
      const bool first = f % kFeatureBlock == 0;
      const std::int64_t end = std::min(f + kProductBlock, call.features);
      const bool last = end % kFeatureBlock == 0 || end == call.features;
      for (std::int64_t p = 0; p < call.row_panels; ++p) {
        Accumulators sums;
        clear(sums);
        fetch_ahead(call, p, end, end + kProductBlock);
        accumulate<Step>(call, p, f, end, sums);
        if (!first) add_stored_sums(call, p, sums);
        if (last) {
          std::byte* totals = call.totals + p * kRows * kCols * kTotalBytes;
          add_to_totals(sums, f < kFeatureBlock, totals);
          if (end == call.features) finish_squares(call, p, totals);
        } else {
          store_sums(sums, call, p);
        }
        if (call.between != nullptr) call.between(call.context, end == call.features ? p * kRows : 0);
      }
      f = end;
    }
  }

  /// The metric's trusted range in terms of its results.
  static T finish_one(T sum) { return finish_with(sum, nullptr); }
  static T finish_with(T sum, const T* parameters) {
    const Ops o(parameters);
    return hn::GetLane(finish_alone<Metric>(o, hn::Set(D(), sum)));
  }

 private:
  /// A call of its own: compilers may move arithmetic past a change of how subnormal numbers are taken.
  static HWY_NOINLINE bool fill_sums(const TileCall<T>& call) {
    if constexpr (kTwoPasses) fill_first_pass(call);
    return steps(call) <= kFeatureBlock ? fill_one_block(call) : fill_blocks(call);
  }

  /// Features that a step takes.
  static HWY_INLINE std::int64_t steps(const TileCall<T>& call) { return call.features - kSummaries; }

  /// Leaves each pair's result of the first pass where its distance will be.
  static HWY_INLINE void fill_first_pass(const TileCall<T>& call) {
    using First = typename Metric::FirstPass;
    static_assert(First::accumulators == kA && First::combine == Combine::kMaximum);
    for (std::int64_t p = 0; p < call.row_panels; ++p) {
      Accumulators maxima;
      clear(maxima);
      accumulate<First>(call, p, 0, call.features, maxima);
      const Ops o(call.parameters);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
        for (int c = 0; c < kVectors; ++c) maxima[r][c][0] = First::finish(o, maxima[r][c]);
      }
      store_sums(maxima, call, p);
    }
  }

  static HWY_INLINE bool fill_one_block(const TileCall<T>& call) {
    auto within = hn::MaskFromVec(hn::Zero(D()));
    for (std::int64_t p = 0; p < call.row_panels; ++p) {
      Accumulators sums;
      clear(sums);
      if constexpr (kFinishBeside) {
        std::int64_t done = 0;
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
          std::int64_t end = steps(call) * (r + 1) / kRows;
          if (kTwoFeatures && r + 1 < kRows) end -= end % 2;
          accumulate<Metric>(call, p, done, end, sums);
          done = end;
          if (p > 0) finish_row(call, (p - 1) * kRows + r, &within);
        }
      } else {
        accumulate<Metric>(call, p, 0, steps(call), sums);
      }
      if constexpr (kFinishBeside) {
        store_sums(sums, call, p);
        if (p + 1 == call.row_panels) finish_panel(call, p, &within);
      } else {
        finish_sums(sums, call, p, &within);
      }
      if (call.between != nullptr) call.between(call.context, p * kRows);
    }
    return !hn::AllFalse(D(), within);
  }

  /// Blocks outermost: one block of all operands stays in L2 however many features there are.
  static HWY_INLINE bool fill_blocks(const TileCall<T>& call) {
    auto within = hn::MaskFromVec(hn::Zero(D()));
    for (std::int64_t f = 0; f < steps(call); f += kFeatureBlock) {
      const std::int64_t block = std::min(kFeatureBlock, steps(call) - f);
      for (std::int64_t p = 0; p < call.row_panels; ++p) {
        Accumulators sums;
        clear(sums);
        fetch_ahead(call, p, f + block, f + block + kFeatureBlock);
        accumulate<Metric>(call, p, f, f + block, sums);
        std::byte* totals = call.totals + p * kRows * kCols * kTotalBytes;
        add_to_totals(sums, f == 0, totals);
        if (f + block == steps(call)) {
          get_totals(totals, sums);
          finish_sums(sums, call, p, &within);
        }
        if (call.between != nullptr) call.between(call.context, f + block == steps(call) ? p * kRows : 0);
      }
    }
    return !hn::AllFalse(D(), within);
  }

  /// Asks for a row panel's features begin to end, and for its share of the column panel's: those of the next
  /// block, which nothing else announces (1.08 times faster at d = 1,000 on a Xeon).
  /// Behind the last feature there often is the next panel; if not, asking does no harm.
  static HWY_INLINE void fetch_ahead(const TileCall<T>& call, std::int64_t panel, std::int64_t begin,
                                     std::int64_t end) {
    constexpr std::int64_t kLine = 64 / sizeof(T);
    for (int r = 0; r < kRows; ++r) {
      const T* row = call.rows + (panel * kRows + r) * call.row_stride;
      for (std::int64_t f = begin; f < std::min(end, call.features); f += kLine) fetch(row + f);
    }
    const std::int64_t lines = (end - begin) * kCols / kLine;
    const T* columns = call.columns + begin * kCols;
    for (std::int64_t i = lines * panel / call.row_panels; i < lines * (panel + 1) / call.row_panels; ++i)
      fetch(columns + i * kLine);
  }
  static HWY_INLINE void fetch(const T* line) { __builtin_prefetch(line, 0, 2); }

  static HWY_INLINE void clear(Accumulators& sums) {
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < kVectors; ++c) {
#pragma GCC unroll 8
        for (int a = 0; a < kA; ++a) sums[r][c][a] = hn::Zero(D());
      }
    }
  }

  /// A broadcast of the bits, as an integer: Zen 4 takes 1.3 cycles more for a vbroadcastss into 512 bits
  /// than for a vpbroadcastd (0.8 against 0.97 of the peak of this loop).
  static HWY_INLINE V broadcast(const T& value) {
    const hn::RebindToUnsigned<D> bits;
    return hn::BitCast(D(), hn::Set(bits, std::bit_cast<hn::TFromD<decltype(bits)>>(value)));
  }

  /// Features begin to end of a panel of rows, with Step's step.
  template <class Step>
  static HWY_INLINE void accumulate(const TileCall<T>& call, std::int64_t panel, std::int64_t begin,
                                    std::int64_t end, Accumulators& sums) {
    constexpr bool kSecondPass = requires { typename Step::FirstPass; };
    const D d;
    Ops o(call.parameters);
    const std::int64_t row_stride = call.row_stride;
    const T* HWY_RESTRICT rows = call.rows + panel * kRows * row_stride;
    const T* HWY_RESTRICT first = call.out + panel * kRows * call.out_stride;
    const T* HWY_RESTRICT columns = call.columns + begin * kCols;
    std::int64_t f = begin;
    if constexpr (kTwoFeatures) {
      for (; f + 2 <= end; f += 2, columns += 2 * kCols)
        accumulate_two(o, kWeighted ? call.weights + f : nullptr, rows + f, row_stride, columns, sums);
    }
    for (; f < end; ++f) {
      if constexpr (kWeighted) o.feature_weight = broadcast(call.weights[f]);
      if constexpr (requires { Metric::kFeatureParameters; }) {
        for (int i = 0; i < Metric::kFeatureParameters; ++i)
          o.feature_values[i] = broadcast(call.feature_parameters[i * call.features + f]);
      }
      V y[kVectors];
#pragma GCC unroll 8
      for (int c = 0; c < kVectors; ++c) y[c] = hn::Load(d, columns + c * kLanes);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        const V x = broadcast(rows[r * row_stride + f]);
        if constexpr (kManyConstants) {
          step_together<Step, kSecondPass>(o, sums[r], x, y, first + r * call.out_stride);
        } else {
#pragma GCC unroll 8
          for (int c = 0; c < kVectors; ++c) {
            if constexpr (kSecondPass) o.first_result = hn::Load(d, first + r * call.out_stride + c * kLanes);
            Step::step(o, sums[r][c], x, y[c]);
          }
        }
      }
      columns += kCols;
    }
  }

  /// A step of a row with all vectors of columns; `first` has the first pass's results.
  template <class Step, bool kSecondPass>
  static HWY_INLINE void step_together(const Ops& o, V (&sums)[kVectors][kA], V x, const V (&y)[kVectors],
                                       const T* HWY_RESTRICT first) {
    using Together = GroupOps<Ops, kVectors>;
    Together together(o);
    typename Together::V sum[kA], columns;
#pragma GCC unroll 8
    for (int c = 0; c < kVectors; ++c) {
      columns.item[c] = y[c];
      if constexpr (kSecondPass) together.first_result.item[c] = hn::Load(D(), first + c * kLanes);
#pragma GCC unroll 8
      for (int a = 0; a < kA; ++a) sum[a].item[c] = sums[c][a];
    }
    Step::step(together, sum, Together::all(x), columns);
#pragma GCC unroll 8
    for (int c = 0; c < kVectors; ++c) {
#pragma GCC unroll 8
      for (int a = 0; a < kA; ++a) sums[c][a] = sum[a].item[c];
    }
  }

  static HWY_INLINE void accumulate_two(const Ops& o, const T* HWY_RESTRICT weights,
                                        const T* HWY_RESTRICT rows, std::int64_t row_stride,
                                        const T* HWY_RESTRICT columns, Accumulators& sums) {
    V w[2];
    if constexpr (kWeighted) {
      w[0] = broadcast(weights[0]);
      w[1] = broadcast(weights[1]);
    }
    const auto weighed = [&w](int i, V term) HWY_ATTR {
      if constexpr (kWeighted) return hn::Mul(w[i], term);
      return term;
    };
    V y[kVectors][2];
#pragma GCC unroll 8
    for (int c = 0; c < kVectors; ++c) {
      y[c][0] = hn::Load(D(), columns + c * kLanes);
      y[c][1] = hn::Load(D(), columns + kCols + c * kLanes);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const V x[2] = {broadcast(rows[r * row_stride]), broadcast(rows[r * row_stride + 1])};
#pragma GCC unroll 8
      for (int c = 0; c < kVectors; ++c) Metric::step_two(o, sums[r][c], x, y[c], weighed);
    }
  }

  static HWY_INLINE void finish_sums(Accumulators& sums, const TileCall<T>& call, std::int64_t panel,
                                     hn::Mask<D>* within) {
    if constexpr (kWait) {
      store_sums(sums, call, panel);
      finish_panel(call, panel, within);
    } else {
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
        for (int c = 0; c < kVectors; ++c) finish(call, panel * kRows + r, c, sums[r][c]);
        if (call.limits != nullptr) note_limit(call, panel * kRows + r, within);
      }
    }
  }

  /// Leaves the sums where their results will be.
  static HWY_INLINE void store_sums(Accumulators& sums, const TileCall<T>& call, std::int64_t panel) {
    T* out = call.out + panel * kRows * call.out_stride;
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < kVectors; ++c)
        hn::Store(sums[r][c][0], D(), out + r * call.out_stride + c * kLanes);
    }
  }

  static HWY_INLINE void add_stored_sums(const TileCall<T>& call, std::int64_t panel, Accumulators& sums) {
    const T* out = call.out + panel * kRows * call.out_stride;
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < kVectors; ++c)
        sums[r][c][0] = hn::Add(hn::Load(D(), out + r * call.out_stride + c * kLanes), sums[r][c][0]);
    }
  }

  /// Turns a panel's totals of products into results.
  static HWY_INLINE void finish_squares(const TileCall<T>& call, std::int64_t panel,
                                        const std::byte* totals) {
    auto near = hn::MaskFromVec(hn::Zero(D()));
    for (int r = 0; r < kRows; ++r) {
      const std::int64_t row = panel * kRows + r;
      for (int c = 0; c < kVectors; ++c) {
        const auto lane0 = static_cast<std::size_t>((r * kVectors + c) * kLanes);
        const V sum[1] = {Total::square(D(), totals, lane0, call.row_sums.from(row),
                                        call.column_sums.from(c * kLanes), call.features)};
        near = hn::Or(near, hn::Not(hn::Eq(sum[0], sum[0])));  // Ne of Highway 1.0.3 is false for NaN
        finish(call, row, c, sum);
      }
    }
    call.near[panel] = hn::AllFalse(D(), near) ? 0 : 1;
  }

  /// Turns one row of sums into results.
  static HWY_INLINE void finish_row(const TileCall<T>& call, std::int64_t row, hn::Mask<D>* within) {
    const T* out = call.out + row * call.out_stride;
#pragma GCC unroll 8
    for (int c = 0; c < kVectors; ++c) {
      const V sum[kA] = {hn::Load(D(), out + c * kLanes)};
      finish(call, row, c, sum);
    }
    if (call.limits != nullptr) note_limit(call, row, within);
  }

  static HWY_INLINE void finish(const TileCall<T>& call, std::int64_t row, int c, const V (&sum)[kA]) {
    Ops o(call.parameters);
    if constexpr (kTwoPasses) o.first_result = hn::Load(D(), call.out + row * call.out_stride + c * kLanes);
    if constexpr (kSummaries > 0) {
      const std::int64_t last = call.features - 1;
      o.row_value = broadcast(call.rows[row * call.row_stride + last]);
      o.column_value = hn::Load(D(), call.columns + last * kCols + c * kLanes);
    }
    V result = Metric::finish(o, sum);
    if constexpr (kWeighted) {
      // Together with the scaling, in steps: either alone may leave the range that the result is in, and the
      // power of both the range of numbers.
      const int exponent = call.weight_exponent + Ops::template unscaling<degree_of<Metric>()>();
      const int third = exponent / 3;
      result = hn::Mul(hn::Mul(result, hn::Set(D(), power(third))), hn::Set(D(), power(third)));
      result = hn::Mul(result, hn::Set(D(), power(exponent - 2 * third)));
    } else {
      result = o.template unscale<degree_of<Metric>()>(result);
    }
    if constexpr (kScaling == Scaling::kNone)
      deliver(call, row, c, result);
    else
      mend(call, row, c, result);
  }

  /// 2^exponent, for exponents of normal numbers of float64.
  static HWY_INLINE T power(int exponent) {
    return static_cast<T>(std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52));
  }

  static HWY_INLINE void deliver(const TileCall<T>& call, std::int64_t row, int c, V result) {
    const D d;
    hn::Store(result, d, call.out + row * call.out_stride + c * kLanes);
    if (call.direct == nullptr) return;
    T* direct = call.direct + row * call.direct_stride + c * kLanes;
    if (call.direct_streams)
      hn::Stream(result, d, direct);
    else
      hn::StoreU(result, d, direct);
  }

  static HWY_INLINE void mend(const TileCall<T>& call, std::int64_t row, int c, V result) {
    const D d;
    T* at = call.mend + row * call.out_stride + c * kLanes;
    const V plain = hn::Load(d, at);
    const V row_trust = hn::Set(d, call.row_trust[row]);
    const V column_trust = hn::Load(d, call.column_trust + c * kLanes);
    // NaN is mended too where a row is large: it may be Inf / Inf of sums that overflowed.
    const auto untrusted = kScaling == Scaling::kUp
                               ? hn::Lt(plain, hn::Max(row_trust, column_trust))
                               : hn::Not(hn::Le(plain, hn::Min(row_trust, column_trust)));
    hn::Store(hn::IfThenElse(untrusted, result, plain), d, at);
  }

  static HWY_INLINE void finish_panel(const TileCall<T>& call, std::int64_t panel, hn::Mask<D>* within) {
    for (int r = 0; r < kRows; ++r) finish_row(call, panel * kRows + r, within);
  }

  static HWY_INLINE void note_limit(const TileCall<T>& call, std::int64_t row, hn::Mask<D>* within) {
    const D d;
    const V limit = hn::Set(d, call.limits[row]);
    const T* results = call.out + row * call.out_stride;
    for (int c = 0; c < kVectors; ++c) {
      *within = hn::Or(*within, hn::Le(hn::Load(d, results + c * kLanes), limit));
    }
  }

  static HWY_INLINE void add_to_totals(Accumulators& sums, bool first, std::byte* totals) {
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < kVectors; ++c) {
#pragma GCC unroll 8
        for (int a = 0; a < kA; ++a) {
          const std::size_t lane0 = static_cast<std::size_t>(((r * kVectors + c) * kA + a) * kLanes);
          if (first)
            Total::set(D(), sums[r][c][a], totals, lane0);
          else
            Total::add(D(), sums[r][c][a], totals, lane0);
        }
      }
    }
  }

  static HWY_INLINE void get_totals(const std::byte* totals, Accumulators& sums) {
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int c = 0; c < kVectors; ++c) {
#pragma GCC unroll 8
        for (int a = 0; a < kA; ++a) {
          const std::size_t lane0 = static_cast<std::size_t>(((r * kVectors + c) * kA + a) * kLanes);
          sums[r][c][a] = Total::get(D(), totals, lane0);
        }
      }
    }
  }
};

template <class Metric, class T>
Kernel<T> make_kernel() {
  using Plain = TileKernel<Metric, T, Scaling::kNone>;
  Kernel<T> kernel;
  kernel.rows = Plain::kRows;
  kernel.cols = Plain::kCols;
  kernel.total_bytes = Plain::kTotalBytes;
  using Narrow = TileKernel<Metric, T, Scaling::kNone, true>;
  kernel.narrow_cols = Narrow::kUsedCols;
  kernel.fill_narrow = &Narrow::fill;
  kernel.fill[static_cast<int>(Scaling::kNone)] = &Plain::fill;
  constexpr Range kRange = range_of<Metric, T>();
  if constexpr (Metric::redo != Redo::kNever) {
    kernel.row_limits.large = power_of_two<T>(kRange.large);
    kernel.fill[static_cast<int>(Scaling::kDown)] = &TileKernel<Metric, T, Scaling::kDown>::fill;
  }
  if constexpr (Metric::redo == Redo::kExtremeRows) {
    kernel.row_limits.coarse = power_of_two<T>(kRange.coarse);
    kernel.highest = -1;
  }
  if constexpr (Metric::redo == Redo::kOutOfRange) {
    kernel.row_limits.coarse = power_of_two<T>(kRange.coarse);
    kernel.lowest = Plain::finish_one(power_of_two<T>(kRange.lowest));
    kernel.highest = Plain::finish_one(std::numeric_limits<T>::max());
    kernel.fill[static_cast<int>(Scaling::kUp)] = &TileKernel<Metric, T, Scaling::kUp>::fill;
  }
  if constexpr (Plain::kHasProducts) {
    using ByProducts = typename Metric::ByProducts;
    static_assert(kProductFeatures > kFeatureBlock &&
                  kFeatureBlock % kProductBlock == 0);  // totals are there
    constexpr ProductRange kProducts = sizeof(T) == 4 ? ByProducts::float32 : ByProducts::float64;
    kernel.by_products = {kProductFeatures,
                          &Plain::fill_by_products,
                          &Narrow::fill_by_products,
                          kNear,
                          power_of_two<double>(kProducts.least),
                          power_of_two<double>(kProducts.most),
                          power_of_two<double>(kProducts.most_mean),
                          kMostOffset,
                          Metric::info.similarity ? nullptr : &Plain::finish_with};
  }
  return kernel;
}

/// The kernels of a metric. With weights sums are taken in float64 only: float32 has no room for weights.
template <class Metric>
KernelSet make_kernels() {
  KernelSet kernels{{}, make_kernel<Metric, double>(), {}};
  kernels.same_on_wider_vectors = !requires { Metric::uses_rough_ratio; };
  if constexpr (!Metric::info.in_float64) kernels.f32 = make_kernel<Metric, float>();
  if constexpr (is_weighted<Metric>()) {
    kernels.weighted = make_kernel<Weighted<Metric>, double>();
    kernels.weight_halves = Metric::weight_halves;
    kernels.sums_differences = requires { Metric::sums_differences; };
  }
  return kernels;
}

}  // namespace quadrance::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
