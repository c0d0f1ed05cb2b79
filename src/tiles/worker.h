// SPDX-License-Identifier: Apache-2.0
// One thread's part of a job: packs rows, fills strips, a band of rows against one column panel each, and
// hands them to the store.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "backends/backend.h"
#include "input/pack.h"
#include "plan/schedule.h"
#include "plan/tile_layout.h"
#include "tiles/row_sums.h"
#include "tiles/scratch.h"
#include "tiles/strip_store.h"
#include "tiles/tile_job.h"

namespace quadrance::internal {

template <class T, class Out>
class Worker {
 public:
  Worker(const TileJob<T>& job, Scratch* scratch)
      : job_(job), base_(scratch->reserve(static_cast<std::size_t>(job.layout.scratch_bytes))) {}

  void run(const Task& task) {
    if (task.row != band_row_) pack_band(task);
    for (std::int64_t panel = task.first_panel; panel < task.end_panel; ++panel) run_strip(task, panel);
  }

  /// Stores what is still pending. To be called once after the last task.
  void finish() { store_.finish(); }

 private:
  struct Strip : StripArea {
    std::int64_t panel;
    const T* columns;
    const std::uint8_t* column_flags;
  };
  /// What a kernel reads: the packed rows of the band, and a panel of columns.
  struct Operands {
    const T* rows;
    const T* columns;
  };
  /// Rows of a strip: whole row panels, but for the strip's end.
  struct Range {
    std::int64_t first, count;
  };
  /// What speaks against plain results: a row of the pair with one of these flags, and a result beyond the
  /// bound, below it (Scaling::kUp) or above it. `any`: a bound that all results are within.
  struct Distrust {
    int flags;
    T bound, any;
  };

  template <class E>
  E* room(std::int64_t offset) const {
    return reinterpret_cast<E*>(base_ + offset);
  }

  void pack_band(const Task& task) {
    band_row_ = task.row;
    const std::int64_t stride = layout_.row_stride;
    pack_rows<T>(job_.x, task.row, task.rows, rows_, stride);
    std::fill_n(row_flags_, task.rows, std::uint8_t{kPlain});
    job_.movers.template flag<T>({rows_, stride, task.rows, job_.x.cols}, job_.kernel.row_limits, row_flags_);
    rows_flag_ = any_flag(row_flags_, task.rows);
    if (layout_.by_products)
      take_off_means(job_.row_sums.mean + task.row, task.rows, job_.x.cols, rows_, stride);
    pad_band(task.rows, rows_);
  }

  /// Fills the last row panel with any numbers that cost no time.
  void pad_band(std::int64_t count, T* rows) const {
    const std::int64_t stride = layout_.row_stride;
    for (std::int64_t r = count; r % job_.kernel.rows != 0; ++r)
      std::copy_n(rows + (r - 1) * stride, stride, rows + r * stride);
  }

  static std::uint8_t any_flag(const std::uint8_t* flags, std::int64_t count) {
    std::uint8_t any = 0;
    for (std::int64_t i = 0; i < count; ++i) any = static_cast<std::uint8_t>(any | flags[i]);
    return any;
  }

  Strip make_strip(const Task& task, std::int64_t panel) {
    Strip strip{};
    strip.row = task.row;
    strip.rows = job_.schedule.strip_rows(task, panel);
    strip.panel = panel;
    strip.col = panel * job_.kernel.cols;
    strip.cols = job_.columns.count(panel);
    const bool mirrored = job_.triangle && job_.sink.mirrors();
    strip.mirrored_rows = mirrored ? std::clamp<std::int64_t>(strip.col - strip.row, 0, strip.rows) : 0;
    if (job_.columns.packed()) {
      strip.columns = job_.columns.elements(panel);
      strip.column_flags = job_.columns.flags(panel);
    } else {
      job_.columns.pack_into(panel, packing_, layout_.packing_stride, columns_, column_flags_);
      strip.columns = columns_;
      strip.column_flags = column_flags_;
    }
    return strip;
  }

  void run_strip(const Task& task, std::int64_t panel) {
    const Strip strip = make_strip(task, panel);
    const bool stored = compute(strip, store_.way_of(strip));
    store_.end_strip(strip, tile_, stored);
    std::swap(tile_, other_tile_);
  }

  /// Fills tile_, storing what is pending a few rows after each row panel. False: the strip has not been
  /// stored, or not with all of its results.
  bool compute(const Strip& strip, const Direct<T>& direct) {
    store_.spread_over(row_panels(strip.rows));
    const Range all{0, strip.rows};
    return layout_.by_products ? compute_by_products(strip, direct)
                               : compute_by_differences(strip, all, tile_, direct);
  }

