// SPDX-License-Identifier: Apache-2.0
// Rows made distributions: their sum, their edges, their range.
#include "metrics/probability_rows.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

std::vector<double> prepared(const std::vector<double>& row) {
  const RootsOfProbabilities preparation({static_cast<std::int64_t>(row.size()), {}});
  std::vector<double> out(static_cast<std::size_t>(preparation.features()));
  preparation.prepare(row.data(), true, out.data());
  return out;
}

TEST(Probabilities, SumToOne) {
  const Probabilities preparation({3, {}});
  std::vector<double> out(4);
  for (const std::vector<double>& row :
       {std::vector<double>{1, 2, 5}, std::vector<double>{0x1p1000, 0x1p1001, 0x1.4p1002}}) {
    preparation.prepare(row.data(), true, out.data());
    EXPECT_EQ(out, (std::vector<double>{0.125, 0.25, 0.625, 0}));
  }
  const std::vector<double> zero(3);
  preparation.prepare(zero.data(), true, out.data());
  EXPECT_EQ(out, (std::vector<double>{0, 0, 0, kNoDistribution}));
}

TEST(ScaledProbabilities, KeepDigitsOfSmallOnesAndTellZeroRows) {
  const ScaledProbabilities preparation({2, {}});
  std::vector<double> out(3);
  const auto prepare = [&](std::vector<double> row) {
    preparation.prepare(row.data(), true, out.data());
    return out;
  };
  EXPECT_EQ(prepare({1, 3}), (std::vector<double>{0x1p498, 0x1.8p499, 0}));
  EXPECT_EQ(prepare({0x1p1000, 0x1p-300})[1], 0x1p-800);
  EXPECT_EQ(prepare({0x1p1000, 0x1p-500})[1], 0) << "2^-1500 of the sum";
  EXPECT_EQ(prepare({0, 0}), (std::vector<double>{0, 0, 1}));
  for (const double number : prepare({1, -1})) EXPECT_TRUE(std::isnan(number));
}

TEST(RootsOfProbabilities, AreOfLengthOne) {
  EXPECT_EQ(prepared({1, 3}), (std::vector<double>{0.5, std::sqrt(0.75), 0}));
  EXPECT_EQ(prepared({0, 5}), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(prepared({2, 0, 2, 4}), (std::vector<double>{0.5, 0, 0.5, std::sqrt(0.5), 0}));
}

TEST(RootsOfProbabilities, KeepTheRangeOfNumbers) {
  const double g = std::numeric_limits<double>::max();
  EXPECT_EQ(prepared({g, g, g, g}), (std::vector<double>{0.5, 0.5, 0.5, 0.5, 0}));
  EXPECT_EQ(prepared({5e-324, 15e-324}), prepared({1, 3}));
  EXPECT_EQ(prepared({1, 0x1p-1074})[1], 0x1p-537);
  EXPECT_EQ(prepared({g, 5e-324})[1], 0) << "2^-2098 of the sum";
}

TEST(RootsOfProbabilities, ZeroRowsAreFarFromAll) {
  EXPECT_EQ(prepared({0, -0.0}), (std::vector<double>{0, -0.0, kNoDistribution}));
  EXPECT_EQ(prepared({}), (std::vector<double>{kNoDistribution}));
}

TEST(RootsOfProbabilities, WhatIsNoDistributionIsNaN) {
  for (const double wrong :
       {-1e-300, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    for (const double number : prepared({1, wrong, 2})) EXPECT_TRUE(std::isnan(number)) << wrong;
  }
}

TEST(RootsOfProbabilities, MayBeScaled) {
  const ScaledRootsOfProbabilities preparation({2, {}});
  std::vector<double> out(3);
  const std::vector<double> row{1, 3};
  preparation.prepare(row.data(), true, out.data());
  EXPECT_EQ(out, (std::vector<double>{0x1p59, 0x1p60 * std::sqrt(0.75), 0}));
}

}  // namespace
}  // namespace quadrance::internal
