// SPDX-License-Identifier: Apache-2.0
// Points as text: a line a point, a field a feature (RFC 4180, UTF-8).
#pragma once

#include "input/input_file.h"
#include "input/points.h"

namespace quadrance::internal {

/// Reads a table of numbers to float64, each correctly rounded whatever the locale.
///
/// Separator: a tab if the first line has one outside quotes, else a semicolon if it has one, else the comma
/// Number:    1, -2.5, +3e4, nan, inf, blanks around, quotes around. Missing, and NaN: an empty field, NA,
/// N/A, #N/A, null, NULL,
///            None, ? and -; a note says how many
/// Labels:    a column that holds text but no number in the first 64 lines after a header is set aside; at
/// most one.
///            A column that holds both is numeric, and its text an error.
/// Header:    (a note says so if it holds numbers as well) the first line is one if it has text in a column
/// that is numeric below; if it is the only line, if
///            it has text and no number
/// Lines:     end in LF or CRLF; blank ones only at the end; a byte order mark is passed over
/// Errors:    kIo with path:line:column: ragged line, not a number, quotes; kDtype two text columns, beyond
///            float64, an integer beyond 2^53; kMemory
Points read_csv(InputFile* file);

}  // namespace quadrance::internal
