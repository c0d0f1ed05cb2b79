// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/cpu.h"
#include "backends/reference/reference.h"

namespace quadrance::internal {

std::span<const Backend* const> backends() noexcept {
  static const Backend* const kBackends[] = {&cpu_backend(), &reference_backend()};
  return kBackends;
}

}  // namespace quadrance::internal
