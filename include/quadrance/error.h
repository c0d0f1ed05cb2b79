// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace quadrance {

/// What kind of thing went wrong: a Python exception class per code; the command's exit statuses group them.
enum class ErrorCode {
  kShape,       ///< sizes, strides or overlap of arrays do not fit the operation
  kDtype,       ///< element type (or a value of it) that cannot be taken without loss
  kMetric,      ///< unknown metric or bad parameter of one
  kOption,      ///< a number of threads or bytes that is none
  kExpression,  ///< a formula that does not parse or has no meaning
  kDevice,      ///< the named device cannot run this job
  kCompile,     ///< run-time compilation failed
  kMemory,      ///< the job does not fit the memory it may use
  kIo,          ///< a file could not be read, understood or written
  kCancelled,   ///< the caller's Progress asked to stop
  kInternal,    ///< a bug in Quadrance
};

/// What the library throws, beside std::bad_alloc and what a caller's Progress throws. The text reads
/// `[operation] what was got; what is needed`.
class Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& text) : std::runtime_error(text), code_(code) {}
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

/// "shape", "dtype", ...: by these Python's exception classes are found.
std::string_view name_of(ErrorCode code) noexcept;

}  // namespace quadrance
