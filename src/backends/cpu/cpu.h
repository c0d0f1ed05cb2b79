// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "backends/backend.h"

namespace quadrance::internal {

/// Highway kernels for every instruction set in one binary; the best one this CPU runs is taken at run time.
const Backend& cpu_backend() noexcept;

/// The movers compiled for one HWY_TARGETS bit.
const Movers* cpu_movers(std::int64_t target);

}  // namespace quadrance::internal
