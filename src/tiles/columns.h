// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "backends/backend.h"
#include "input/pack.h"
#include "quadrance/matrix.h"

namespace quadrance::internal {

template <class T>
RowLimits<T> row_limits(const Kernel<T>& kernel) {
  return {kernel.coarse, kernel.large};
}

/// The column operand of a job, packed into panels once and shared by all workers. Panels are filled in
/// parallel by pack(); where every panel is used only once (a single band of rows), workers pack into their
/// own scratch instead.
template <class T>
class Columns {
 public:
  Columns(const MatrixView& y, const Kernel<T>& kernel) : y_(y), kernel_(kernel) {}

  std::int64_t panels() const { return (y_.rows + kernel_.cols - 1) / kernel_.cols; }
  std::int64_t panel_elements() const { return kernel_.cols * y_.cols; }

  /// Takes the memory for the packed copy.
  void allocate() {
    packed_ = Matrix(dtype_of<T>(), panels(), panel_elements());
    flags_.resize(static_cast<std::size_t>(panels() * kernel_.cols));
  }
  bool packed() const { return !flags_.empty(); }

  void pack(std::int64_t panel) {
    pack_into(panel, packed_.as<T>() + panel * panel_elements(), flags_.data() + panel * kernel_.cols);
  }
  void pack_into(std::int64_t panel, T* elements, std::uint8_t* flags) const {
    const std::int64_t first = panel * kernel_.cols;
    pack_panels<T>(y_, first, count(panel), kernel_.cols, row_limits(kernel_), elements, flags);
  }

  /// Points in the panel; the last one may hold fewer than the kernel's width.
  std::int64_t count(std::int64_t panel) const {
    return std::min<std::int64_t>(kernel_.cols, y_.rows - panel * kernel_.cols);
  }
  const T* elements(std::int64_t panel) const { return packed_.as<T>() + panel * panel_elements(); }
  const std::uint8_t* flags(std::int64_t panel) const { return flags_.data() + panel * kernel_.cols; }

 private:
  MatrixView y_;
  Kernel<T> kernel_;
  Matrix packed_;
  std::vector<std::uint8_t> flags_;
};

}  // namespace quadrance::internal
