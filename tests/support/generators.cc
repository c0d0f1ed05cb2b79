// SPDX-License-Identifier: Apache-2.0
#include "support/generators.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "support/elements.h"

namespace quadrance::testing {
namespace {

// --- values ------------------------------------------------------------------------------------------------

/// What the patterns mean for a float dtype.
struct FloatScale {
  long double offset;
  long double huge;
  long double tiny;
  int mixed_exponent;
  int fraction_bits;
  int smallest_exponent;  // of a normal number
};

FloatScale scale_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
      return {1e3L, 1e4L, 1e-4L, 12, 10, -14};
    case DType::kBfloat16:
      return {1e2L, 1e25L, 1e-25L, 100, 7, -126};
    case DType::kFloat32:
      return {1e6L, 1e25L, 1e-25L, 100, 23, -126};
    default:
      return {1e9L, 1e200L, 1e-200L, 900, 52, -1022};
  }
}

struct IntegerRange {
  std::int64_t lowest;
  std::int64_t highest;
};

IntegerRange range_of(DType dtype) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  switch (dtype) {
    case DType::kBool:
      return {0, 1};
    case DType::kInt8:
      return {INT8_MIN, INT8_MAX};
    case DType::kUint8:
      return {0, UINT8_MAX};
    case DType::kInt16:
      return {INT16_MIN, INT16_MAX};
    case DType::kUint16:
      return {0, UINT16_MAX};
    case DType::kInt32:
      return {INT32_MIN, INT32_MAX};
    case DType::kUint32:
      return {0, UINT32_MAX};
    case DType::kInt64:
      return {-kExact, kExact};
    case DType::kUint64:
      return {0, kExact};
    default:
      return {-100, 100};
  }
}

long double draw_integer(DType dtype, Random* random) {
  const IntegerRange range = range_of(dtype);
  return static_cast<long double>(random->integer(range.lowest, range.highest));
}

long double draw_subnormal(const FloatScale& scale, Random* random) {
  const std::int64_t below = (std::int64_t{1} << scale.fraction_bits) - 1;
  return std::ldexp(static_cast<long double>(random->integer(-below, below)),
                    scale.smallest_exponent - scale.fraction_bits);
}

long double draw_mixed(const FloatScale& scale, Random* random) {
  const auto exponent = static_cast<int>(random->integer(-scale.mixed_exponent, scale.mixed_exponent - 1));
  const long double magnitude = std::ldexp(1 + static_cast<long double>(random->uniform()), exponent);
  return random->integer(0, 1) == 0 ? magnitude : -magnitude;
}

/// One element of a pattern whose elements do not depend on one another.
long double draw(Pattern pattern, DType dtype, Random* random) {
  const FloatScale scale = scale_of(dtype);
  switch (pattern) {
    case Pattern::kUniform:
      return random->uniform();
    case Pattern::kOffset:
      return scale.offset + random->normal();
    case Pattern::kIntegers:
      return draw_integer(dtype, random);
    case Pattern::kSubnormal:
      return draw_subnormal(scale, random);
    case Pattern::kHuge:
      return scale.huge * random->normal();
    case Pattern::kTiny:
      return scale.tiny * random->normal();
    case Pattern::kMixed:
      return draw_mixed(scale, random);
    case Pattern::kSignedZeros:
      return random->integer(0, 1) == 0 ? 0.0L : -0.0L;
    case Pattern::kDuplicates:
    case Pattern::kAllEqual:
    case Pattern::kConstantRows:
      return is_float(dtype) ? random->normal() : draw_integer(dtype, random);
    case Pattern::kNormal:
    case Pattern::kNearAndFar:
    case Pattern::kNotFinite:
      break;
  }
  return random->normal();
}

/// Each row becomes a copy of one of the first `distinct` rows, which stay.
void repeat_rows(std::int64_t distinct, Random* random, Points* points) {
  for (std::int64_t i = distinct; i < points->rows; ++i) {
    const std::int64_t source = random->integer(0, distinct - 1);
    for (std::int64_t f = 0; f < points->cols; ++f) points->at(i, f) = points->at(source, f);
  }
}

