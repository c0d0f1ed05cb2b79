// SPDX-License-Identifier: Apache-2.0
// Inputs for tests: the same on every machine, in every layout, in memory that can only be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "quadrance/matrix.h"

namespace quadrance::testing {

/// splitmix64: the same numbers with every compiler and standard library, which <random>'s distributions are
/// not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits();
  /// In [0, 1), 53 bits.
  double uniform();
  /// Mean 0, standard deviation 1: a sum of 12 uniform numbers, so within (-6, 6) and free of libm.
  double normal();
  /// In [lowest, highest], whose distance must be below 2^63.
  std::int64_t integer(std::int64_t lowest, std::int64_t highest);

 private:
  std::uint64_t state_;
};

/// n points of d features before they are stored: as wide as the oracle, rounded when a StoredMatrix takes
/// them.
struct Points {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<long double> elements;  // row-major

  long double& at(std::int64_t i, std::int64_t f) { return elements[static_cast<std::size_t>(i * cols + f)]; }
  long double at(std::int64_t i, std::int64_t f) const {
    return elements[static_cast<std::size_t>(i * cols + f)];
  }
};

/// What the values look like. "Ordinary" below: kNormal for floats, kIntegers for the other dtypes.
enum class Pattern {
  kUniform,   ///< in [0, 1)
  kNormal,    ///< mean 0, deviation 1
  kOffset,    ///< kNormal far from the origin: 1e6 for float32, 1e9 for float64
  kIntegers,  ///< the range of bool and 8 to 32 bits, +-2^53 of 64; +-100 for floats, whose squares are exact
  kDuplicates,    ///< every row one of rows/8 + 1 ordinary rows
  kAllEqual,      ///< every row the same ordinary row
  kConstantRows,  ///< every row one ordinary value of its own, every fifth 0
  kNotFinite,  ///< kNormal; about half of the rows hold a NaN or +-Inf, often in the same column as another's
  kSubnormal,  ///< every element 0 or a subnormal number of the dtype
  kHuge,       ///< kNormal times 1e25 for float32, 1e200 for float64: squares overflow
  kTiny,       ///< kNormal times 1e-25 for float32, 1e-200 for float64: squares underflow
  kMixed,      ///< magnitudes 2^-100 to 2^100 for float32, 2^-900 to 2^900 for float64, side by side
  kNearAndFar,   ///< about half the pairs of many features are near beside their distance from the origin;
                 ///< every third row is another but for one element, every seventh 0
  kSignedZeros,  ///< -0 and +0 at random; every fourth row holds a single 1
};
inline constexpr Pattern kAllPatterns[] = {
    Pattern::kUniform,    Pattern::kNormal,      Pattern::kOffset,       Pattern::kIntegers,
    Pattern::kDuplicates, Pattern::kAllEqual,    Pattern::kConstantRows, Pattern::kNotFinite,
    Pattern::kSubnormal,  Pattern::kHuge,        Pattern::kTiny,         Pattern::kMixed,
    Pattern::kNearAndFar, Pattern::kSignedZeros,
};

/// "uniform", "all_equal", ...: letters for test names.
std::string_view name_of(Pattern pattern);

/// The patterns a dtype can hold: all for floats; what has ordinary values for the others.
std::vector<Pattern> patterns_of(DType dtype);

/// Points of a pattern, scaled for a dtype.
/// Errors: std::invalid_argument if the dtype cannot hold the pattern
Points make_points(Pattern pattern, DType dtype, std::int64_t rows, std::int64_t cols,
                   std::uint64_t seed = 1);

/// How elements lie in memory.
enum class Storage {
  kRowMajor,
  kColumnMajor,
  kPaddedRows,       ///< three elements between a row and the next
  kReversedRows,     ///< the first row last: negative row stride
  kMisaligned,       ///< row-major, one byte off every multiple of the element size
  kStructuredField,  ///< one byte between elements, as in packed records: strides no multiple of the size
};
inline constexpr Storage kAllStorages[] = {
    Storage::kRowMajor,     Storage::kColumnMajor, Storage::kPaddedRows,
    Storage::kReversedRows, Storage::kMisaligned,  Storage::kStructuredField,
};

/// "row_major", ...: letters for test names.
std::string_view name_of(Storage storage);

/// Points stored as a dtype in a layout. Movable, not copyable.
///
/// Every layout is read-only: the pages are protected, so a write to an input is a fault. The last element
/// ends at an unreadable page (kMisaligned: at most 7 bytes before it), so reading past it is a fault too.
/// Bytes between elements are 0xff: NaN, if a float is read from them.
class StoredMatrix {
 public:
  StoredMatrix(const Points& points, DType dtype, Storage storage = Storage::kRowMajor);

  const MatrixView& view() const { return view_; }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::byte* at) const;
  };
  std::unique_ptr<std::byte, Unmap> mapping_;
  MatrixView view_;
};

/// Sizes at which a loop over vectors of N = `lanes` elements, unrolled four times, takes another way:
/// {0, 1, N-1, N, N+1, 4N+3}, ascending, each once.
std::vector<std::int64_t> interesting_sizes(std::int64_t lanes);

}  // namespace quadrance::testing
