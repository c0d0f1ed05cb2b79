// SPDX-License-Identifier: Apache-2.0
// One thread's part of a job: packs rows, fills strips, and carries them to the sink.
//
// A strip is a band of rows against one column panel. While a strip is computed, its finished rows are stored
// and the mirror of the one before it, a few rows at a time: non-temporal stores drain at the speed of
// memory, and the arithmetic goes on meanwhile. Stored in one burst they would stall the core for half as
// long again as the arithmetic takes (n = 10,000, d = 40).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "backends/backend.h"
#include "input/pack.h"
#include "plan/schedule.h"
#include "plan/tile_layout.h"
#include "sinks/sink.h"
#include "tiles/columns.h"
#include "tiles/row_sums.h"
#include "tiles/scratch.h"

namespace quadrance::internal {

/// What all workers of a job share. T is the compute dtype.
template <class T>
struct TileJob {
  const MatrixView& x;
  const Columns<T>& columns;
  const Kernel<T>& kernel;
  const Movers& movers;
  const Schedule& schedule;
  const TileLayout& layout;
  const Sink& sink;
  const T* weights;  ///< of the features, for weighted kernels
  int weight_exponent;
  RowSums row_sums;             ///< of x, if layout.by_products; then packed rows are without their means
  RowSums column_sums;          ///< of y
  const T* parameters;          ///< of the kernels
  const T* feature_parameters;  ///< [k, features]
  bool triangle;                ///< only strips on and above the diagonal are computed
  bool streaming;               ///< stores go past the caches
};

template <class T, class Out>
class Worker {
 public:
  Worker(const TileJob<T>& job, Scratch* scratch) : job_(job) { carve(scratch); }

  void run(const Task& task) {
    if (task.row != band_row_) pack_band(task);
    for (std::int64_t panel = task.first_panel; panel < task.end_panel; ++panel) run_strip(task, panel);
  }

  /// Stores what is still pending. To be called once after the last task.
  void finish() {
    store_pending(kAll);
    job_.movers.fence();
  }

 private:
  static constexpr std::int64_t kLineBytes = 64;

  struct Strip {
    std::int64_t row, rows, col, cols;
    std::int64_t mirrored_rows;  ///< rows above the diagonal block, stored transposed as well
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
  /// How a strip's rows get to their place while a kernel fills the strip.
  struct Direct {
    T* place = nullptr;   ///< the kernel stores them there, beside the tile
    bool behind = false;  ///< from the tile, a row panel behind the kernel: from L1

    bool stores() const { return place != nullptr || behind; }
  };
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

  void carve(Scratch* scratch) {
    const TileLayout& layout = job_.layout;
    std::byte* base = scratch->reserve(static_cast<std::size_t>(layout.scratch_bytes));
    rows_ = reinterpret_cast<T*>(base + layout.rows);
    columns_ = reinterpret_cast<T*>(base + layout.columns);
    packing_ = reinterpret_cast<T*>(base + layout.packing);
    tile_ = reinterpret_cast<T*>(base + layout.tiles[0]);
    other_tile_ = reinterpret_cast<T*>(base + layout.tiles[1]);
    mirror_ = reinterpret_cast<T*>(base + layout.mirror);
    redo_ = reinterpret_cast<T*>(base + layout.redo);
    totals_ = base + layout.totals;
    row_flags_ = reinterpret_cast<std::uint8_t*>(base + layout.row_flags);
    column_flags_ = reinterpret_cast<std::uint8_t*>(base + layout.column_flags);
    row_trust_ = reinterpret_cast<T*>(base + layout.row_trust);
    column_trust_ = reinterpret_cast<T*>(base + layout.column_trust);
    spare_ = reinterpret_cast<T*>(base + layout.spare);
    near_ = reinterpret_cast<std::uint8_t*>(base + layout.near);
    plain_rows_ = reinterpret_cast<T*>(base + layout.plain_rows);
    plain_columns_ = reinterpret_cast<T*>(base + layout.plain_columns);
  }

  void pack_band(const Task& task) {
    band_row_ = task.row;
    const std::int64_t stride = job_.layout.row_stride;
    pack_rows<T>(job_.x, task.row, task.rows, rows_, stride);
    std::fill_n(row_flags_, task.rows, std::uint8_t{kPlain});
    job_.movers.template flag<T>({rows_, stride, task.rows, job_.x.cols}, job_.kernel.row_limits, row_flags_);
    rows_flag_ = any_flag(row_flags_, task.rows);
    if (job_.layout.by_products)
      take_off_means(job_.row_sums.mean + task.row, task.rows, job_.x.cols, rows_, stride);
    pad_band(task.rows, rows_);
  }

