// SPDX-License-Identifier: Apache-2.0
// Where finished distances go. A sink knows addresses, nothing of metrics or kernels.
#pragma once

#include <cstdint>

#include "backends/backend.h"

namespace quadrance::internal {

class Sink {
 public:
  virtual ~Sink() = default;
  /// The places of the elements (i, j), (i, j + 1), ...; (i + 1, j), ...
  virtual RowPlaces places(std::int64_t i, std::int64_t j) const = 0;
  /// Takes (j, i) beside (i, j) of a symmetric job?
  virtual bool mirrors() const = 0;
};

}  // namespace quadrance::internal
