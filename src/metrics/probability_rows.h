// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/preparation.h"

namespace quadrance::internal {

/// What a zero row has in a feature of its own, where all others have 0. Sums that it adds to tell a zero row
/// and a distribution, which are NaN apart, from two distributions.
inline constexpr double kNoDistribution = 4;

/// Rows scaled to sum 1. A row with NaN, Inf or a number below 0 becomes NaN.
/// Accuracy: each number within 1.1 eps of its true value, eps of the dtype it is used in
class Probabilities : public Preparation {
 public:
  explicit Probabilities(const PreparationParameters& given) : d_(given.d) {}
  std::int64_t features() const override { return d_ + 1; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  std::int64_t d_;
};

/// Rows scaled to sum 1, and the roots of that: rows of length 1. A row with NaN, Inf or a number below 0
/// becomes NaN.
/// Accuracy: each number within 1.1 eps of its true value, eps of the dtype it is used in
class RootsOfProbabilities : public Preparation {
 public:
  explicit RootsOfProbabilities(const PreparationParameters& given) : RootsOfProbabilities(given, 1) {}
  std::int64_t features() const override { return d_ + 1; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 protected:
  RootsOfProbabilities(const PreparationParameters& given, double scale) : d_(given.d), scale_(scale) {}

 private:
  std::int64_t d_;
  double scale_;
};

/// The same times 2^60: products of two roots, 2^-1074 or more, are then normal numbers.
class ScaledRootsOfProbabilities : public RootsOfProbabilities {
 public:
  static constexpr int kExponent = 60;
  explicit ScaledRootsOfProbabilities(const PreparationParameters& given)
      : RootsOfProbabilities(given, 0x1p60) {}
};

/// Rows scaled to sum 2^500, so that all but the least numbers are far from subnormal ones, then 1 for a zero
/// row and 0 for others. A row with NaN, Inf or a number below 0 becomes NaN.
/// Accuracy: each number within 1.1 eps of its true value, but 0 for one below 2^-1400 of the row's sum
class ScaledProbabilities : public Preparation {
 public:
  static constexpr double kScale = 0x1p500;
  explicit ScaledProbabilities(const PreparationParameters& given) : d_(given.d) {}
  std::int64_t features() const override { return d_ + 1; }
  void prepare(const double* row, bool wide, double* prepared) const override;

 private:
  std::int64_t d_;
};

}  // namespace quadrance::internal
