// SPDX-License-Identifier: Apache-2.0
#include "input/pack.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "input/elements.h"
#include "messages.h"

namespace quadrance::internal {
namespace {

/// One panel of `used` rows, `width` wide: feature-major, so that a kernel loads neighbours side by side.
template <class Source, class T>
void pack_panel(const MatrixView& x, std::int64_t first_row, std::int64_t used, std::int64_t width,
                T* panel) {
  const std::byte* base = static_cast<const std::byte*>(x.data) + first_row * x.row_stride;
  // Eight features of all rows at a time: a cache line of each row is then read once while it is in L1.
  constexpr std::int64_t kFeatures = 8;
  for (std::int64_t f0 = 0; f0 < x.cols; f0 += kFeatures) {
    const std::int64_t end = std::min(f0 + kFeatures, x.cols);
    for (std::int64_t f = f0; f < end; ++f) {
      const std::byte* at = base + f * x.col_stride;
      T* to = panel + f * width;
      for (std::int64_t r = 0; r < used; ++r) to[r] = load_element<Source, T>(at + r * x.row_stride);
      for (std::int64_t r = used; r < width; ++r) to[r] = to[used - 1];
    }
  }
}

template <class T>
std::uint8_t flag_of(T element, const RowLimits<T>& limits) {
  const T magnitude = std::abs(element);
  if (!(magnitude <= std::numeric_limits<T>::max())) return kNotFinite;
  const bool fine = magnitude < limits.coarse && magnitude != T{0};
  return static_cast<std::uint8_t>((fine ? kFine : 0) | (magnitude >= limits.large ? kLarge : 0));
}

/// Is any of these elements flagged? Compared as integers: the bits of magnitudes are ordered as the
/// magnitudes are, with Inf and then NaN above the largest number, and the compiler needs no care for NaN.
template <class T>
bool any_flagged(const T* elements, std::int64_t count, const RowLimits<T>& limits) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr auto kMagnitude = std::numeric_limits<Bits>::max();
  const auto large = std::bit_cast<Bits>(limits.large);
  const auto coarse = std::bit_cast<Bits>(limits.coarse);
  Bits flagged = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const Bits bits = std::bit_cast<Bits>(elements[i]) & kMagnitude;
    flagged |=
        static_cast<Bits>(bits >= large) | (static_cast<Bits>(bits < coarse) & static_cast<Bits>(bits != 0));
  }
  return flagged != 0;
}

/// Most panels hold nothing to flag: one pass over all elements says so; only the others are looked at row by
/// row.
template <class T>
void flag_rows(const T* panel, std::int64_t features, std::int64_t width, std::int64_t used,
               const RowLimits<T>& limits, std::uint8_t* flags) {
  std::fill_n(flags, used, std::uint8_t{kFinite});
  bool any = used == width && any_flagged(panel, features * width, limits);
  for (std::int64_t f = 0; used < width && f < features && !any; ++f) {
    any = any_flagged(panel + f * width, used, limits);  // without the padding, most of a small job
  }
  if (!any) return;
  for (std::int64_t f = 0; f < features; ++f) {
    const T* at = panel + f * width;
    for (std::int64_t r = 0; r < used; ++r) {
      flags[r] = static_cast<std::uint8_t>(flags[r] | flag_of(at[r], limits));
    }
  }
}

template <class Integer>
void require_exact(const MatrixView& x, const char* which) {
  constexpr Integer kLimit = Integer{1} << 53;
  for (std::int64_t i = 0; i < x.rows; ++i) {
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
void pack_panels(const MatrixView& x, std::int64_t first_row, std::int64_t count, std::int64_t width,
                 const RowLimits<T>& limits, T* panels, std::uint8_t* flags) {
  with_source_type(x.dtype, [&]<class Source>(SourceType<Source>) {
    for (std::int64_t r = 0; r < count; r += width) {
      const std::int64_t used = std::min(width, count - r);
      T* panel = panels + r * x.cols;
      pack_panel<Source, T>(x, first_row + r, used, width, panel);
      if (flags != nullptr) flag_rows(panel, x.cols, width, used, limits, flags + r);
    }
  });
}

template void pack_panels<float>(const MatrixView&, std::int64_t, std::int64_t, std::int64_t,
                                 const RowLimits<float>&, float*, std::uint8_t*);
template void pack_panels<double>(const MatrixView&, std::int64_t, std::int64_t, std::int64_t,
                                  const RowLimits<double>&, double*, std::uint8_t*);

void require_exact_integers(const MatrixView& x, const char* which) {
  if (x.dtype == DType::kInt64) require_exact<std::int64_t>(x, which);
  if (x.dtype == DType::kUint64) require_exact<std::uint64_t>(x, which);
}

}  // namespace quadrance::internal
