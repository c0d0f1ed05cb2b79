// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "messages.h"

namespace quadrance::internal {

/// Cache-line aligned memory that a thread keeps from job to job, so that small jobs do not pay for fresh
/// pages.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { std::free(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  /// At least `bytes`; what it held before is lost when it grows. Fresh memory is zero: padding lanes of
  /// tiles are read before they are written.
  std::byte* reserve(std::size_t bytes) {
    if (bytes > size_) {
      release();
      const std::size_t size = (bytes + kLine - 1) / kLine * kLine;
      data_ = static_cast<std::byte*>(std::aligned_alloc(kLine, size));
      if (data_ == nullptr) throw messages::allocation_failed(static_cast<std::int64_t>(size));
      std::memset(data_, 0, size);
      size_ = size;
    }
    return data_;
  }
  /// Gives back what is more than a thread should keep.
  void trim(std::size_t keep) {
    if (size_ > keep) release();
  }

 private:
  static constexpr std::size_t kLine = 64;
  void release() {
    std::free(data_);
    data_ = nullptr;
    size_ = 0;
  }

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace quadrance::internal