  /// Fills the last row panel with any numbers that cost no time.
  void pad_band(std::int64_t count, T* rows) const {
    const std::int64_t stride = job_.layout.row_stride;
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
      job_.columns.pack_into(panel, packing_, job_.layout.packing_stride, columns_, column_flags_);
      strip.columns = columns_;
      strip.column_flags = column_flags_;
    }
    return strip;
  }

  void run_strip(const Task& task, std::int64_t panel) {
    const Strip strip = make_strip(task, panel);
    const bool stored = compute(strip, direct_way(strip));
    if (stored) {
      store_pending(kAll);
    } else {
      // What has been stored of it goes first, then the whole strip again.
      leave_behind();
      store_pending(kAll);
      job_.movers.fence();
      begin_store(strip);
    }
    first_behind_ = nullptr;
    if (strip.mirrored_rows != 0) begin_mirror(strip);
    std::swap(tile_, other_tile_);
  }

  /// Can whole vectors be stored at these places? If they are streamed, all rows must begin at whole lines.
  bool reachable(const RowPlaces& places) const {
    if (!std::is_same_v<T, Out> || !job_.sink.mirrors()) return false;
    return !job_.streaming || (reinterpret_cast<std::uintptr_t>(places.first) % kLineBytes == 0 &&
                               places.stride % kLineBytes == 0);
  }

  Direct direct_way(const Strip& strip) {
    if (touches_diagonal(strip) && !job_.sink.mirrors()) return {};
    const RowPlaces places = job_.sink.places(strip.row, strip.col);
    const bool full = strip.cols == job_.kernel.cols && strip.rows % job_.kernel.rows == 0;
    const bool whole_lines = job_.kernel.cols * static_cast<std::int64_t>(sizeof(T)) % kLineBytes == 0;
    if (!full || !reachable(places) || (job_.streaming && !whole_lines)) return {.behind = true};
    direct_stride_ = stride_of(places);
    return {.place = reinterpret_cast<T*>(places.first)};
  }

  static bool touches_diagonal(const Strip& strip) { return strip.col < strip.row + strip.rows; }

  static std::int64_t stride_of(const RowPlaces& places) {
    return places.stride / static_cast<std::int64_t>(sizeof(T));
  }

  /// Fills tile_, storing what is pending a few rows after each row panel. False: the strip has not been
  /// stored, or not with all of its results.
  bool compute(const Strip& strip, const Direct& direct) {
    rows_between_ = (pending_rows() + row_panels(strip.rows) - 1) / row_panels(strip.rows);
    const Range all{0, strip.rows};
    return job_.layout.by_products ? compute_by_products(strip, direct)
                                   : compute_by_differences(strip, all, tile_, direct);
  }

  std::int64_t row_panels(std::int64_t rows) const {
    return (rows + job_.kernel.rows - 1) / job_.kernel.rows;
  }

  /// Fills these rows of tile.
  bool compute_by_differences(const Strip& strip, Range range, T* tile, const Direct& direct) {
    const Kernel<T>& kernel = job_.kernel;
    const auto fill =
        kernel.is_narrow(strip.cols) ? kernel.fill_narrow : kernel.fill[static_cast<int>(Scaling::kNone)];
    fill(make_storing_call(plain(strip), strip, range, tile, direct));
    const Doubts doubts = inspect(strip, range, tile);
    if (!doubts.too_small && !doubts.too_large) return direct.stores();
    redo(strip, range, doubts, tile);
    return false;
  }

  /// The operands of a strip with the means left in. Packed once a band, and once a strip, if there are
  /// others.
  Operands plain(const Strip& strip) {
    const TileLayout& layout = job_.layout;
    if (!layout.by_products) return {rows_, strip.columns};
    if (plain_band_row_ != strip.row) {
      plain_band_row_ = strip.row;
      plain_panel_ = -1;
      const std::int64_t rows = std::min(layout.band_rows, job_.x.rows - strip.row);
      pack_rows<T>(job_.x, strip.row, rows, plain_rows_, layout.row_stride);
      pad_band(rows, plain_rows_);
    }
    if (plain_panel_ != strip.panel) {
      plain_panel_ = strip.panel;
      // column_flags_ may be the strip's own: the flags are those of the rows as they are, both times.
      job_.columns.pack_plain_into(strip.panel, packing_, layout.packing_stride, plain_columns_,
                                   column_flags_);
    }
    return {plain_rows_, plain_columns_};
  }

