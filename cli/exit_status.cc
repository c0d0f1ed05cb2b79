// SPDX-License-Identifier: Apache-2.0
#include "exit_status.h"

#include <string_view>

#include "messages.h"

namespace quadrance::cli {
namespace {

constexpr unsigned bit(ErrorCode code) { return 1u << static_cast<unsigned>(code); }

struct Row {
  int status;
  std::string_view meaning;
  unsigned codes;
};

// 5 is kept for a damaged store.
constexpr Row kTable[] = {
    {kDone, "done", 0},
    {kBug, "a bug in quadrance", bit(ErrorCode::kInternal)},
    {kUsage, "wrong options, unknown metric",
     bit(ErrorCode::kMetric) | bit(ErrorCode::kExpression) | bit(ErrorCode::kOption)},
    {kBadInput, "the input cannot be read or used",
     bit(ErrorCode::kShape) | bit(ErrorCode::kDtype) | bit(ErrorCode::kIo)},
    {kDoesNotFit, "the job does not fit the memory", bit(ErrorCode::kMemory)},
    {kNotWritten, "the output exists or cannot be written (disk full)", 0},
    {kNoDevice, "the named device cannot run the job", bit(ErrorCode::kDevice) | bit(ErrorCode::kCompile)},
    {kInterrupted, "interrupted (ends by the signal itself)", bit(ErrorCode::kCancelled)},
};

}  // namespace

int exit_status(const Error& error) {
  const auto* in_file = dynamic_cast<const internal::FileError*>(&error);
  const bool writing = in_file != nullptr && in_file->access() == internal::FileAccess::kWrite;
  if (writing && error.code() == ErrorCode::kIo) return kNotWritten;
  for (const Row& row : kTable) {
    if ((row.codes & bit(error.code())) != 0) return row.status;
  }
  return kBug;
}

std::string exit_status_help() {
  std::string help = "Exit status:\n";
  for (const Row& row : kTable) {
    const std::string number = std::to_string(row.status);
    help.append("  ").append(number).append(6 - number.size(), ' ').append(row.meaning).append("\n");
  }
  return help;
}

}  // namespace quadrance::cli