  std::int64_t row_panels(std::int64_t rows) const {
    return (rows + job_.kernel.rows - 1) / job_.kernel.rows;
  }

  /// Fills these rows of tile. `wanted`: only the results that are NaN there matter; null: all do. Where all
  /// results of the strip before were scaled ones, these are tried first: that costs or saves time but
  /// changes no result.
  bool compute_by_differences(const Strip& strip, Range range, T* tile, const Direct<T>& direct,
                              const T* wanted = nullptr) {
    const Scaling first = std::exchange(scaled_before_, Scaling::kNone);
    if (first != Scaling::kNone) {
      compute_scaled(strip, range, tile, direct, first);
      if (surely_scaled(strip, range, tile, first, wanted)) {
        scaled_before_ = first;
        return direct.stores();
      }
      store_.leave_behind();
    }
    const Kernel<T>& kernel = job_.kernel;
    const auto fill =
        kernel.is_narrow(strip.cols) ? kernel.fill_narrow : kernel.fill[static_cast<int>(Scaling::kNone)];
    fill(make_storing_call(plain(strip), strip, range, tile, direct));
    const Doubts doubts = inspect(strip, range, tile);
    if (!doubts.too_small && !doubts.too_large) return direct.stores();
    if (doubts.too_small) redo(strip, range, tile, Scaling::kUp);
    if (doubts.too_large) redo(strip, range, tile, Scaling::kDown);
    const Scaling last = doubts.too_large ? Scaling::kDown : Scaling::kUp;
    if (surely_scaled(strip, range, tile, last, wanted)) scaled_before_ = last;
    return false;
  }

  /// The operands of a strip with the means left in. Packed once a band, and once a strip, if there are
  /// others.
  Operands plain(const Strip& strip) {
    if (!layout_.by_products) return {rows_, strip.columns};
    if (plain_band_row_ != strip.row) {
      plain_band_row_ = strip.row;
      plain_panel_ = -1;
      const std::int64_t rows = std::min(layout_.band_rows, job_.x.rows - strip.row);
      pack_rows<T>(job_.x, strip.row, rows, plain_rows_, layout_.row_stride);
      pad_band(rows, plain_rows_);
    }
    if (plain_panel_ != strip.panel) {
      plain_panel_ = strip.panel;
      // column_flags_ may be the strip's own: the flags are those of the rows as they are, both times.
      job_.columns.pack_plain_into(strip.panel, packing_, layout_.packing_stride, plain_columns_,
                                   column_flags_);
    }
    return {plain_rows_, plain_columns_};
  }

  /// Fills tile_ by products where pairs are not near, else by differences. Which of these comes first costs
  /// time but changes no result: where all pairs of the strip before were near, differences may be all that
  /// is needed.
  bool compute_by_products(const Strip& strip, Direct<T> direct) {
    const Range all{0, strip.rows};
    const bool differences_first = near_before_;
    if (differences_first) {
      const bool kept = compute_by_differences(strip, all, spare_, direct);
      if (surely_near(strip)) {
        std::swap(tile_, spare_);
        return kept;
      }
      direct = {};
      store_.leave_behind();
    }
    TileCall<T> call = make_storing_call({rows_, strip.columns}, strip, all, tile_, direct);
    call.row_sums = job_.row_sums.from(strip.row);
    call.column_sums = job_.column_sums.from(strip.col);
    call.near = near_;
    const ProductForm<T>& products = job_.kernel.by_products;
    (job_.kernel.is_narrow(strip.cols) ? products.fill_narrow : products.fill)(call);
    const std::int64_t panels = row_panels(strip.rows);
    const std::int64_t near = std::count_if(near_, near_ + panels, [](std::uint8_t any) { return any != 0; });
    if (near > 0) store_.leave_behind();
    near_before_ = near == panels && products.finish != nullptr;
    for (Range run = next_near(strip, 0); run.count > 0; run = next_near(strip, run.first + run.count)) {
      if (!differences_first) compute_by_differences(strip, run, spare_, {}, tile_);
      near_before_ = take_near(strip, run) && near_before_;
    }
    return near == 0 && direct.stores();
  }

  /// The next rows, from this one on, whose panels have near pairs.
  Range next_near(const Strip& strip, std::int64_t row) const {
    const std::int64_t step = job_.kernel.rows;
    while (row < strip.rows && near_[row / step] == 0) row += step;
    std::int64_t end = row;
    while (end < strip.rows && near_[end / step] != 0) end += step;
    return {row, std::min(end, strip.rows) - row};
  }

