// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backends/backend.h"
#include "input/pack.h"
#include "plan/tile_layout.h"
#include "quadrance/matrix.h"
#include "tiles/row_sums.h"

namespace quadrance::internal {

/// The column operand of a job, packed into panels once and shared by all workers. Panels are filled in
/// parallel by pack(); where every panel is used only once (a single band of rows), workers pack into their
/// own scratch instead.
template <class T>
class Columns {
 public:
  /// means: taken off each row before it is packed; null: none.
  Columns(const MatrixView& y, const Kernel<T>& kernel, const Movers& movers, const double* means)
      : y_(y), kernel_(kernel), movers_(movers), means_(means) {}

  std::int64_t panels() const { return (y_.rows + kernel_.cols - 1) / kernel_.cols; }
  std::int64_t panel_elements() const { return kernel_.cols * y_.cols; }

  /// Takes the memory for the packed copy.
  void allocate() {
    packed_ = Matrix(dtype_of<T>(), panels(), panel_elements());
    flags_.resize(static_cast<std::size_t>(panels() * kernel_.cols));
  }
  bool packed() const { return !flags_.empty(); }

  /// `packing` has room for Kernel::cols rows of one block of features, `stride` elements from row to row.
  void pack(std::int64_t panel, T* packing, std::int64_t stride) {
    pack_into(panel, packing, stride, packed_.as<T>() + panel * panel_elements(),
              flags_.data() + panel * kernel_.cols);
  }
  void pack_into(std::int64_t panel, T* packing, std::int64_t stride, T* elements,
                 std::uint8_t* flags) const {
    pack_with(means_, panel, packing, stride, elements, flags);
  }
  /// With the means left in.
  void pack_plain_into(std::int64_t panel, T* packing, std::int64_t stride, T* elements,
                       std::uint8_t* flags) const {
    pack_with(nullptr, panel, packing, stride, elements, flags);
  }

  /// Points in the panel; the last one may hold fewer than the kernel's width.
  std::int64_t count(std::int64_t panel) const {
    return std::min<std::int64_t>(kernel_.cols, y_.rows - panel * kernel_.cols);
  }
  const T* elements(std::int64_t panel) const { return packed_.as<T>() + panel * panel_elements(); }
  const std::uint8_t* flags(std::int64_t panel) const { return flags_.data() + panel * kernel_.cols; }

 private:
  void pack_with(const double* means, std::int64_t panel, T* packing, std::int64_t stride, T* elements,
                 std::uint8_t* flags) const {
    const std::int64_t used = count(panel);
    // A narrow kernel reads no more; what else is in the panel is then read by those for rare data only.
    const std::int64_t width = kernel_.is_narrow(used) ? kernel_.narrow_cols : kernel_.cols;
    std::fill_n(flags, used, std::uint8_t{kPlain});
    for (std::int64_t f = 0; f < y_.cols; f += kFeatureBlock) {
      const std::int64_t block = std::min(kFeatureBlock, y_.cols - f);
      pack_rows<T>(feature_block(f, block), panel * kernel_.cols, used, packing, stride);
      movers_.flag<T>({packing, stride, used, block}, kernel_.row_limits, flags);
      if (means != nullptr) take_off_means(means + panel * kernel_.cols, used, block, packing, stride);
      for (std::int64_t r = used; r < width; ++r)  // padding: any numbers that cost no time
        std::copy_n(packing + (used - 1) * stride, block, packing + r * stride);
      transpose({packing, stride, width, block}, elements + f * kernel_.cols);
    }
  }

  MatrixView feature_block(std::int64_t first, std::int64_t count) const {
    MatrixView block = y_;
    block.data = static_cast<const std::byte*>(y_.data) + first * y_.col_stride;
    block.cols = count;
    return block;
  }

  /// Rows [width, features] to [features, Kernel::cols]. The last features go one by one: rounded up they
  /// would run into the next panel.
  void transpose(const Block<T>& rows, T* out) const {
    const std::int64_t whole = rows.cols / kTransposeColumns * kTransposeColumns;
    movers_.transpose<T>({rows.data, rows.stride, rows.rows, whole}, out, kernel_.cols, false);
    for (std::int64_t f = whole; f < rows.cols; ++f) {
      for (std::int64_t r = 0; r < rows.rows; ++r) out[f * kernel_.cols + r] = rows.data[r * rows.stride + f];
    }
  }

  MatrixView y_;
  const Kernel<T>& kernel_;
  const Movers& movers_;
  const double* means_;
  Matrix packed_;
  std::vector<std::uint8_t> flags_;
};

}  // namespace quadrance::internal
