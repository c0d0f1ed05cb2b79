// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace quadrance {

/// Element types of inputs. Results are kFloat32 or kFloat64.
enum class DType : std::uint8_t {
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat16,
  kBfloat16,
  kFloat32,
  kFloat64,
};

/// Bytes of one element.
std::size_t size_of(DType dtype) noexcept;
/// NumPy's name: "float32", "uint8", ... ("bfloat16" has no NumPy name of its own).
std::string_view name_of(DType dtype) noexcept;
/// The dtype with this name; nothing if there is none.
std::optional<DType> find_dtype(std::string_view name) noexcept;

/// The DType of a C++ element type (float16 and bfloat16 have none: name the dtype).
template <class T>
constexpr DType dtype_of() noexcept {
  if constexpr (std::is_same_v<T, bool>)
    return DType::kBool;
  else if constexpr (std::is_same_v<T, float>)
    return DType::kFloat32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::kFloat64;
  else {
    static_assert(std::is_integral_v<T>, "no quadrance::DType for this element type");
    if constexpr (sizeof(T) == 1) return std::is_signed_v<T> ? DType::kInt8 : DType::kUint8;
    if constexpr (sizeof(T) == 2) return std::is_signed_v<T> ? DType::kInt16 : DType::kUint16;
    if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? DType::kInt32 : DType::kUint32;
    if constexpr (sizeof(T) == 8) return std::is_signed_v<T> ? DType::kInt64 : DType::kUint64;
  }
}

/// n points of d features in the caller's memory: never written, never owned, any layout.
///
/// Shape:    rows = points, cols = features; both may be 0
/// Strides:  in bytes and of any sign or size, so row-major, column-major, transposed, reversed, broadcast
///           (stride 0), structured-field and misaligned arrays are all views
/// Lifetime: the memory must stay unchanged while a call that was given the view runs
struct MatrixView {
  const void* data = nullptr;
  DType dtype = DType::kFloat64;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_stride = 0;  ///< bytes from a row to the next
  std::int64_t col_stride = 0;  ///< bytes from a feature to the next

  MatrixView() = default;
  MatrixView(const void* data_in, DType dtype_in, std::int64_t rows_in, std::int64_t cols_in,
             std::int64_t row_stride_bytes, std::int64_t col_stride_bytes) noexcept
      : data(data_in),
        dtype(dtype_in),
        rows(rows_in),
        cols(cols_in),
        row_stride(row_stride_bytes),
        col_stride(col_stride_bytes) {}

  /// Row-major and contiguous.
  template <class T>
  MatrixView(const T* data_in, std::int64_t rows_in, std::int64_t cols_in) noexcept
      : MatrixView(data_in, dtype_of<T>(), rows_in, cols_in, cols_in * std::int64_t{sizeof(T)},
                   std::int64_t{sizeof(T)}) {}

  /// A shape without data, for make_plan(): "what would this job cost?"
  static MatrixView shape(DType dtype, std::int64_t rows, std::int64_t cols) noexcept {
    const auto size = static_cast<std::int64_t>(size_of(dtype));
    std::int64_t stride = 0;  // of rows that no memory holds; make_plan() refuses them
    if (__builtin_mul_overflow(cols, size, &stride)) stride = 0;
    return {nullptr, dtype, rows, cols, stride, size};
  }
};

/// The caller's memory for a result. Elements of a row are contiguous.
///
/// Shape:    dense [n, m]; condensed [1, n(n-1)/2]
/// dtype:    kFloat32 or kFloat64: it chooses the dtype of the result
/// Strides:  row_stride in bytes, at least cols * size_of(dtype)
struct OutputView {
  void* data = nullptr;
  DType dtype = DType::kFloat64;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_stride = 0;

  OutputView() = default;
  OutputView(void* data_in, DType dtype_in, std::int64_t rows_in, std::int64_t cols_in,
             std::int64_t row_stride_bytes) noexcept
      : data(data_in), dtype(dtype_in), rows(rows_in), cols(cols_in), row_stride(row_stride_bytes) {}

  template <class T>
  OutputView(T* data_in, std::int64_t rows_in, std::int64_t cols_in) noexcept
      : OutputView(data_in, dtype_of<T>(), rows_in, cols_in, cols_in * std::int64_t{sizeof(T)}) {}
};

/// A row-major result with memory of its own: 64-byte aligned, backed by huge pages where it is large and the
/// system has them. Fresh memory is touched first by the threads that write it. Movable, not copyable.
///
/// The memory of the last one that was destroyed, of 1 to 512 MiB, is kept for the next of about its size (of
/// up to 4 MiB apart from larger ones):
/// pages that are there already are written several times as fast as fresh ones. The system may take them
/// back whenever it is short (MADV_FREE); until then they count as the process's. See release_memory().
class Matrix {
 public:
  Matrix() = default;
  /// Uninitialised. Throws kMemory when the system refuses.
  Matrix(DType dtype, std::int64_t rows, std::int64_t cols);
  ~Matrix();
  Matrix(Matrix&& other) noexcept { swap(other); }
  Matrix& operator=(Matrix&& other) noexcept {
    Matrix moved(std::move(other));
    swap(moved);
    return *this;
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  DType dtype() const noexcept { return dtype_; }
  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t cols() const noexcept { return cols_; }
  std::size_t bytes() const noexcept {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(cols_) * size_of(dtype_);
  }
  void* data() noexcept { return data_; }
  const void* data() const noexcept { return data_; }

  /// The elements as T; T must match dtype() (kDtype otherwise).
  template <class T>
  const T* as() const {
    require_dtype(dtype_of<T>());
    return static_cast<const T*>(data_);
  }
  template <class T>
  T* as() {
    require_dtype(dtype_of<T>());
    return static_cast<T*>(data_);
  }

  MatrixView view() const noexcept;
  OutputView output() noexcept;

 private:
  void swap(Matrix& other) noexcept;
  void require_dtype(DType dtype) const;

  void* data_ = nullptr;
  std::size_t mapped_bytes_ = 0;  // 0: from the heap
  DType dtype_ = DType::kFloat64;
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
};

/// Gives the memory that is kept for the next Matrix back to the system. Thread-safe.
void release_memory() noexcept;

}  // namespace quadrance
