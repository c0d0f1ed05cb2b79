// SPDX-License-Identifier: Apache-2.0
#include "input/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "messages.h"
#include "plan/machine.h"

namespace quadrance::internal {
namespace {

constexpr std::int64_t kChunk = std::int64_t{1} << 30;  // read(2) takes at most 2^31 - 4096 bytes
constexpr std::size_t kPipeChunk = std::size_t{1} << 16;
constexpr std::int64_t kAskForMemoryFrom = std::int64_t{64} << 20;

FileError failure(const std::string& path) {
  return messages::cannot_read(path, std::system_category().message(errno));
}

Descriptor open_for_reading(const std::string& path) {
  int number = -1;
  do {
    number = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (number < 0 && errno == EINTR);
  if (number < 0) throw failure(path);
  return Descriptor(number);
}

/// At most `bytes`; 0 at the end.
std::int64_t read_some(const Descriptor& file, void* to, std::int64_t bytes, const std::string& path) {
  for (;;) {
    const ssize_t got = ::read(file.number(), to, static_cast<std::size_t>(std::min(bytes, kChunk)));
    if (got >= 0) return got;
    if (errno != EINTR) throw failure(path);
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

InputFile::InputFile(const std::string& path) : path_(path), file_(open_for_reading(path)) {
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) throw failure(path_);
  if (S_ISDIR(status.st_mode)) throw messages::cannot_read(path_, "it is a directory");
  // /proc and its like hold regular files of size 0 that are not empty. A standard input may stand in
  // mid-file.
  if (!S_ISREG(status.st_mode) || status.st_size == 0 || path_ == "-")
    drain();
  else
    size_ = status.st_size;
  look_at_head();
}

void InputFile::drain() {
  buffered_ = true;
  std::size_t used = 0;
  for (;;) {
    buffer_.resize(std::max(used + kPipeChunk, buffer_.size()));
    const std::int64_t got =
        read_some(file_, buffer_.data() + used, static_cast<std::int64_t>(buffer_.size() - used), path_);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used == buffer_.size()) buffer_.resize(2 * used);
  }
  buffer_.resize(used);
  size_ = static_cast<std::int64_t>(used);
}

void InputFile::look_at_head() {
  head_bytes_ = static_cast<std::size_t>(std::min<std::int64_t>(size_, sizeof(head_)));
  if (buffered_) {
    std::memcpy(head_, buffer_.data(), head_bytes_);
    return;
  }
  const ssize_t got = pread(file_.number(), head_, head_bytes_, 0);
  if (got < 0) throw failure(path_);
  head_bytes_ = static_cast<std::size_t>(got);
}

void InputFile::read(void* to, std::int64_t bytes) {
  if (bytes > remaining()) throw messages::ended_early(path_, size_, position_ + bytes);
  if (buffered_) {
    if (bytes > 0) std::memcpy(to, buffer_.data() + position_, static_cast<std::size_t>(bytes));
    position_ += bytes;
    return;
  }
  auto* at = static_cast<char*>(to);
  for (std::int64_t left = bytes; left > 0;) {
    const std::int64_t got = read_some(file_, at, left, path_);
    if (got == 0) throw messages::ended_early(path_, position_, position_ + left);
    at += got;
    left -= got;
    position_ += got;
  }
}

std::string InputFile::read_rest() {
  if (buffered_ && position_ == 0) {
    position_ = size_;
    return std::move(buffer_);
  }
  std::string rest(static_cast<std::size_t>(remaining()), '\0');
  read(rest.data(), remaining());
  return rest;
}

void require_memory_for(const InputFile& file, std::int64_t bytes) {
  if (bytes < kAskForMemoryFrom) return;
  const MemoryLimit limit = available_memory();
  if (bytes > limit.available) {
    throw messages::points_do_not_fit(file.path(), bytes, limit.available, limit.source);
  }
}

}  // namespace quadrance::internal
