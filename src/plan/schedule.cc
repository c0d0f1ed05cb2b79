// SPDX-License-Identifier: Apache-2.0
#include "plan/schedule.h"

#include <algorithm>

namespace quadrance::internal {

Schedule::Schedule(const Shape& shape) : shape_(shape), panels_(divide_up(shape.m, shape.panel_cols)) {
  const std::int64_t bands = divide_up(shape.n, shape.band_rows);
  first_task_.reserve(static_cast<std::size_t>(bands) + 1);
  first_task_.push_back(0);
  for (std::int64_t band = 0; band < bands; ++band) {
    first_task_.push_back(first_task_.back() + divide_up(panels_ - first_panel(band), shape.panels_per_task));
  }
}

std::int64_t Schedule::first_panel(std::int64_t band) const {
  return shape_.triangle ? band * shape_.band_rows / shape_.panel_cols : 0;
}

Task Schedule::task(std::int64_t index) const {
  if (shape_.bands_in_turn) {
    const std::int64_t bands = divide_up(shape_.n, shape_.band_rows);
    return make_task(index % bands, index / bands);
  }
  const auto next = std::upper_bound(first_task_.begin(), first_task_.end(), index);
  const std::int64_t band = next - first_task_.begin() - 1;
  return make_task(band, index - first_task_[static_cast<std::size_t>(band)]);
}

Task Schedule::make_task(std::int64_t band, std::int64_t piece) const {
  const std::int64_t row = band * shape_.band_rows;
  const std::int64_t first = first_panel(band) + piece * shape_.panels_per_task;
  return {row, std::min(shape_.band_rows, shape_.n - row), first,
          std::min(first + shape_.panels_per_task, panels_)};
}

std::int64_t Schedule::strips() const {
  std::int64_t strips = 0;
  const auto bands = static_cast<std::int64_t>(first_task_.size()) - 1;
  for (std::int64_t band = 0; band < bands; ++band) strips += panels_ - first_panel(band);
  return strips;
}

std::int64_t Schedule::strip_rows(const Task& task, std::int64_t panel) const {
  if (!shape_.triangle) return task.rows;
  return std::min(task.rows, (panel + 1) * shape_.panel_cols - task.row);
}

std::int64_t Schedule::task_pairs(const Task& task) const {
  std::int64_t pairs = 0;
  for (std::int64_t panel = task.first_panel; panel < task.end_panel; ++panel) {
    const std::int64_t cols = std::min(shape_.panel_cols, shape_.m - panel * shape_.panel_cols);
    pairs += strip_rows(task, panel) * cols;
  }
  return pairs;
}

std::int64_t Schedule::pairs() const {
  if (!shape_.triangle) return shape_.n * shape_.m;
  // Column j is computed for all rows up to the end of its panel, or n.
  std::int64_t pairs = 0;
  for (std::int64_t panel = 0; panel < panels_; ++panel) {
    const std::int64_t first = panel * shape_.panel_cols;
    const std::int64_t end = std::min(first + shape_.panel_cols, shape_.m);
    pairs += (end - first) * std::min(first + shape_.panel_cols, shape_.n);
  }
  return pairs;
}

}  // namespace quadrance::internal
