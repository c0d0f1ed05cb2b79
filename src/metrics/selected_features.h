// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "metrics/preparation.h"

namespace quadrance::internal {

/// The features whose weight is above 0, then what the metric does to rows of these. A row with NaN or Inf in
/// another becomes NaN, as 0 times these is. Of no features there is one of 0, so that this has a place.
class SelectedFeatures : public Preparation {
 public:
  SelectedFeatures(std::span<const double> w, std::unique_ptr<const Preparation> then)
      : then_(std::move(then)) {
    for (std::size_t f = 0; f < w.size(); ++f) {
      (w[f] > 0 ? selected_ : others_).push_back(f);
    }
  }
  std::int64_t features() const override {
    if (then_ != nullptr) return then_->features();
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(selected_.size()));
  }
  void prepare(const double* row, bool wide, double* prepared) const override {
    const auto finite = [row](std::size_t f) { return std::isfinite(row[f]); };
    if (!std::all_of(others_.begin(), others_.end(), finite)) {
      std::fill_n(prepared, features(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
    if (then_ == nullptr) {
      prepared[0] = 0;
      return select(row, prepared);
    }
    std::vector<double> selected(selected_.size());
    select(row, selected.data());
    then_->prepare(selected.data(), wide, prepared);
  }

 private:
  void select(const double* row, double* to) const {
    for (const std::size_t f : selected_) *to++ = row[f];
  }

  std::vector<std::size_t> selected_;
  std::vector<std::size_t> others_;
  std::unique_ptr<const Preparation> then_;
};

}  // namespace quadrance::internal
