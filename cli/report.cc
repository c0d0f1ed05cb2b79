// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <iostream>
#include <string_view>

#include "exit_status.h"

namespace quadrance::cli {
namespace {

/// "[plan] what was got; what is needed" in its parts.
Report split(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find("] ");
    if (end != std::string_view::npos) text.remove_prefix(end + 2);
  }
  const std::size_t semicolon = text.rfind("; ");
  if (semicolon == std::string_view::npos) return {std::string(text), "", ""};
  return {std::string(text.substr(0, semicolon)), "", std::string(text.substr(semicolon + 2))};
}

}  // namespace

std::string place_in(internal::FileAccess access, const std::string& where) {
  if (where != "-" && !where.starts_with("-:")) return where;
  return (access == internal::FileAccess::kRead ? "standard input" : "standard output") + where.substr(1);
}

CommandError describe(const Error& error, const std::string& where) {
  const int status = exit_status(error);
  if (const auto* in_file = dynamic_cast<const internal::FileError*>(&error)) {
    return {status, {in_file->problem(), place_in(in_file->access(), in_file->where()), in_file->hint()}};
  }
  Report report = split(error.what());
  report.where = where;
  if (error.code() == ErrorCode::kCancelled) report.hint = "nothing has been written; run it again";
  return {status, report};
}

void print(const Report& report) {
  std::cerr << "error: " << report.what << '\n';
  if (!report.where.empty()) std::cerr << "where: " << report.where << '\n';
  if (!report.hint.empty()) std::cerr << "hint: " << report.hint << '\n';
  std::cerr << std::flush;
}

}  // namespace quadrance::cli
