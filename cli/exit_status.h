// SPDX-License-Identifier: Apache-2.0
// The one table of exit statuses.
#pragma once

#include <string>

#include "quadrance/error.h"

namespace quadrance::cli {

inline constexpr int kDone = 0;
inline constexpr int kBug = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kDoesNotFit = 4;
inline constexpr int kNotWritten = 6;
inline constexpr int kNoDevice = 7;
inline constexpr int kInterrupted = 130;

int exit_status(const Error& error);

/// The table, for --help.
std::string exit_status_help();

}  // namespace quadrance::cli
