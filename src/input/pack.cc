// SPDX-License-Identifier: Apache-2.0
#include "input/pack.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "input/elements.h"
#include "messages.h"

namespace quadrance::internal {
namespace {

/// Rows whose elements lie side by side.
template <class Source, class T>
void pack_each_row(const MatrixView& x, const std::byte* from, std::int64_t count, T* rows,
                   std::int64_t stride) {
  for (std::int64_t r = 0; r < count; ++r) {
    const std::byte* at = from + r * x.row_stride;
    T* to = rows + r * stride;
    if constexpr (std::is_same_v<Source, T>) {
      if (x.cols > 0) std::memcpy(to, at, static_cast<std::size_t>(x.cols) * sizeof(T));
    } else {
      for (std::int64_t f = 0; f < x.cols; ++f)
        to[f] = load_element<Source, T>(at + f * static_cast<std::int64_t>(sizeof(Source)));
    }
  }
}

/// Any other strides, sixteen rows at a time: of a column-major matrix each cache line is then read once.
template <class Source, class T>
void pack_strided(const MatrixView& x, const std::byte* from, std::int64_t count, T* rows,
                  std::int64_t stride) {
  constexpr std::int64_t kRows = 16;
  for (std::int64_t r0 = 0; r0 < count; r0 += kRows) {
    const std::int64_t end = std::min(r0 + kRows, count);
    for (std::int64_t f = 0; f < x.cols; ++f) {
      const std::byte* at = from + f * x.col_stride;
      for (std::int64_t r = r0; r < end; ++r)
        rows[r * stride + f] = load_element<Source, T>(at + r * x.row_stride);
    }
  }
}

template <class Integer>
void require_exact(const MatrixView& x, std::string_view which, const std::function<void()>& go_on) {
  constexpr Integer kLimit = Integer{1} << 53;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    if (i % kRowsBetweenCalls == 0) go_on();
    const std::byte* row = static_cast<const std::byte*>(x.data) + i * x.row_stride;
    for (std::int64_t f = 0; f < x.cols; ++f) {
      Integer value;
      std::memcpy(&value, row + f * x.col_stride, sizeof(value));
      bool exact = value <= kLimit;
      if constexpr (std::is_signed_v<Integer>) exact = exact && value >= -kLimit;
      if (!exact) throw messages::integer_not_exact(which, i, f, std::to_string(value));
    }
  }
}

}  // namespace

template <class T>
void pack_rows(const MatrixView& x, std::int64_t first_row, std::int64_t count, T* rows,
               std::int64_t stride) {
  const std::byte* from = static_cast<const std::byte*>(x.data) + first_row * x.row_stride;
  with_source_type(x.dtype, [&]<class Source>(SourceType<Source>) {
    if (x.col_stride == static_cast<std::int64_t>(sizeof(Source)))
      pack_each_row<Source, T>(x, from, count, rows, stride);
    else
      pack_strided<Source, T>(x, from, count, rows, stride);
  });
  for (std::int64_t r = 0; r < count; ++r)
    std::fill(rows + r * stride + x.cols, rows + (r + 1) * stride, T{0});
}

template void pack_rows<float>(const MatrixView&, std::int64_t, std::int64_t, float*, std::int64_t);
template void pack_rows<double>(const MatrixView&, std::int64_t, std::int64_t, double*, std::int64_t);

std::int64_t count_bits_in_use(const MatrixView& x, const std::function<void()>& go_on) {
  const std::size_t size = size_of(x.dtype);
  std::vector<std::uint64_t> used(static_cast<std::size_t>(x.cols));
  for (std::int64_t i = 0; i < x.rows; ++i) {
    if (i % kRowsBetweenCalls == 0) go_on();
    const std::byte* row = static_cast<const std::byte*>(x.data) + i * x.row_stride;
    for (std::int64_t f = 0; f < x.cols; ++f) {
      std::uint64_t word = 0;
      std::memcpy(&word, row + f * x.col_stride, size);
      used[static_cast<std::size_t>(f)] |= word;
    }
  }
  return std::accumulate(used.begin(), used.end(), std::int64_t{0},
                         [](std::int64_t sum, std::uint64_t word) { return sum + std::popcount(word); });
}

void require_exact_integers(const MatrixView& x, std::string_view which, const std::function<void()>& go_on) {
  if (x.dtype == DType::kInt64) require_exact<std::int64_t>(x, which, go_on);
  if (x.dtype == DType::kUint64) require_exact<std::uint64_t>(x, which, go_on);
}

}  // namespace quadrance::internal
