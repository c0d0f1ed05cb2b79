// SPDX-License-Identifier: Apache-2.0
// Python arrays as views, and results as Python arrays: no element is copied but those of results too small
// to matter, and of inputs that no view can describe (lists, foreign byte order).
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "quadrance/matrix.h"

namespace quadrance::python {

/// Looks up what this file needs of NumPy. Once, when the module is loaded.
void import_numpy();

/// Who is called, for the texts of errors: "cdist", "XA", "XB".
struct Caller {
  const char* operation;
  const char* x;
  const char* y;
  const char* metric = "metric";
};

/// A buffer that Python keeps in place until this is destroyed (with the GIL held).
class Buffer {
 public:
  Buffer() = default;
  ~Buffer() { release(); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  /// Strides and format as well; read-only memory will do. False, without a Python error, if there is no such
  /// buffer.
  bool get(nanobind::handle object) noexcept;
  const Py_buffer* operator->() const noexcept { return &buffer_; }
  /// The dtype of native numbers; nothing for all other formats.
  std::optional<DType> dtype() const noexcept;

 private:
  void release() noexcept;

  Py_buffer buffer_{};
  bool held_ = false;
};

/// An input: whatever quadrance._arrays.as_array() takes.
class Input {
 public:
  Input(nanobind::handle object, const char* operation, const char* name);

  const MatrixView& view() const noexcept { return view_; }
  /// Refuses an out= that shares memory with the array of which view() shows a converted copy.
  void require_apart(nanobind::handle out, const char* operation, const char* name) const;

 private:
  bool read(nanobind::handle array, std::optional<DType> dtype);
  void convert(nanobind::handle object, const char* operation, const char* name);

  Buffer buffer_;
  nanobind::object converted_from_;  // the caller's array, where a copy of it had to be made
  MatrixView view_;
};

/// The caller's out=: a writeable, C-contiguous NumPy array of float32 or float64, never converted. Shape
/// [rows, cols], condensed [cols] with rows 1. Throws TypeError if it is no array, kShape or kDtype for all
/// else; alignment and overlap are left to the library.
class Output {
 public:
  Output(nanobind::handle object, const char* operation, bool condensed, std::int64_t rows,
         std::int64_t cols);

  const OutputView& view() const noexcept { return view_; }

 private:
  Buffer buffer_;
  OutputView view_;
};

/// A NumPy array that owns the result.
nanobind::object to_numpy(Matrix&& result, bool condensed);

/// dtype=: None, or anything numpy.dtype() takes that means float32 or float64.
std::optional<DType> result_dtype(nanobind::handle object, const char* operation);

}  // namespace quadrance::python