  /// Fills in the results that the products left out. Did they leave out all of these rows?
  bool take_near(const Strip& strip, Range range) {
    bool all = true;
    for (std::int64_t r = range.first; r < range.first + range.count; ++r) {
      T* results = tile_ + r * job_.kernel.cols;
      const T* differences = spare_ + r * job_.kernel.cols;
      for (std::int64_t c = 0; c < strip.cols; ++c) {
        const bool near = results[c] != results[c];
        results[c] = near ? differences[c] : results[c];
        all &= near;
      }
    }
    return all;
  }

  /// Whether by the differences in spare_ the products would find every pair of the strip near: with a margin
  /// far above both their errors. Rows whose square is NaN are near to all.
  bool surely_near(const Strip& strip) const {
    constexpr double kMargin = 1 - 0x1p-10;
    const ProductForm<T>& products = job_.kernel.by_products;
    const double both = least(job_.row_sums.square + strip.row, strip.rows) +
                        least(job_.column_sums.square + strip.col, strip.cols);
    if (!(both <= std::numeric_limits<double>::max())) return true;
    const T limit = products.finish(static_cast<T>(both * products.near * kMargin), job_.parameters);
    const Doubts far =
        job_.movers.template inspect<T>({spare_, job_.kernel.cols, strip.rows, strip.cols}, T{0}, limit);
    return !far.too_large;
  }

  /// Of those that are numbers; Inf if none is.
  static double least(const double* values, std::int64_t count) {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t i = 0; i < count; ++i) least = values[i] < least ? values[i] : least;
    return least;
  }

  /// Looks at the results of flagged rows; those of all others are right.
  Doubts inspect(const Strip& strip, Range range, const T* tile) const {
    const auto flags = static_cast<std::uint8_t>(rows_flag_ | any_flag(strip.column_flags, strip.cols));
    if ((flags & (kFine | kLarge)) == 0) return {};
    if (job_.kernel.highest < 0) return {.too_large = true};  // no result shows it
    const T lowest = (flags & kFine) != 0 ? job_.kernel.lowest : T{0};
    const std::int64_t cols = job_.kernel.cols;
    return job_.movers.template inspect<T>({tile + range.first * cols, cols, range.count, strip.cols}, lowest,
                                           job_.kernel.highest);
  }

  /// A call that stores meanwhile.
  TileCall<T> make_storing_call(Operands operands, const Strip& strip, Range range, T* tile,
                                const Direct<T>& direct) {
    if (direct.behind) store_.begin_behind(strip, tile);
    TileCall<T> call = make_call(operands, range, tile + range.first * job_.kernel.cols);
    call.direct = direct.place;
    call.direct_stride = direct.stride;
    call.direct_streams = job_.streaming;
    call.between = [](void* store, std::int64_t rows) {
      static_cast<StripStore<T, Out>*>(store)->between(rows);
    };
    call.context = &store_;
    return call;
  }

  TileCall<T> make_call(Operands operands, Range range, T* out) {
    TileCall<T> call{};
    call.rows = operands.rows + range.first * layout_.row_stride;
    call.row_stride = layout_.row_stride;
    call.columns = operands.columns;
    call.row_panels = row_panels(range.count);
    call.features = job_.x.cols;
    call.weights = job_.weights;
    call.weight_exponent = job_.weight_exponent;
    call.parameters = job_.parameters;
    call.feature_parameters = job_.feature_parameters;
    call.out = out;
    call.out_stride = job_.kernel.cols;
    call.totals = totals_;
    return call;
  }

  Distrust distrust(Scaling scaling) const {
    const Kernel<T>& kernel = job_.kernel;
    if (scaling == Scaling::kUp) return {kFine, kernel.lowest, T{0}};
    return {kernel.highest < 0 ? kFine | kLarge : kLarge, kernel.highest, std::numeric_limits<T>::infinity()};
  }

  /// Replaces the results that over- or underflowed. Computes all of these rows once more: in data that need
  /// it nearly all pairs do.
  void redo(const Strip& strip, Range range, T* tile, Scaling scaling) {
    TileCall<T> call = make_call(plain(strip), range, redo_);
    mend(strip, range, tile, scaling, &call);
  }