  /// Fills tile_ by products where pairs are not near, else by differences. Which of these comes first costs
  /// time but changes no result: where all pairs of the strip before were near, differences may be all that
  /// is needed.
  bool compute_by_products(const Strip& strip, Direct direct) {
    const Range all{0, strip.rows};
    const bool differences_first = near_before_;
    if (differences_first) {
      const bool kept = compute_by_differences(strip, all, spare_, direct);
      if (surely_near(strip)) {
        std::swap(tile_, spare_);
        return kept;
      }
      direct = {};
      leave_behind();
    }
    TileCall<T> call = make_storing_call({rows_, strip.columns}, strip, all, tile_, direct);
    call.row_sums = job_.row_sums.from(strip.row);
    call.column_sums = job_.column_sums.from(strip.col);
    call.near = near_;
    const ProductForm<T>& products = job_.kernel.by_products;
    (job_.kernel.is_narrow(strip.cols) ? products.fill_narrow : products.fill)(call);
    const std::int64_t panels = row_panels(strip.rows);
    const std::int64_t near = std::count_if(near_, near_ + panels, [](std::uint8_t any) { return any != 0; });
    if (near > 0) leave_behind();
    near_before_ = near == panels && products.finish != nullptr;
    for (Range run = next_near(strip, 0); run.count > 0; run = next_near(strip, run.first + run.count)) {
      if (!differences_first) compute_by_differences(strip, run, spare_, {});
      take_near(run);
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

  /// Results that the products left out.
  void take_near(Range range) {
    const std::int64_t cols = job_.kernel.cols;
    for (std::int64_t i = range.first * cols; i < (range.first + range.count) * cols; ++i)
      tile_[i] = tile_[i] == tile_[i] ? tile_[i] : spare_[i];
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
                                const Direct& direct) {
    if (direct.behind) begin_behind(strip, tile);
    TileCall<T> call = make_call(operands, range, tile + range.first * job_.kernel.cols);
    call.direct = direct.place;
    call.direct_stride = direct_stride_;
    call.direct_streams = job_.streaming;
    call.between = [](void* self, std::int64_t rows) {
      auto* worker = static_cast<Worker*>(self);
      worker->store_behind(rows);
      worker->store_pending(worker->rows_between_);
    };
    call.context = this;
    return call;
  }

  TileCall<T> make_call(Operands operands, Range range, T* out) {
    TileCall<T> call{};
    call.rows = operands.rows + range.first * job_.layout.row_stride;
    call.row_stride = job_.layout.row_stride;
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

  /// Replaces the results that over- or underflowed.
  void redo(const Strip& strip, Range range, const Doubts& doubts, T* tile) {
    const Kernel<T>& kernel = job_.kernel;
    if (doubts.too_small) {
      redo_scaled(strip, range, tile, Scaling::kUp, T{0},
                  [&](std::uint8_t flag) { return (flag & kFine) != 0 ? kernel.lowest : T{0}; });
    }
    if (doubts.too_large) {
      constexpr T kInfinity = std::numeric_limits<T>::infinity();
      const int doubtful = kernel.highest < 0 ? kFine | kLarge : kLarge;
      redo_scaled(strip, range, tile, Scaling::kDown, kInfinity,
                  [&](std::uint8_t flag) { return (flag & doubtful) != 0 ? kernel.highest : kInfinity; });
    }
  }

  /// Computes all of these rows once more, scaled: in data that need it nearly all pairs do. `trust` turns a
  /// row's flag into the bound its results are trusted up (down) to, `trusted` is that of padding.
  template <class Trust>
  void redo_scaled(const Strip& strip, Range range, T* tile, Scaling scaling, T trusted, const Trust& trust) {
    TileCall<T> call = make_call(plain(strip), range, redo_);
    std::fill_n(row_trust_, call.row_panels * job_.kernel.rows, trusted);
    std::fill_n(column_trust_, job_.kernel.cols, trusted);
    const std::uint8_t* flags = row_flags_ + range.first;
    std::transform(flags, flags + range.count, row_trust_, trust);
    std::transform(strip.column_flags, strip.column_flags + strip.cols, column_trust_, trust);
    call.mend = tile + range.first * job_.kernel.cols;
    call.row_trust = row_trust_;
    call.column_trust = column_trust_;
    job_.kernel.fill[static_cast<int>(scaling)](call);
  }

  /// Makes the rows of tile_ those to be stored next.
  void begin_store(const Strip& strip) {
    if (touches_diagonal(strip) && !job_.sink.mirrors()) return store_upper_rows(strip);
    begin_rows(strip, tile_);
  }

  void begin_rows(const Strip& strip, const T* tile) {
    direct_ = {tile, job_.kernel.cols, strip.rows, strip.cols};
    direct_places_ = job_.sink.places(strip.row, strip.col);
  }

  /// The same for rows of a tile that are about to be computed.
  void begin_behind(const Strip& strip, const T* tile) {
    if (!is_behind()) store_some(kAll, &direct_, &direct_places_);
    begin_rows(strip, tile);
    first_behind_ = tile;
  }

  /// Whether direct_ is of the strip that is being computed.
  bool is_behind() const { return first_behind_ != nullptr; }

  /// The strip will have to be stored again.
  void leave_behind() {
    if (is_behind()) direct_ = {};
    first_behind_ = nullptr;
  }

  void begin_mirror(const Strip& strip) {
    mirrored_ = {tile_, job_.kernel.cols, strip.mirrored_rows, strip.cols};
    mirrored_places_ = job_.sink.places(strip.col, strip.row);
    // Transposing rounds sizes up, which only scratch has room for.
    const bool exact = mirrored_.rows % kTransposeRows == 0 && mirrored_.cols % kTransposeColumns == 0;
    mirror_in_place_ = exact && reachable(mirrored_places_);
  }

  /// The rows of a condensed strip that touches the diagonal begin behind it.
  void store_upper_rows(const Strip& strip) {
    for (std::int64_t r = 0; r < strip.rows; ++r) {
      const std::int64_t first = std::max<std::int64_t>(0, strip.row + r + 1 - strip.col);
      if (first >= strip.cols) continue;
      const Block<T> row{tile_ + r * job_.kernel.cols + first, job_.kernel.cols, 1, strip.cols - first};
      job_.movers.template copy<T, Out>(row, job_.sink.places(strip.row + r, strip.col + first),
                                        job_.streaming);
    }
  }

  std::int64_t pending_rows() const { return direct_.rows + mirrored_.cols; }

  void store_pending(std::int64_t rows) {
    if (!is_behind() || rows == kAll) rows = store_some(rows, &direct_, &direct_places_);
    for (std::int64_t left = std::min(rows, mirrored_.cols); left > 0;) left -= store_columns(left);
  }

  /// Those of the first `finished` rows that are not stored yet, if the strip is stored behind the kernel.
  void store_behind(std::int64_t finished) {
    if (!is_behind() || direct_.rows == 0) return;
    const std::int64_t stored = (direct_.data - first_behind_) / direct_.stride;
    if (finished > stored) store_some(finished - stored, &direct_, &direct_places_);
  }

  /// Some columns of the tile become rows of the output, as many as asked for or a few more or less. Returns
  /// how many.
  std::int64_t store_columns(std::int64_t columns) {
    const std::int64_t most = mirror_in_place_ ? mirrored_.cols : kMirrorColumns;
    const std::int64_t now = std::min({round_up(columns, kTransposeColumns), mirrored_.cols, most});
    const Block<T> block{mirrored_.data, mirrored_.stride, mirrored_.rows, now};
    if (mirror_in_place_) {
      job_.movers.template transpose<T>(block, reinterpret_cast<T*>(mirrored_places_.first),
                                        stride_of(mirrored_places_), job_.streaming);
    } else {
      const std::int64_t stride = job_.layout.mirror_stride;
      job_.movers.template transpose<T>(block, mirror_, stride, false);
      job_.movers.template copy<T, Out>({mirror_, stride, now, mirrored_.rows}, mirrored_places_,
                                        job_.streaming);
    }
    mirrored_.data += now;
    mirrored_.cols -= now;
    mirrored_places_ = mirrored_places_.from(now);
    return now;
  }

  std::int64_t store_some(std::int64_t rows, Block<T>* block, RowPlaces* places) {
    const std::int64_t now = std::min(rows, block->rows);
    if (now == 0) return rows;
    job_.movers.template copy<T, Out>({block->data, block->stride, now, block->cols}, *places,
                                      job_.streaming);
    block->data += now * block->stride;
    block->rows -= now;
    *places = places->from(now);
    return rows - now;
  }

  const TileJob<T>& job_;
  T* rows_ = nullptr;
  T* columns_ = nullptr;
  T* packing_ = nullptr;
  T* tile_ = nullptr;
  T* other_tile_ = nullptr;
  T* mirror_ = nullptr;
  T* redo_ = nullptr;
  T* spare_ = nullptr;
  T* plain_rows_ = nullptr;
  T* plain_columns_ = nullptr;
  std::int64_t plain_band_row_ = -1;
  std::int64_t plain_panel_ = -1;  ///< in plain_columns_
  std::uint8_t* near_ = nullptr;
  std::byte* totals_ = nullptr;
  std::uint8_t* row_flags_ = nullptr;
  std::uint8_t* column_flags_ = nullptr;
  T* row_trust_ = nullptr;
  T* column_trust_ = nullptr;
  std::int64_t band_row_ = -1;
  std::int64_t rows_between_ = 0;
  std::int64_t direct_stride_ = 0;
  std::uint8_t rows_flag_ = 0;
  bool near_before_ = false;  ///< all row panels of the strip before had near pairs
  Block<T> direct_{};         ///< rows to be stored
  RowPlaces direct_places_;
  const T* first_behind_ = nullptr;  ///< of the rows of the strip that is being computed, if direct_ is of it
  Block<T> mirrored_{};              ///< columns to be stored as rows
  RowPlaces mirrored_places_;
  bool mirror_in_place_ = false;  ///< they can be transposed into the output
};

}  // namespace quadrance::internal
