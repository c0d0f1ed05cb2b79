// SPDX-License-Identifier: Apache-2.0
// An error about a file that knows its place and what helps, so that the command can show each on its own
// line.
#pragma once

#include <string>
#include <utility>

#include "quadrance/error.h"

namespace quadrance::internal {

enum class FileAccess { kRead, kWrite };

/// Text: `[read] where: what; hint`. where is path, path:line or path:line:column, all counted from 1.
class FileError : public Error {
 public:
  FileError(ErrorCode code, FileAccess access, std::string where, std::string what, std::string hint)
      : Error(code,
              (access == FileAccess::kRead ? "[read] " : "[write] ") + where + ": " + what + "; " + hint),
        access_(access),
        where_(std::move(where)),
        problem_(std::move(what)),
        hint_(std::move(hint)) {}

  FileAccess access() const noexcept { return access_; }
  const std::string& where() const noexcept { return where_; }
  const std::string& problem() const noexcept { return problem_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  FileAccess access_;
  std::string where_;
  std::string problem_;
  std::string hint_;
};

}  // namespace quadrance::internal
