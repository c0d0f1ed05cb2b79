// SPDX-License-Identifier: Apache-2.0
// How large tiles are, and what a worker needs for one. Pure arithmetic, shared by the plan (which promises
// the memory) and the workers (which use it).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "backends/backend.h"

namespace quadrance::internal {

/// Rows of a band, about, where d allows it: a strip and its transpose stay in L2 with the operands, and the
/// lines at the ends of mirrored rows, shared by two bands, are few (against 96: 1.1 times faster at n =
/// 9,999).
inline constexpr std::int64_t kBandRows = 160;
/// Packed rows of one band take at most this many bytes unless one panel is larger.
inline constexpr std::int64_t kBandBytes = std::int64_t{8} << 20;
/// Scratch of all workers beside the packed copies of the rows: "2 x input + 64 MiB" in docs/numerics.md.
inline constexpr std::int64_t kWorkersBytes = std::int64_t{64} << 20;
/// Column panels up to this size may be packed by each worker on its own.
inline constexpr std::int64_t kOwnPanelBytes = std::int64_t{1} << 20;
/// Rows are transposed in groups of at most this many: a 64-byte line of float32.
inline constexpr std::int64_t kTransposeRows = 16;
/// Columns are transposed in groups of at most this many.
inline constexpr std::int64_t kTransposeColumns = 4;
/// Columns of a tile that become rows in scratch first, where the places of these begin inside lines: as many
/// as stay in L1 with the lines they come from.
inline constexpr std::int64_t kMirrorColumns = 8;
/// Rows are flagged in groups of at most this many elements.
inline constexpr std::int64_t kFlagElements = 16;

constexpr std::int64_t round_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

/// Elements from a packed row to the next: as many as the movers read, and never a multiple of 2 KiB, at
/// which rows read side by side would share the same few places of L1.
template <class T>
constexpr std::int64_t packed_row_stride(std::int64_t features) {
  const std::int64_t stride = round_up(features, kFlagElements);
  return stride * static_cast<std::int64_t>(sizeof(T)) % 2048 == 0 ? stride + kFlagElements : stride;
}

/// Column panels of at most this many bytes are packed twice where they are computed by products, then by
/// differences. Longer rows (13,107 features with AVX-512, 65,536 float32 with AVX2) are computed by
/// differences alone.
inline constexpr std::int64_t kMostTwicePackedBytes = std::int64_t{4} << 20;
inline constexpr std::int64_t kRowSumBytes = 8;
/// Numbers of RowSums of n rows: kernels read whole panels of either side.
template <class T>
constexpr std::int64_t row_sums_stride(const Kernel<T>& kernel, std::int64_t n) {
  return n + std::max(kernel.rows, kernel.cols);
}
template <class T>
constexpr std::int64_t row_sums_size(const Kernel<T>& kernel, std::int64_t n) {
  return 3 * row_sums_stride(kernel, n);
}

struct TileLayout {
  std::int64_t band_rows;       ///< rows of a band
  bool by_products;             ///< of pairs that are not near, from rows without their means
  bool packed_columns;          ///< the column operand is packed once, for all workers
  std::int64_t row_stride;      ///< elements from a packed row to the next
  std::int64_t packing_stride;  ///< the same of the rows that are transposed into a panel, block by block
  std::int64_t mirror_stride;   ///< elements from a row of the transposed columns to the next
  // Offsets in a worker's scratch, in bytes.
  std::int64_t rows, columns, packing, tiles[2], mirror, redo, totals, row_flags, column_flags, row_trust,
      column_trust, spare, near, plain_rows, plain_columns;
  std::int64_t scratch_bytes;
  std::int64_t packed_bytes;

  /// Of many workers each takes smaller bands, so that one needs about `worker_bytes`; a panel of many
  /// features may need more.
  template <class T>
  TileLayout(const Kernel<T>& kernel, std::int64_t n, std::int64_t m, std::int64_t features,
             std::int64_t worker_bytes) {
    const auto size = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t row_bytes = std::max<std::int64_t>(1, features * size);
    // Whole row panels, and whole lines of the mirrored side, where that many fit.
    const std::int64_t whole = std::lcm<std::int64_t>(kernel.rows, kTransposeRows);
    // A worker holds its rows twice at most, and as much again in columns and tiles.
    const std::int64_t band_bytes = std::min(kBandBytes, worker_bytes / 4);
    const std::int64_t affordable = std::min(band_bytes / row_bytes, kBandRows);
    band_rows = affordable >= whole ? affordable / whole * whole
                                    : std::max<std::int64_t>(1, affordable / kernel.rows) * kernel.rows;
    packed_columns = n > band_rows || kernel.cols * row_bytes > kOwnPanelBytes;
    const std::int64_t band = round_up(band_rows, kernel.rows);
    const std::int64_t tile_rows = round_up(band, kTransposeRows);
    mirror_stride = tile_rows;

    std::int64_t at = 0;
    const auto take = [&at](std::int64_t bytes) {
      const std::int64_t begin = at;
      at += round_up(bytes, 64);
      return begin;
    };
    row_stride = packed_row_stride<T>(features);
    rows = take(band * row_stride * size);
    columns = take(packed_columns ? 0 : kernel.cols * features * size);
    // Rows of one block of features, before they are transposed into a panel.
    packing_stride = packed_row_stride<T>(std::min(features, kFeatureBlock));
    packing = take(kernel.cols * packing_stride * size);
    for (std::int64_t& tile : tiles) tile = take(tile_rows * kernel.cols * size);
    mirror = take(kMirrorColumns * mirror_stride * size);
    redo = take(tile_rows * kernel.cols * size);
    by_products = features >= kernel.by_products.features && kernel.cols * row_bytes <= kMostTwicePackedBytes;
    plain_rows = take(by_products ? band * row_stride * size : 0);
    plain_columns = take(by_products ? kernel.cols * features * size : 0);
    totals = take(features > kFeatureBlock ? band * kernel.cols * kernel.total_bytes : 0);
    row_flags = take(band);
    column_flags = take(kernel.cols);
    row_trust = take(band * size);
    column_trust = take(kernel.cols * size);
    spare = take(by_products ? tile_rows * kernel.cols * size : 0);
    near = take(by_products ? band / kernel.rows : 0);
    scratch_bytes = at;
    packed_bytes = packed_columns ? round_up(m, kernel.cols) * (features * size + 1) : 0;
    if (by_products) packed_bytes += (row_sums_size(kernel, n) + row_sums_size(kernel, m)) * kRowSumBytes;
  }
};

}  // namespace quadrance::internal
