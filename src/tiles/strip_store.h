// SPDX-License-Identifier: Apache-2.0
// How results get from a worker's tiles to their places in the output.
//
// While a strip is computed, its finished rows are stored and the mirror of the one before it, a few rows at
// a time: non-temporal stores drain at the speed of memory, and the arithmetic goes on meanwhile. Stored in
// one burst they would stall the core for half as long again as the arithmetic takes (n = 10,000, d = 40).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tiles/tile_job.h"

namespace quadrance::internal {

/// How a strip's rows get to their places while a kernel fills the strip.
template <class T>
struct Direct {
  T* place = nullptr;       ///< the kernel stores them there, beside the tile
  std::int64_t stride = 0;  ///< elements from a row's place to the next
  bool behind = false;      ///< from the tile, a row panel behind the kernel: from L1

  bool stores() const { return place != nullptr || behind; }
};

/// One worker's. T is the dtype of the tiles, Out that of the output.
template <class T, class Out>
class StripStore {
 public:
  /// `mirror` has room for kMirrorColumns columns of a tile.
  StripStore(const TileJob<T>& job, T* mirror) : job_(job), mirror_(mirror) {}

  /// The best way for a strip whose results come from the kernel as they are.
  Direct<T> way_of(const StripArea& strip) const {
    if (strip.touches_diagonal() && !job_.sink.mirrors()) return {};
    const RowPlaces places = job_.sink.places(strip.row, strip.col);
    const bool full = strip.cols == job_.kernel.cols && strip.rows % job_.kernel.rows == 0;
    const bool whole_lines = job_.kernel.cols * static_cast<std::int64_t>(sizeof(T)) % kLineBytes == 0;
    if (!full || !reachable(places) || (job_.streaming && !whole_lines)) return {.behind = true};
    return {.place = reinterpret_cast<T*>(places.first), .stride = stride_of(places)};
  }

  /// What is pending will be stored in about so many parts, by between().
  void spread_over(std::int64_t parts) {
    const std::int64_t pending = direct_.rows + mirrored_.cols;
    rows_between_ = (pending + parts - 1) / parts;
  }

  /// Rows of this tile are about to be computed, and stored by between().
  void begin_behind(const StripArea& strip, const T* tile) {
    if (!is_behind()) store_rows(kAll);
    begin_rows(strip, tile);
    first_behind_ = tile;
  }

  /// The strip will have to be stored again.
  void leave_behind() {
    if (is_behind()) direct_ = {};
    first_behind_ = nullptr;
  }

  /// To be called after each row panel: the first `finished` rows of the tile are results.
  void between(std::int64_t finished) {
    store_behind(finished);
    store_pending(rows_between_);
  }

  /// A strip's results are all in the tile, and, if `stored`, in their places. The tile must stay as it is
  /// until the next strip is finished.
  void end_strip(const StripArea& strip, const T* tile, bool stored) {
    if (stored) {
      store_pending(kAll);
    } else {
      // What has been stored of it goes first, then the whole strip again.
      leave_behind();
      store_pending(kAll);
      job_.movers.fence();
      begin_store(strip, tile);
    }
    first_behind_ = nullptr;
    if (strip.mirrored_rows != 0) begin_mirror(strip, tile);
  }

  /// Stores what is still pending.
  void finish() {
    store_pending(kAll);
    job_.movers.fence();
  }

 private:
  static constexpr std::int64_t kLineBytes = 64;
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

  /// Can whole vectors be stored at these places? If they are streamed, all rows must begin at whole lines.
  bool reachable(const RowPlaces& places) const {
    if (!std::is_same_v<T, Out> || !job_.sink.mirrors()) return false;
    return !job_.streaming || (reinterpret_cast<std::uintptr_t>(places.first) % kLineBytes == 0 &&
                               places.stride % kLineBytes == 0);
  }

  static std::int64_t stride_of(const RowPlaces& places) {
    return places.stride / static_cast<std::int64_t>(sizeof(T));
  }

  /// Makes the rows of the tile those to be stored next.
  void begin_store(const StripArea& strip, const T* tile) {
    if (strip.touches_diagonal() && !job_.sink.mirrors()) return store_upper_rows(strip, tile);
    begin_rows(strip, tile);
  }

  void begin_rows(const StripArea& strip, const T* tile) {
    direct_ = {tile, job_.kernel.cols, strip.rows, strip.cols};
    direct_places_ = job_.sink.places(strip.row, strip.col);
  }

  /// Whether direct_ is of the strip that is being computed.
  bool is_behind() const { return first_behind_ != nullptr; }

  void begin_mirror(const StripArea& strip, const T* tile) {
    mirrored_ = {tile, job_.kernel.cols, strip.mirrored_rows, strip.cols};
    mirrored_places_ = job_.sink.places(strip.col, strip.row);
    // Transposing rounds sizes up, which only scratch has room for.
    const bool exact = mirrored_.rows % kTransposeRows == 0 && mirrored_.cols % kTransposeColumns == 0;
    mirror_in_place_ = exact && reachable(mirrored_places_);
  }

  /// The rows of a condensed strip that touches the diagonal begin behind it.
  void store_upper_rows(const StripArea& strip, const T* tile) {
    for (std::int64_t r = 0; r < strip.rows; ++r) {
      const std::int64_t first = std::max<std::int64_t>(0, strip.row + r + 1 - strip.col);
      if (first >= strip.cols) continue;
      const Block<T> row{tile + r * job_.kernel.cols + first, job_.kernel.cols, 1, strip.cols - first};
      job_.movers.template copy<T, Out>(row, job_.sink.places(strip.row + r, strip.col + first),
                                        job_.streaming);
    }
  }

  void store_pending(std::int64_t rows) {
    if (!is_behind() || rows == kAll) rows = store_rows(rows);
    for (std::int64_t left = std::min(rows, mirrored_.cols); left > 0;) left -= store_columns(left);
  }

  /// Those of the first `finished` rows that are not stored yet, if the strip is stored behind the kernel.
  void store_behind(std::int64_t finished) {
    if (!is_behind() || direct_.rows == 0) return;
    const std::int64_t stored = (direct_.data - first_behind_) / direct_.stride;
    if (finished > stored) store_rows(finished - stored);
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

  /// As many of the rows as there are. Returns how many of those asked for are left.
  std::int64_t store_rows(std::int64_t rows) {
    const std::int64_t now = std::min(rows, direct_.rows);
    if (now == 0) return rows;
    job_.movers.template copy<T, Out>({direct_.data, direct_.stride, now, direct_.cols}, direct_places_,
                                      job_.streaming);
    direct_.data += now * direct_.stride;
    direct_.rows -= now;
    direct_places_ = direct_places_.from(now);
    return rows - now;
  }

  const TileJob<T>& job_;
  T* mirror_;
  std::int64_t rows_between_ = 0;
  Block<T> direct_{};  ///< rows to be stored
  RowPlaces direct_places_;
  const T* first_behind_ = nullptr;  ///< of the rows of the strip that is being computed, if direct_ is of it
  Block<T> mirrored_{};              ///< columns to be stored as rows
  RowPlaces mirrored_places_;
  bool mirror_in_place_ = false;  ///< they can be transposed into the output
};

}  // namespace quadrance::internal
