// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "quadrance/matrix.h"
#include "sinks/sink.h"

namespace quadrance::internal {

/// The full matrix, row by row.
class DenseSink final : public Sink {
 public:
  explicit DenseSink(const OutputView& out) : out_(out) {}

  RowPlaces places(std::int64_t i, std::int64_t j) const override {
    const auto size = static_cast<std::int64_t>(size_of(out_.dtype));
    return {static_cast<std::byte*>(out_.data) + i * out_.row_stride + j * size, out_.row_stride, 0};
  }
  bool mirrors() const override { return true; }

 private:
  OutputView out_;
};

}  // namespace quadrance::internal
