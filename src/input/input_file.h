// SPDX-License-Identifier: Apache-2.0
// A file that is read once, front to back, and whose size is known before any memory is taken for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace quadrance::internal {

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const noexcept { return number_; }
  int release() noexcept {
    const int number = number_;
    number_ = -1;
    return number;
  }

 private:
  int number_;
};

/// An open file; "-" is the standard input. Pipes are read to their end when opened: their size is not known
/// before.
///
/// Errors: kIo naming the path
class InputFile {
 public:
  explicit InputFile(const std::string& path);

  const std::string& path() const noexcept { return path_; }
  std::int64_t size() const noexcept { return size_; }
  std::int64_t remaining() const noexcept { return size_ - position_; }
  /// The first bytes (at most 16), whatever has been read.
  std::string_view head() const noexcept { return {head_, head_bytes_}; }

  /// The next bytes.
  /// Errors: kIo if fewer are left.
  void read(void* to, std::int64_t bytes);
  /// All that has not been read yet.
  std::string read_rest();

 private:
  void drain();
  void look_at_head();

  std::string path_;
  Descriptor file_;
  std::int64_t size_ = 0;
  std::int64_t position_ = 0;
  std::string buffer_;  // all bytes of a pipe
  bool buffered_ = false;
  char head_[16] = {};
  std::size_t head_bytes_ = 0;
};

/// Throws kMemory if reading a file needs more memory than there is. Small needs are not checked.
void require_memory_for(const InputFile& file, std::int64_t bytes);

}  // namespace quadrance::internal
