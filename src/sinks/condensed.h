// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "quadrance/matrix.h"
#include "quadrance/sink.h"
#include "sinks/sink.h"

namespace quadrance::internal {

/// The pairs i < j of n points, row by row: SciPy's pdist order.
class CondensedSink final : public Sink {
 public:
  CondensedSink(const OutputView& out, std::int64_t n) : out_(out), n_(n) {}

  RowPlaces places(std::int64_t i, std::int64_t j) const override {
    const auto size = static_cast<std::int64_t>(size_of(out_.dtype));
    // Row i holds n - 1 - i pairs, so (i + 1, j) follows (i, j) by n - 2 - i elements; each row is one
    // shorter.
    const std::int64_t index = condensed_size(n_) - condensed_size(n_ - i) + (j - i - 1);
    return {static_cast<std::byte*>(out_.data) + index * size, (n_ - 2 - i) * size, -size};
  }
  bool mirrors() const override { return false; }

 private:
  OutputView out_;
  std::int64_t n_;
};

}  // namespace quadrance::internal