  /// Fills these rows of tile with scaled results.
  void compute_scaled(const Strip& strip, Range range, T* tile, const Direct<T>& direct, Scaling scaling) {
    // No plain results: such as never are trusted.
    const T plain_result = scaling == Scaling::kUp ? T{-1} : std::numeric_limits<T>::quiet_NaN();
    const std::int64_t cols = job_.kernel.cols;
    std::fill_n(tile + range.first * cols, row_panels(range.count) * job_.kernel.rows * cols, plain_result);
    TileCall<T> call = make_storing_call(plain(strip), strip, range, tile, {.behind = direct.stores()});
    call.out = redo_;
    mend(strip, range, tile, scaling, &call);
  }

  void mend(const Strip& strip, Range range, T* tile, Scaling scaling, TileCall<T>* call) {
    const Distrust by = distrust(scaling);
    const auto bound = [&](std::uint8_t flag) { return (flag & by.flags) != 0 ? by.bound : by.any; };
    std::fill_n(row_trust_, call->row_panels * job_.kernel.rows, by.any);
    std::fill_n(column_trust_, job_.kernel.cols, by.any);
    const std::uint8_t* flags = row_flags_ + range.first;
    std::transform(flags, flags + range.count, row_trust_, bound);
    std::transform(strip.column_flags, strip.column_flags + strip.cols, column_trust_, bound);
    call->mend = tile + range.first * job_.kernel.cols;
    call->row_trust = row_trust_;
    call->column_trust = column_trust_;
    job_.kernel.fill[static_cast<int>(scaling)](*call);
  }

  /// Whether by the results in tile, scaled where that was needed, no plain one would have been trusted: with
  /// a margin far above the errors of both.
  bool surely_scaled(const Strip& strip, Range range, const T* tile, Scaling scaling, const T* wanted) const {
    constexpr T kMargin = static_cast<T>(0x1p-10);
    const Distrust by = distrust(scaling);
    const bool up = scaling == Scaling::kUp;
    const T lowest = up || by.bound < 0 ? -std::numeric_limits<T>::infinity() : by.bound * (1 + kMargin);
    const T highest = up ? by.bound * (1 - kMargin) : std::numeric_limits<T>::infinity();
    const std::int64_t cols = job_.kernel.cols;
    const std::uint8_t* flags = row_flags_ + range.first;
    if (wanted == nullptr) {
      const auto flagged = [&](std::uint8_t flag) { return (flag & by.flags) != 0; };
      if (!std::all_of(flags, flags + range.count, flagged) &&
          !std::all_of(strip.column_flags, strip.column_flags + strip.cols, flagged))
        return false;
      const Doubts trusted = job_.movers.template inspect<T>(
          {tile + range.first * cols, cols, range.count, strip.cols}, lowest, highest);
      return !trusted.too_small && !trusted.too_large;
    }
    for (std::int64_t r = 0; r < range.count; ++r) {
      for (std::int64_t c = 0; c < strip.cols; ++c) {
        const std::int64_t i = (range.first + r) * cols + c;
        if (wanted[i] == wanted[i]) continue;
        if (((flags[r] | strip.column_flags[c]) & by.flags) == 0) return false;
        if (tile[i] < lowest || tile[i] > highest) return false;
      }
    }
    return true;
  }

  const TileJob<T>& job_;
  std::byte* base_;  ///< the worker's scratch, laid out as layout says
  const TileLayout& layout_ = job_.layout;
  T* rows_ = room<T>(layout_.rows);
  T* columns_ = room<T>(layout_.columns);
  T* packing_ = room<T>(layout_.packing);
  T* tile_ = room<T>(layout_.tiles[0]);
  T* other_tile_ = room<T>(layout_.tiles[1]);
  T* redo_ = room<T>(layout_.redo);
  T* spare_ = room<T>(layout_.spare);
  T* plain_rows_ = room<T>(layout_.plain_rows);
  T* plain_columns_ = room<T>(layout_.plain_columns);
  std::byte* totals_ = room<std::byte>(layout_.totals);
  std::uint8_t* near_ = room<std::uint8_t>(layout_.near);
  std::uint8_t* row_flags_ = room<std::uint8_t>(layout_.row_flags);
  std::uint8_t* column_flags_ = room<std::uint8_t>(layout_.column_flags);
  T* row_trust_ = room<T>(layout_.row_trust);
  T* column_trust_ = room<T>(layout_.column_trust);
  StripStore<T, Out> store_{job_, room<T>(layout_.mirror)};
  std::int64_t plain_band_row_ = -1;
  std::int64_t plain_panel_ = -1;  ///< in plain_columns_
  std::int64_t band_row_ = -1;
  std::uint8_t rows_flag_ = 0;
  bool near_before_ = false;                ///< no result of the strip before came from products
  Scaling scaled_before_ = Scaling::kNone;  ///< all results of the rows before were scaled so
};

}  // namespace quadrance::internal
