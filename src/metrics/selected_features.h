// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "metrics/preparation.h"

namespace quadrance::internal {

/// The features whose weight is above 0, then what the metric does to rows of these. A feature that does not
/// count cannot overflow, nor be NaN.
class SelectedFeatures : public Preparation {
 public:
  SelectedFeatures(std::span<const double> w, std::unique_ptr<const Preparation> then)
      : then_(std::move(then)) {
    for (std::size_t f = 0; f < w.size(); ++f) {
      if (w[f] > 0) selected_.push_back(f);
    }
  }
  std::int64_t features() const override {
    return then_ != nullptr ? then_->features() : static_cast<std::int64_t>(selected_.size());
  }
  void prepare(const double* row, bool wide, double* prepared) const override {
    if (then_ == nullptr) return select(row, prepared);
    std::vector<double> selected(selected_.size());
    select(row, selected.data());
    then_->prepare(selected.data(), wide, prepared);
  }

 private:
  void select(const double* row, double* to) const {
    for (const std::size_t f : selected_) *to++ = row[f];
  }

  std::vector<std::size_t> selected_;
  std::unique_ptr<const Preparation> then_;
};

}  // namespace quadrance::internal
