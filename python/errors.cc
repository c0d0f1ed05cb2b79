// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <nanobind/nanobind.h>

#include <exception>

#include "quadrance/error.h"

namespace nb = nanobind;

namespace quadrance::python {
namespace {

void raise_in_python(const Error& error) {
  const std::string_view code = name_of(error.code());
  const nb::object by_code = nb::module_::import_("quadrance._errors").attr("BY_CODE");
  const nb::object type = by_code[nb::str(code.data(), code.size())];
  PyErr_SetString(type.ptr(), error.what());
}

}  // namespace

void register_errors() {
  nb::register_exception_translator([](const std::exception_ptr& failure, void*) {
    try {
      std::rethrow_exception(failure);
    } catch (const Error& error) {
      raise_in_python(error);
    }
  });
}

}  // namespace quadrance::python
