// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "metrics/preparation.h"

namespace quadrance::internal {

/// Rows of features that are true where they are not 0, as the boolean metrics take them: words of 64
/// features, a bit each, then the number of true ones. With weights 0 and 1 as numbers (of no features one
/// 0). A row with NaN has NaN as that number, or for numbers. Packed rows hold their features as the bits of
/// integers; a row of 64-bit ones comes as it lies in memory.
class BooleanRows : public Preparation {
 public:
  explicit BooleanRows(const PreparationParameters& given);
  std::int64_t features() const override { return as_numbers_ ? std::max<std::int64_t>(1, d_) : words_ + 1; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  std::uint64_t word_of(const double* row, std::int64_t count) const;

  std::int64_t d_;
  int element_bits_;  ///< of an element of a row; 0: it is one feature
  bool as_numbers_;
  std::int64_t elements_of_word_;
  std::int64_t words_;
};

}  // namespace quadrance::internal
