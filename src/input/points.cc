// SPDX-License-Identifier: Apache-2.0
#include "input/points.h"

#include <algorithm>
#include <string_view>

#include "input/csv.h"
#include "input/input_file.h"
#include "input/npy.h"
#include "messages.h"

namespace quadrance::internal {
namespace {

struct ForeignFormat {
  std::string_view start;
  std::string_view name;
  std::string_view hint;
};

// Files people give that would otherwise be called damaged text.
constexpr ForeignFormat kForeignFormats[] = {
    {"\x1f\x8b", "gzip-compressed", "unpack it first: gunzip -k FILE"},
    {"\x28\xb5\x2f\xfd", "zstd-compressed", "unpack it first: zstd -d FILE"},
    {"PK\x03\x04", "a zip archive (.npz, .xlsx)", "save one array as .npy, or the table as .csv"},
    {"\x89HDF", "an HDF5 file", "save the dataset as .npy"},
    {"PAR1", "a Parquet file", "save the table as .csv or its numbers as .npy"},
};

/// ".csv" of "folder.d/points.CSV"; empty if the name has none.
std::string extension_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos) return {};
  std::string extension = path.substr(dot);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return extension;
}

bool is_text_name(const std::string& path) {
  const std::string extension = extension_of(path);
  return path == "-" || extension == ".csv" || extension == ".tsv" || extension == ".txt";
}

}  // namespace

Points read_points(const std::string& path) {
  InputFile file(path);
  if (is_npy(file.head())) return read_npy(&file);
  for (const ForeignFormat& format : kForeignFormats) {
    if (file.head().starts_with(format.start))
      throw messages::format_not_read(path, format.name, format.hint);
  }
  if (extension_of(path) == ".npy") throw messages::npy_malformed(path, "it does not start as one");
  if (!is_text_name(path)) throw messages::unknown_format(path, file.head());
  return read_csv(&file);
}

}  // namespace quadrance::internal