/// The first value of each row for all of it, 0 for every fifth row.
void level_rows(Points* points) {
  for (std::int64_t i = 0; i < points->rows; ++i) {
    const long double value = i % 5 == 4 ? 0 : points->at(i, 0);
    for (std::int64_t f = 0; f < points->cols; ++f) points->at(i, f) = value;
  }
}

void sprinkle_not_finite(Random* random, Points* points) {
  constexpr long double kInfinity = std::numeric_limits<long double>::infinity();
  constexpr long double kSpecial[] = {std::numeric_limits<long double>::quiet_NaN(), kInfinity, -kInfinity};
  for (std::int64_t i = 0; i < points->rows; ++i) {
    const bool chosen = random->integer(0, 1) == 1;
    // Few columns, so that Inf - Inf comes up.
    const std::int64_t f = random->integer(0, std::min<std::int64_t>(points->cols, 3) - 1);
    const long double special = kSpecial[random->integer(0, 2)];
    if (chosen) points->at(i, f) = special;
  }
}

/// Around a point far from the origin in directions whose mean is 0: |x - y|^2 is about 2 d, |x|^2 + |y|^2 is
/// 2 d (1 + 2.324^2), so that about half the pairs are below 5/32 of it. Then every third row becomes the
/// copy of another but for one element, and every seventh 0.
void crowd(Random* random, Points* points) {
  for (std::int64_t i = 0; i < points->rows; ++i) {
    for (std::int64_t f = 0; f < points->cols; ++f) points->at(i, f) += f % 2 == 0 ? 2.324L : -2.324L;
  }
  for (std::int64_t i = 2; i < points->rows; i += 3) {
    for (std::int64_t f = 0; f < points->cols; ++f) points->at(i, f) = points->at(i - 2, f);
    points->at(i, random->integer(0, points->cols - 1)) += 0.01L;
  }
  for (std::int64_t i = 3; i < points->rows; i += 7) {
    for (std::int64_t f = 0; f < points->cols; ++f) points->at(i, f) = 0;
  }
}

void plant_ones(Random* random, Points* points) {
  for (std::int64_t i = 3; i < points->rows; i += 4) points->at(i, random->integer(0, points->cols - 1)) = 1;
}

// --- memory ------------------------------------------------------------------------------------------------

/// Strides in bytes, and how far the last element ends before the unreadable page.
struct Placement {
  std::int64_t row_stride;
  std::int64_t col_stride;
  std::int64_t gap_at_end;
};

Placement placement_of(Storage storage, std::int64_t rows, std::int64_t cols, std::int64_t size) {
  switch (storage) {
    case Storage::kColumnMajor:
      return {size, rows * size, 0};
    case Storage::kPaddedRows:
      return {(cols + 3) * size, size, 0};
    case Storage::kReversedRows:
      return {-cols * size, size, 0};
    // The page's end is a multiple of the size; elements of one byte have no multiples to be off.
    case Storage::kMisaligned:
      return {cols * size, size, std::max<std::int64_t>(size - 1, 1)};
    case Storage::kStructuredField:
      return {cols * (size + 1) + 2, size + 1, 0};
    case Storage::kRowMajor:
      break;
  }
  return {cols * size, size, 0};
}

std::int64_t round_up(std::int64_t bytes, std::int64_t unit) { return (bytes + unit - 1) / unit * unit; }

void protect(void* at, std::int64_t bytes, int protection) {
  if (bytes > 0 && mprotect(at, static_cast<std::size_t>(bytes), protection) != 0) throw std::bad_alloc();
}

}  // namespace

std::uint64_t Random::bits() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

double Random::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Random::normal() {
  double sum = -6;
  for (int term = 0; term < 12; ++term) sum += uniform();
  return sum;
}

std::int64_t Random::integer(std::int64_t lowest, std::int64_t highest) {
  // Tests need no more evenness than a remainder of 64 bits has.
  return lowest + static_cast<std::int64_t>(bits() % (static_cast<std::uint64_t>(highest - lowest) + 1));
}

