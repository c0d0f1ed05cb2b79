// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name whole or not at all.
#pragma once

#include <cstdint>
#include <string>

#include "input/input_file.h"

namespace quadrance::internal {

/// What is written goes to a hidden temporary name in the same folder; commit() gives it the real one.
/// Without commit(), after an error or an exception, nothing is left. "-" is the standard output, where
/// nothing is held back.
///
/// Errors: kIo naming the path: it exists (unless overwrite), is not a regular file, disk full, no permission
class OutputFile {
 public:
  OutputFile(const std::string& path, bool overwrite);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const noexcept { return path_; }
  void write(const void* data, std::int64_t bytes);
  /// Brings the bytes to the disk and the file under its name.
  void commit();

 private:
  bool is_standard_output() const noexcept { return path_ == "-"; }

  std::string path_;       // as the caller gave it
  std::string target_;     // behind symbolic links
  std::string temporary_;  // empty once it is gone
  Descriptor file_;
  bool overwrite_;
};

/// The refusals of OutputFile's constructor, before any work and without creating anything.
void require_new_file(const std::string& path, bool overwrite);

/// Throws kIo if the disk has less room than a file of `bytes` needs. Only a first look: the room may be gone
/// later.
void require_room(const std::string& path, std::int64_t bytes);

}  // namespace quadrance::internal
