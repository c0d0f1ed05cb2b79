// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <limits>

namespace nb = nanobind;

namespace quadrance::python {
namespace {

nb::object slow(const char* function) { return nb::module_::import_("quadrance._options").attr(function); }

}  // namespace

void refuse_argument(const char* operation, const char* name, nb::handle value, const char* needed) {
  slow("refuse")(value, operation, name, needed);
  throw nb::type_error(name);  // not reached: the call raises
}

std::string name_argument(const Caller& caller, const char* name, nb::handle value, const char* needed) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_Check(value.ptr()) ? PyUnicode_AsUTF8AndSize(value.ptr(), &size) : nullptr;
  if (text == nullptr) {
    PyErr_Clear();
    refuse_argument(caller.operation, name, value, needed);
  }
  return {text, static_cast<std::size_t>(size)};
}

std::int64_t integer_argument(const Caller& caller, const char* name, nb::handle value,
                              std::int64_t otherwise) {
  if (value.is_none()) return otherwise;
  const nb::object integer =
      PyLong_CheckExact(value.ptr()) ? nb::borrow(value) : slow("whole")(value, caller.operation, name);
  int overflow = 0;
  const std::int64_t number = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
  if (overflow > 0) return std::numeric_limits<std::int64_t>::max();
  if (overflow < 0) return std::numeric_limits<std::int64_t>::min();
  return number;
}

bool flag_argument(const Caller& caller, const char* name, nb::handle value, const char* needed) {
  if (value.ptr() == Py_True || value.ptr() == Py_False) return value.ptr() == Py_True;
  return nb::cast<bool>(slow("flag")(value, caller.operation, name, needed));
}

}  // namespace quadrance::python
