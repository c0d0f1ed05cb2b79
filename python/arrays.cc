// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <nanobind/ndarray.h>

#include <bit>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "quadrance/error.h"

namespace nb = nanobind;

namespace quadrance::python {
namespace {

// Wrapping memory of ours costs NumPy about 1.5 us; copying this much costs less.
constexpr std::size_t kCopyUpTo = std::size_t{16} << 10;

// References held for the life of the process: destroying them after the interpreter would crash.
struct Numpy {
  PyTypeObject* ndarray;
  PyObject* empty;
  PyObject* float32;
  PyObject* float64;
  PyObject* may_share_memory;
};
Numpy numpy;

nb::object cold(const char* function) { return nb::module_::import_("quadrance._arrays").attr(function); }

[[noreturn]] void refuse(ErrorCode code, const char* operation, const std::string& text) {
  throw Error(code, "[" + std::string(operation) + "] " + text);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

template <class T>
nb::object wrap(Matrix&& result, bool condensed) {
  auto* owned = new Matrix(std::move(result));
  const nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  const std::size_t shape[2] = {static_cast<std::size_t>(owned->rows()),
                                static_cast<std::size_t>(owned->cols())};
  const nb::ndarray<nb::numpy, T> array(owned->data(), condensed ? 1 : 2, condensed ? shape + 1 : shape,
                                        owner);
  return nb::cast(array, nb::rv_policy::reference);
}

nb::object empty_array(const Matrix& like, bool condensed) {
  nb::object shape = condensed ? nb::object(nb::int_(like.cols())) : nb::make_tuple(like.rows(), like.cols());
  PyObject* arguments[] = {shape.ptr(), like.dtype() == DType::kFloat32 ? numpy.float32 : numpy.float64};
  nb::object array = nb::steal(PyObject_Vectorcall(numpy.empty, arguments, 2, nullptr));
  if (!array.is_valid()) throw nb::python_error();
  return array;
}

}  // namespace

void import_numpy() {
  const nb::module_ module = nb::module_::import_("numpy");
  const auto keep = [&module](const char* name) { return nb::object(module.attr(name)).release().ptr(); };
  numpy.ndarray = reinterpret_cast<PyTypeObject*>(keep("ndarray"));
  numpy.empty = keep("empty");
  numpy.float32 = keep("float32");
  numpy.float64 = keep("float64");
  numpy.may_share_memory = keep("may_share_memory");
}

bool Buffer::get(nb::handle object) noexcept {
  release();
  held_ = PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_STRIDED_RO | PyBUF_FORMAT) == 0;
  if (!held_) PyErr_Clear();
  return held_;
}

void Buffer::release() noexcept {
  if (held_) PyBuffer_Release(&buffer_);
  held_ = false;
}

std::optional<DType> Buffer::dtype() const noexcept {
  const char* format = buffer_.format;
  if (format == nullptr) return DType::kUint8;
  const char native_order = std::endian::native == std::endian::little ? '<' : '>';
  if (*format == '@' || *format == '=' || *format == '^' || *format == native_order) ++format;
  if (format[0] == '\0' || format[1] != '\0') return std::nullopt;
  const auto sized = [size = buffer_.itemsize](DType one, DType two, DType four, DType eight) {
    return std::optional<DType>(size == 1 ? one : size == 2 ? two : size == 4 ? four : eight);
  };
  // The letters of integers mean other sizes with and without a prefix: the size is what itemsize says.
  switch (*format) {
    case '?':
      return DType::kBool;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return sized(DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      return sized(DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64);
    case 'e':
      return DType::kFloat16;
    case 'f':
      return DType::kFloat32;
    case 'd':
      return DType::kFloat64;
    default:
      return std::nullopt;
  }
}

Input::Input(nb::handle object, const char* operation, const char* name) {
  if (Py_TYPE(object.ptr()) == numpy.ndarray && read(object, std::nullopt)) return;
  convert(object, operation, name);
}

bool Input::read(nb::handle array, std::optional<DType> dtype) {
  if (!buffer_.get(array) || buffer_->ndim != 2) return false;
  if (!dtype) dtype = buffer_.dtype();
  if (!dtype) return false;
  view_ = {buffer_->buf,       *dtype, buffer_->shape[0], buffer_->shape[1], buffer_->strides[0],
           buffer_->strides[1]};
  return true;
}

void Input::convert(nb::handle object, const char* operation, const char* name) {
  const nb::object answer = cold("as_array")(object, operation, name);
  const nb::object array = answer[0];
  const auto dtype = find_dtype(nb::cast<const char*>(answer[1]));
  if (!dtype || !read(array, dtype))
    refuse(ErrorCode::kInternal, operation, std::string(name) + " has no buffer");
  if (!answer[2].is_none()) converted_from_ = answer[2];
}

void Input::require_apart(nb::handle out, const char* operation, const char* name) const {
  if (!converted_from_.is_valid()) return;
  if (nb::cast<bool>(nb::handle(numpy.may_share_memory)(out, converted_from_))) {
    refuse(ErrorCode::kShape, operation,
           std::string("out shares memory with ") + name + "; they must not overlap");
  }
}

Output::Output(nb::handle object, const char* operation, bool condensed, std::int64_t rows,
               std::int64_t cols) {
  if (!PyObject_TypeCheck(object.ptr(), numpy.ndarray)) {
    refuse_argument(operation, "out", object, "a NumPy array");
  }
  const bool exact = Py_TYPE(object.ptr()) == numpy.ndarray;
  if (!exact) cold("refuse_masked_out")(object, operation);
  const auto dtype = buffer_.get(object) ? buffer_.dtype() : std::nullopt;
  if (dtype != DType::kFloat32 && dtype != DType::kFloat64) {
    const nb::object its_dtype = object.attr("dtype");
    const std::string has = nb::str(nb::handle(its_dtype)).c_str();
    refuse(ErrorCode::kDtype, operation,
           "out has dtype " + has + "; float32 or float64 in native byte order is needed");
  }
  const int dimensions = condensed ? 1 : 2;
  const Py_ssize_t* shape = buffer_->shape;
  const bool fits =
      buffer_->ndim == dimensions && shape[dimensions - 1] == cols && (condensed || shape[0] == rows);
  if (!fits) {
    const std::string needed = condensed ? shape_text({cols}) : shape_text({rows, cols});
    refuse(ErrorCode::kShape, operation,
           "out has shape " + shape_text({shape, shape + buffer_->ndim}) + "; " + needed + " is needed");
  }
  if (buffer_->readonly)
    refuse(ErrorCode::kShape, operation, "out is read-only; a writeable array is needed");
  if (PyBuffer_IsContiguous(buffer_.operator->(), 'C') == 0) {
    refuse(ErrorCode::kShape, operation,
           "out is not C-contiguous; whole rows one after the other are needed");
  }
  view_ = {buffer_->buf, *dtype, rows, cols, cols * buffer_->itemsize};
}

nb::object to_numpy(Matrix&& result, bool condensed) {
  if (result.bytes() > kCopyUpTo) {
    return result.dtype() == DType::kFloat32 ? wrap<float>(std::move(result), condensed)
                                             : wrap<double>(std::move(result), condensed);
  }
  nb::object array = empty_array(result, condensed);
  if (result.bytes() > 0) {
    Buffer buffer;
    if (!buffer.get(array)) throw nb::python_error();
    std::memcpy(buffer->buf, result.data(), result.bytes());
  }
  return array;
}

std::optional<DType> result_dtype(nb::handle object, const char* operation) {
  if (object.is_none()) return std::nullopt;
  if (object.ptr() == numpy.float32) return DType::kFloat32;
  if (object.ptr() == numpy.float64) return DType::kFloat64;
  return find_dtype(nb::cast<const char*>(cold("result_dtype")(object, operation)));
}

}  // namespace quadrance::python
