// SPDX-License-Identifier: Apache-2.0
// A folder of a test's own, and what a refused file says.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "messages.h"

namespace quadrance::testing {

/// Empty at first, gone with everything in it at the end.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "quadrance-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::string file(std::string_view name) const { return (path_ / name).string(); }
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(file(name), std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file(name);
  }
  std::string read(std::string_view name) const {
    std::ostringstream bytes;
    bytes << std::ifstream(file(name), std::ios::binary).rdbuf();
    return bytes.str();
  }
  /// Names of all that lies there, hidden files too.
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path path_;
};

/// Passes if f throws a FileError of this code, at this place, whose text holds these words.
template <class F>
::testing::AssertionResult refuses(const F& f, ErrorCode code, const std::string& where,
                                   const std::string& problem, const std::string& hint = "") {
  try {
    f();
  } catch (const internal::FileError& error) {
    const bool as_expected = error.code() == code && error.where() == where &&
                             error.problem().find(problem) != std::string::npos &&
                             error.hint().find(hint) != std::string::npos;
    if (as_expected) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "another error (" << name_of(error.code()) << "): " << error.what();
  } catch (const std::exception& error) {
    return ::testing::AssertionFailure() << "not a FileError: " << error.what();
  }
  return ::testing::AssertionFailure() << "accepted, expected: " << problem;
}

}  // namespace quadrance::testing
