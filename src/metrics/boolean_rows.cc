// SPDX-License-Identifier: Apache-2.0
#include "metrics/boolean_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace quadrance::internal {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr int kWordBits = 64;

}  // namespace

BooleanRows::BooleanRows(const PreparationParameters& given)
    : d_(given.d),
      element_bits_(given.element_bits),
      as_numbers_(given.weighted),
      elements_of_word_(kWordBits / std::max(1, element_bits_)),
      words_((d_ + elements_of_word_ - 1) / elements_of_word_) {}

/// Of up to elements_of_word_ elements: which bit is whose does not matter, if it is the same in all rows.
std::uint64_t BooleanRows::word_of(const double* row, std::int64_t count) const {
  if (element_bits_ == kWordBits) return std::bit_cast<std::uint64_t>(row[0]);
  std::uint64_t word = 0;
  if (element_bits_ == 0) {
    for (std::int64_t f = 0; f < count; ++f) word |= std::uint64_t{row[f] != 0} << f;
    return word;
  }
  const std::uint64_t mask = (std::uint64_t{1} << element_bits_) - 1;  // of negative numbers too
  for (std::int64_t f = 0; f < count; ++f)
    word |= (static_cast<std::uint64_t>(static_cast<std::int64_t>(row[f])) & mask) << (f * element_bits_);
  return word;
}

void BooleanRows::prepare(const double* row, bool, double* prepared) const {
  const bool has_nan =
      element_bits_ == 0 && std::any_of(row, row + d_, [](double value) { return std::isnan(value); });
  if (as_numbers_) {
    prepared[0] = 0;
    std::transform(row, row + d_, prepared, [has_nan](double value) {
      return has_nan ? kNaN : value != 0 ? 1 : 0;
    });
    return;
  }
  std::int64_t count = 0;
  for (std::int64_t w = 0; w < words_; ++w) {
    const std::int64_t first = w * elements_of_word_;
    const std::uint64_t word = word_of(row + first, std::min(elements_of_word_, d_ - first));
    prepared[w] = std::bit_cast<double>(word);
    count += std::popcount(word);
  }
  prepared[words_] = has_nan ? kNaN : static_cast<double>(count);
}

}  // namespace quadrance::internal
