// SPDX-License-Identifier: Apache-2.0
// Every pair is computed by exactly one strip, whatever the shape: counted cell by cell on small matrices,
// and by arithmetic on sizes beyond 32 bits.
#include "plan/schedule.h"

#include <vector>

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

/// How often each cell is written: directly, and for triangles by the mirror of the rows above the diagonal
/// block (the rule of tiles/worker.h).
std::vector<int> count_writes(const Schedule::Shape& shape) {
  const Schedule schedule(shape);
  std::vector<int> writes(static_cast<std::size_t>(shape.n * shape.m), 0);
  for (std::int64_t t = 0; t < schedule.tasks(); ++t) {
    const Task task = schedule.task(t);
    for (std::int64_t panel = task.first_panel; panel < task.end_panel; ++panel) {
      const std::int64_t rows = schedule.strip_rows(task, panel);
      const std::int64_t col = panel * shape.panel_cols;
      for (std::int64_t i = task.row; i < task.row + rows; ++i) {
        for (std::int64_t j = col; j < std::min(col + shape.panel_cols, shape.m); ++j) {
          ++writes[static_cast<std::size_t>(i * shape.m + j)];
          if (shape.triangle && i < col) ++writes[static_cast<std::size_t>(j * shape.m + i)];
        }
      }
    }
  }
  return writes;
}

TEST(Schedule, WritesEveryCellOnce) {
  for (const std::int64_t n : {1, 5, 16, 17, 40, 101}) {
    for (const std::int64_t band : {1, 6, 16}) {
      for (const std::int64_t panel : {1, 5, 16}) {
        for (const std::int64_t per_task : {1, 3}) {
          for (const std::int64_t m : {n, std::int64_t{1}, std::int64_t{23}}) {
            for (const bool triangle : {false, true}) {
              if (triangle && m != n) continue;
              for (const bool bands_in_turn : {false, true}) {
                if (triangle && bands_in_turn) continue;
                for (const int writes :
                     count_writes({n, m, triangle, band, panel, per_task, bands_in_turn})) {
                  ASSERT_EQ(writes, 1) << n << " x " << m << (triangle ? " triangle " : " ") << band << " "
                                       << panel << (bands_in_turn ? " bands in turn" : "");
                }
              }
            }
          }
        }
      }
    }
  }
}

TEST(Schedule, CountsStripsAndPairs) {
  const Schedule rectangle({10, 7, false, 4, 3, 2});
  EXPECT_EQ(rectangle.strips(), 3 * 3);
  EXPECT_EQ(rectangle.tasks(), 3 * 2);
  EXPECT_EQ(rectangle.pairs(), 70);
  const Schedule triangle({10, 10, true, 4, 3, 2});
  std::int64_t pairs = 0;
  for (std::int64_t t = 0; t < triangle.tasks(); ++t) pairs += triangle.task_pairs(triangle.task(t));
  EXPECT_EQ(pairs, triangle.pairs());
  EXPECT_GE(pairs, 10 * 11 / 2);
}

TEST(Schedule, ConsecutiveTasksShareNoBandWhereBandsComeInTurn) {
  const Schedule schedule({10, 10, false, 4, 3, 2, true});
  ASSERT_EQ(schedule.tasks(), 3 * 2);
  for (std::int64_t t = 0; t < schedule.tasks(); ++t) {
    EXPECT_EQ(schedule.task(t).row, t % 3 * 4);
    EXPECT_EQ(schedule.task(t).first_panel, t / 3 * 2);
  }
}

TEST(Schedule, NothingToDoIsNoTask) {
  EXPECT_EQ(Schedule({0, 5, false, 4, 3, 2}).tasks(), 0);
  EXPECT_EQ(Schedule({5, 0, false, 4, 3, 2}).tasks(), 0);
  EXPECT_EQ(Schedule({0, 0, true, 4, 3, 2}).tasks(), 0);
}

TEST(Schedule, CountsBeyond32Bits) {
  for (const std::int64_t n : {46'341, 65'536, 65'537, 92'683, 3'000'000}) {
    const Schedule schedule({n, n, true, 96, 16, 16});
    const Task last = schedule.task(schedule.tasks() - 1);
    EXPECT_EQ(last.end_panel, (n + 15) / 16) << n;
    EXPECT_EQ(last.row + last.rows, n) << n;
    EXPECT_GE(schedule.pairs(), n * (n + 1) / 2) << n;
    EXPECT_LE(schedule.pairs(), n * (n + 1) / 2 + 16 * n) << n;
  }
}

}  // namespace
}  // namespace quadrance::internal
