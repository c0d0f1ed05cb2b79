// SPDX-License-Identifier: Apache-2.0
// Every sentence the library says when it refuses something, in one place.
//
// Errors read `[operation] what was got; what is needed`. Reasons (why a device was passed over) are shown by
// explain() and become errors only when the user named that device.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "quadrance/error.h"

namespace quadrance::internal::messages {

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// "a, b, c"; "none" for nothing.
inline std::string list(const std::vector<std::string_view>& words) {
  if (words.empty()) return "none";
  std::string out(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) out.append(", ").append(words[i]);
  return out;
}

/// "80.0 GB": bytes as people read them, powers of 1000.
std::string human_bytes(std::int64_t bytes);

// --- shapes -------------------------------------------------------------------------------------------------

inline Error columns_differ(std::int64_t dx, std::int64_t dy) {
  return {ErrorCode::kShape,
          text("[pairwise] x has ", dx, " columns, y has ", dy, "; they must be equal")};
}
inline Error negative_size(std::string_view which, std::int64_t rows, std::int64_t cols) {
  return {ErrorCode::kShape, text("[pairwise] ", which, " has shape (", rows, ", ", cols,
                                  "); sizes must not be negative")};
}
inline Error no_data(std::string_view which) {
  return {ErrorCode::kShape,
          text("[pairwise] ", which, " is a shape without data; only make_plan() takes such a view")};
}
inline Error condensed_of_two() {
  return {ErrorCode::kShape,
          "[pairwise] condensed output of two sets asked for; the condensed triangle exists for one set (leave y out)"};
}
inline Error condensed_needs_symmetry(std::string_view metric) {
  return {ErrorCode::kMetric, text("[pairwise] condensed output of ", metric,
                                   " asked for, which is not symmetric; ask for the dense matrix")};
}
inline Error out_shape(std::int64_t rows, std::int64_t cols, std::int64_t want_rows, std::int64_t want_cols) {
  return {ErrorCode::kShape, text("[pairwise] out has shape (", rows, ", ", cols, "); (", want_rows, ", ",
                                  want_cols, ") is needed")};
}
inline Error out_stride(std::int64_t stride, std::int64_t row_bytes) {
  return {ErrorCode::kShape, text("[pairwise] out has ", stride, " bytes from row to row; at least ", row_bytes,
                                  " and a multiple of its element size are needed")};
}
inline Error out_misaligned(std::int64_t size) {
  return {ErrorCode::kShape, text("[pairwise] out is not aligned to its elements of ", size,
                                  " bytes; an aligned array is needed")};
}
inline Error out_overlaps(std::string_view which) {
  return {ErrorCode::kShape, text("[pairwise] out shares memory with ", which, "; they must not overlap")};
}
inline Error too_many_elements(std::int64_t n, std::int64_t m) {
  return {ErrorCode::kMemory, text("[plan] ", n, " x ", m, " distances exceed 2^63 bytes; no memory holds them")};
}

// --- dtypes -------------------------------------------------------------------------------------------------

inline Error out_dtype(std::string_view dtype) {
  return {ErrorCode::kDtype, text("[pairwise] result dtype ", dtype, " asked for; it must be float32 or float64")};
}
inline Error out_dtype_differs(std::string_view out, std::string_view dtype) {
  return {ErrorCode::kDtype,
          text("[pairwise] out is ", out, " but dtype is ", dtype, "; give one of them, or make them equal")};
}
inline Error integer_not_exact(std::string_view which, std::int64_t row, std::int64_t col, std::string_view value) {
  return {ErrorCode::kDtype, text("[pairwise] ", which, "[", row, ", ", col, "] = ", value,
                                  " is beyond 2^53 and has no exact float64; subtract an offset or convert first")};
}
inline Error wrong_element_type(std::string_view has, std::string_view wanted) {
  return {ErrorCode::kDtype, text("[matrix] elements are ", has, ", read as ", wanted, "; they must be equal")};
}

// --- metrics and devices ------------------------------------------------------------------------------------

inline Error unknown_metric(std::string_view name, std::string_view nearest) {
  return {ErrorCode::kMetric, text("[metric] there is no metric '", name, "'; did you mean '", nearest, "'?")};
}
inline Error unknown_device(std::string_view name, std::string_view known) {
  return {ErrorCode::kDevice, text("[plan] there is no device '", name, "'; known are auto, ", known)};
}
inline Error device_refuses(std::string_view name, std::string_view reason) {
  return {ErrorCode::kDevice,
          text("[plan] device '", name, "' was asked for but cannot run this: ", reason, "; use device auto")};
}
inline std::string no_such_target(std::string_view target, const std::vector<std::string_view>& known) {
  return text("no kernels for target '", target, "' on this machine, which has ", list(known));
}
inline std::string no_simd() { return "this CPU has none of the instruction sets the kernels are built for"; }
inline Error bad_threads(std::int64_t threads) {
  return {ErrorCode::kShape, text("[plan] ", threads, " threads asked for; 0 (automatic) or 1 to 1024 are possible")};
}

// --- memory, cancelling -------------------------------------------------------------------------------------

inline Error does_not_fit(std::int64_t needed, std::int64_t available, std::string_view limit_name,
                          std::string_view ways_out) {
  return {ErrorCode::kMemory, text("[plan] the job needs ", human_bytes(needed), " and ", human_bytes(available),
                                   " are left (", limit_name, "); ", ways_out)};
}
inline Error allocation_failed(std::int64_t bytes) {
  return {ErrorCode::kMemory, text("[memory] the system refused ", human_bytes(bytes), "; free memory or ask for less")};
}
inline Error cancelled(std::int64_t done, std::int64_t total) {
  return {ErrorCode::kCancelled, text("[pairwise] cancelled after ", done, " of ", total, " pairs")};
}

}  // namespace quadrance::internal::messages