std::string_view name_of(Pattern pattern) {
  constexpr std::string_view kNames[] = {
      "uniform",    "normal",    "offset", "integers", "duplicates", "all_equal",    "constant_rows",
      "not_finite", "subnormal", "huge",   "tiny",     "mixed",      "near_and_far", "signed_zeros"};
  return kNames[static_cast<std::size_t>(pattern)];
}

std::vector<Pattern> patterns_of(DType dtype) {
  if (!is_float(dtype))
    return {Pattern::kIntegers, Pattern::kDuplicates, Pattern::kAllEqual, Pattern::kConstantRows};
  return {std::begin(kAllPatterns), std::end(kAllPatterns)};
}

Points make_points(Pattern pattern, DType dtype, std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  const auto possible = patterns_of(dtype);
  if (std::find(possible.begin(), possible.end(), pattern) == possible.end()) {
    throw std::invalid_argument("[make_points] integers and bool cannot hold pattern " +
                                std::string(name_of(pattern)));
  }
  Random random(seed);
  Points points{rows, cols, std::vector<long double>(static_cast<std::size_t>(rows * cols))};
  for (long double& element : points.elements) element = draw(pattern, dtype, &random);
  if (points.elements.empty()) return points;
  if (pattern == Pattern::kDuplicates) repeat_rows(rows / 8 + 1, &random, &points);
  if (pattern == Pattern::kAllEqual) repeat_rows(1, &random, &points);
  if (pattern == Pattern::kConstantRows) level_rows(&points);
  if (pattern == Pattern::kNotFinite) sprinkle_not_finite(&random, &points);
  if (pattern == Pattern::kNearAndFar) crowd(&random, &points);
  if (pattern == Pattern::kSignedZeros) plant_ones(&random, &points);
  return points;
}

std::string_view name_of(Storage storage) {
  constexpr std::string_view kNames[] = {"row_major",     "column_major", "padded_rows",
                                         "reversed_rows", "misaligned",   "structured_field"};
  return kNames[static_cast<std::size_t>(storage)];
}

StoredMatrix::StoredMatrix(const Points& points, DType dtype, Storage storage) {
  const std::int64_t size = bytes_of(dtype);
  const Placement place = placement_of(storage, points.rows, points.cols, size);
  const bool empty = points.rows == 0 || points.cols == 0;
  const std::int64_t row_span = empty ? 0 : (points.rows - 1) * std::abs(place.row_stride);
  const std::int64_t used = empty ? 0 : row_span + (points.cols - 1) * place.col_stride + size;

  const std::int64_t page = sysconf(_SC_PAGESIZE);
  const std::int64_t readable = round_up(used + place.gap_at_end, page);
  const auto mapped = static_cast<std::size_t>(readable + 2 * page);
  void* const pages = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  mapping_ = {static_cast<std::byte*>(pages), Unmap{mapped}};
  std::byte* const first_page = mapping_.get() + page;
  std::byte* const lowest = first_page + readable - place.gap_at_end - used;
  std::byte* const origin = place.row_stride < 0 ? lowest + row_span : lowest;

  protect(first_page, readable, PROT_READ | PROT_WRITE);
  std::fill_n(first_page, readable, std::byte{0xff});
  view_ = MatrixView(origin, dtype, points.rows, points.cols, place.row_stride, place.col_stride);
  for (std::int64_t i = 0; i < points.rows; ++i) {
    for (std::int64_t f = 0; f < points.cols; ++f) {
      encode(dtype, points.at(i, f), origin + i * place.row_stride + f * place.col_stride);
    }
  }
  protect(first_page, readable, PROT_READ);
}

void StoredMatrix::Unmap::operator()(std::byte* at) const { munmap(at, bytes); }

std::vector<std::int64_t> interesting_sizes(std::int64_t lanes) {
  std::vector<std::int64_t> sizes = {0, 1, lanes - 1, lanes, lanes + 1, 4 * lanes + 3};
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace quadrance::testing
