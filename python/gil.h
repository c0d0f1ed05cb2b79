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
  GilReleased() : before_(current()), state_(PyEval_SaveThread()) { current() = state_; }
  ~GilReleased() {
    outlive_python([this] { PyEval_RestoreThread(state_); });
    current() = before_;
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;

  /// The state that this thread released last.
  static PyThreadState*& current() {
    static thread_local PyThreadState* state = nullptr;
    return state;
  }

 private:
  PyThreadState* before_;
  PyThreadState* state_;
};

/// In a thread that released it. PyGILState_Ensure() would look the state up, which crashes in Python 3.11
/// once the interpreter is gone; PyEval_RestoreThread() looks whether it is first.
class GilTaken {
 public:
  GilTaken() {
    outlive_python([] { PyEval_RestoreThread(GilReleased::current()); });
  }
  ~GilTaken() { PyEval_SaveThread(); }
  GilTaken(const GilTaken&) = delete;
  GilTaken& operator=(const GilTaken&) = delete;
};

}  // namespace quadrance::python
