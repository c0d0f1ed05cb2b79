// SPDX-License-Identifier: Apache-2.0
// Features moved into the box around the origin. Values by hand.
#include "metrics/periodic_rows.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> prepared(const std::vector<double>& box, const std::vector<double>& row) {
  MetricParameters parameters;
  parameters.box = box;
  const PeriodicRows rows({static_cast<std::int64_t>(box.size()), parameters});
  EXPECT_EQ(rows.features(), static_cast<std::int64_t>(box.size()));
  std::vector<double> out(box.size());
  rows.prepare(row.data(), true, out.data());
  return out;
}

TEST(PeriodicRows, MoveByWholeBoxes) {
  EXPECT_EQ(prepared({10, 10, 10, 10}, {4, 6, -6, 123}), (std::vector<double>{4, -4, 4, 3}));
  EXPECT_EQ(prepared({0.75}, {0.75 * 1048576 + 0.25}), (std::vector<double>{0.25}));
}

TEST(PeriodicRows, LeaveWhatDoesNotRepeat) {
  EXPECT_EQ(prepared({kInfinity, 2}, {1e300, 3}), (std::vector<double>{1e300, -1}));
  EXPECT_EQ(prepared({kInfinity}, {kInfinity}), (std::vector<double>{kInfinity}));
}

TEST(PeriodicRows, InfinityHasNoPlaceInABox) { EXPECT_TRUE(std::isnan(prepared({3}, {kInfinity})[0])); }

}  // namespace
}  // namespace quadrance::internal
