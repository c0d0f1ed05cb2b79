// SPDX-License-Identifier: Apache-2.0
// Options as Python gives them: plain values are read here, all others by quadrance/_options.py, which also
// says what is wrong with what is none.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

#include "arrays.h"

namespace quadrance::python {

/// TypeError: "[cdist] threads is '2'; a whole number is needed".
[[noreturn]] void refuse_argument(const char* operation, const char* name, nanobind::handle value,
                                  const char* needed);

/// A str; `needed` says of what.
std::string name_argument(const Caller& caller, const char* name, nanobind::handle value, const char* needed);

/// An integer, or a float that is one (8e9 bytes), NumPy's too; `otherwise` for None. What is beyond 64 bits
/// becomes the largest or smallest there is.
std::int64_t integer_argument(const Caller& caller, const char* name, nanobind::handle value,
                              std::int64_t otherwise);

/// A bool, NumPy's too, or an integer that is 0 or 1.
bool flag_argument(const Caller& caller, const char* name, nanobind::handle value,
                   const char* needed = "True or False");

}  // namespace quadrance::python
