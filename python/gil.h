// SPDX-License-Identifier: Apache-2.0
// The GIL, given back and taken in threads that may outlive the interpreter.
//
// Python before 3.14 ends a daemon thread that wants the GIL while the interpreter shuts down by unwinding
// its stack (pthread_exit), here through frames of C++ that do not let it pass: the process would abort.
// Such a thread sleeps instead until the process has ended, as 3.14 has it.
#pragma once

#include <nanobind/nanobind.h>

#include <cxxabi.h>
#include <unistd.h>

namespace quadrance::python {

/// call(), which may take the GIL.
template <class Call>
auto outlive_python(const Call& call) {
  try {
    return call();
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
}

class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  ~GilReleased() {
    outlive_python([this] { PyEval_RestoreThread(state_); });
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

 private:
  PyThreadState* state_;
};

class GilTaken {
 public:
  GilTaken() : state_(outlive_python([] { return PyGILState_Ensure(); })) {}
  ~GilTaken() { PyGILState_Release(state_); }
  GilTaken(const GilTaken&) = delete;
  GilTaken& operator=(const GilTaken&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace quadrance::python
