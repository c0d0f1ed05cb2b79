// SPDX-License-Identifier: Apache-2.0
// What the command says when it gives up: what, where, and what to do, a line each.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "messages.h"
#include "quadrance/error.h"

namespace quadrance::cli {

struct Report {
  std::string what;
  std::string where;
  std::string hint;
};

/// Ends the command with this report and exit status.
class CommandError : public std::runtime_error {
 public:
  CommandError(int status, Report report)
      : std::runtime_error(report.what), status_(status), report_(std::move(report)) {}
  int status() const noexcept { return status_; }
  const Report& report() const noexcept { return report_; }

 private:
  int status_;
  Report report_;
};

/// Where in a file: as it is, but "-" and "-:3:1" by the name of the stream.
std::string place_in(internal::FileAccess access, const std::string& where);

/// A library error in these terms. `where` is used if the error does not know its place itself.
CommandError describe(const Error& error, const std::string& where);

/// To stderr.
void print(const Report& report);

}  // namespace quadrance::cli
