// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <new>

#include "messages.h"
#include "quadrance/matrix.h"
#include "sinks/kept_memory.h"

namespace quadrance {
namespace {

constexpr std::size_t kLine = 64;
// Below this the heap serves, as a block would be mostly unused. Above, the heap hands out pages that are
// already there, or not, as other allocations have it (n = 1,000, float32: 0.7 or 1.7 ms).
constexpr std::size_t kMapFrom = std::size_t{1} << 20;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

Matrix::Matrix(DType dtype, std::int64_t rows, std::int64_t cols) : dtype_(dtype), rows_(rows), cols_(cols) {
  if (rows < 0 || cols < 0) throw internal::messages::negative_size("a matrix", rows, cols);
  std::int64_t checked = 0;
  if (__builtin_mul_overflow(rows, cols, &checked) ||
      __builtin_mul_overflow(checked, static_cast<std::int64_t>(size_of(dtype)), &checked)) {
    throw internal::messages::too_many_elements(rows, cols);
  }
  const std::size_t wanted = bytes();
  if (wanted == 0) return;
  if (wanted >= kMapFrom) {
    const std::size_t mapped = round_up(wanted, internal::kHugePage);
    data_ = internal::take_block(mapped);
    if (data_ != nullptr) mapped_bytes_ = mapped;
  } else {
    data_ = std::aligned_alloc(kLine, round_up(wanted, kLine));
  }
  if (data_ == nullptr) throw internal::messages::allocation_failed(static_cast<std::int64_t>(wanted));
}

Matrix::~Matrix() {
  if (mapped_bytes_ != 0)
    internal::return_block(data_, mapped_bytes_);
  else
    std::free(data_);
}

void Matrix::swap(Matrix& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(dtype_, other.dtype_);
  std::swap(rows_, other.rows_);
  std::swap(cols_, other.cols_);
}

MatrixView Matrix::view() const noexcept {
  const auto size = static_cast<std::int64_t>(size_of(dtype_));
  return {data_, dtype_, rows_, cols_, cols_ * size, size};
}

OutputView Matrix::output() noexcept {
  return {data_, dtype_, rows_, cols_, cols_ * static_cast<std::int64_t>(size_of(dtype_))};
}

void Matrix::require_dtype(DType dtype) const {
  if (dtype != dtype_) throw internal::messages::wrong_element_type(name_of(dtype_), name_of(dtype));
}

}  // namespace quadrance
