// SPDX-License-Identifier: Apache-2.0
// Points read from a file, in memory of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quadrance/matrix.h"

namespace quadrance::internal {

/// The one column of a text file that holds no numbers.
struct LabelColumn {
  std::int64_t number = 0;          ///< counted from 1
  std::string name;                 ///< from the header line; empty without one
  std::vector<std::string> values;  ///< one a point
};

class Points {
 public:
  /// `view` looks into `elements`.
  Points(std::string source, Matrix elements, const MatrixView& view)
      : source_(std::move(source)), elements_(std::move(elements)), view_(view) {}

  /// Valid as long as this, also after it was moved to another place.
  const MatrixView& view() const noexcept { return view_; }
  /// The path as it was given.
  const std::string& source() const noexcept { return source_; }

  /// One a column of view(), from the header line; empty if the file has none.
  std::vector<std::string> names;
  std::optional<LabelColumn> labels;
  /// What was decided in doubt and a person should hear of, a sentence each.
  std::vector<std::string> notes;

 private:
  std::string source_;
  Matrix elements_;
  MatrixView view_;
};

/// Reads points from a file; "-" is the standard input.
///
/// Formats: .npy, known by its first bytes whatever the name (npy.h); .csv, .tsv, .txt and the standard input
/// as
///          text (csv.h)
/// Errors:  FileError: kIo, kDtype, kShape, and kMemory before memory is taken
Points read_points(const std::string& path);

}  // namespace quadrance::internal
