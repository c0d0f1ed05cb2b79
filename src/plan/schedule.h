// SPDX-License-Identifier: Apache-2.0
// In which order a matrix is computed: bands of rows, cut into tasks of a few column panels each.
#pragma once

#include <cstdint>
#include <vector>

namespace quadrance::internal {

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// What one worker takes at a time: rows [row, row + rows) against column panels [first_panel, end_panel).
struct Task {
  std::int64_t row;
  std::int64_t rows;
  std::int64_t first_panel;
  std::int64_t end_panel;
};

/// Tasks of a rectangle, or of the triangle j >= (panel of i). All arithmetic in 64 bits.
class Schedule {
 public:
  struct Shape {
    std::int64_t n;
    std::int64_t m;
    bool triangle;
    std::int64_t band_rows;
    std::int64_t panel_cols;
    std::int64_t panels_per_task;
    /// Of a rectangle: the next task is the same panels of the next band, not the next panels of this one.
    bool bands_in_turn = false;
  };

  explicit Schedule(const Shape& shape);

  std::int64_t tasks() const { return first_task_.back(); }
  /// Strips (a band against one column panel) in all.
  std::int64_t strips() const;
  Task task(std::int64_t index) const;

  /// Rows of the strip of `panel` that lie above or beside the diagonal and so have to be computed.
  std::int64_t strip_rows(const Task& task, std::int64_t panel) const;
  /// Pairs computed by one task.
  std::int64_t task_pairs(const Task& task) const;
  /// Pairs computed in all, whole strips on the diagonal included.
  std::int64_t pairs() const;

 private:
  std::int64_t first_panel(std::int64_t band) const;
  Task make_task(std::int64_t band, std::int64_t piece) const;

  Shape shape_;
  std::int64_t panels_;
  std::vector<std::int64_t> first_task_;  // by band, and the number of tasks at the end
};

}  // namespace quadrance::internal
