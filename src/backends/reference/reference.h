// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backends/backend.h"

namespace quadrance::internal {

/// Plain loops, one row against all, accumulated in float64: always there, last in the list, and what every
/// other backend is compared with by people (the tests' oracle is separate).
const Backend& reference_backend() noexcept;

}  // namespace quadrance::internal
