// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files. Format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "input/input_file.h"
#include "input/points.h"
#include "quadrance/plan.h"

namespace quadrance::internal {

/// Whether a file that starts so is a .npy file.
bool is_npy(std::string_view head) noexcept;

/// Reads a 2-D array: formats 1.0 to 3.0, both byte orders, C and Fortran order, bool, integers of 1 to 8
/// bytes, floats of 2, 4 and 8 bytes. The bytes after the header must be exactly the array's: nothing is
/// allocated before the header has been held against the size of the file.
///
/// Errors: kIo damaged or truncated; kDtype complex, object, structured, text, time, long double; kShape not
/// 2-D
Points read_npy(InputFile* file);

/// The header of a C-ordered array in this machine's byte order, format 1.0, a multiple of 64 bytes long so
/// that the elements can be mapped: [rows, cols], or [rows * cols] if one_dimensional. bfloat16 has no name
/// there.
std::string npy_header(DType dtype, std::int64_t rows, std::int64_t cols, bool one_dimensional);

/// Writes the array to a .npy file that appears whole or not at all ("-": the standard output).
/// one_dimensional: an array of one row becomes 1-D. progress is told elements written of all; its answer
/// false cancels.
///
/// Errors: kIo, see OutputFile; kDtype bfloat16; kCancelled
void write_npy(const std::string& path, const MatrixView& matrix, bool one_dimensional, bool overwrite,
               Progress* progress = nullptr);

}  // namespace quadrance::internal
