// SPDX-License-Identifier: Apache-2.0
// Calls the instance of an exported function for a named target (Highway dispatches to the best one only).
#pragma once

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

/// The baseline of x86-64 has no vectors Highway 1.0.3 knows: it compiles a scalar stand-in for them, which
/// has no half vectors either. Nothing is compiled for it; machines without SSE4 use the reference loops.
#define QDR_EMULATED (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)

namespace quadrance::internal {

/// Where the instance for one HWY_TARGETS bit stands in the table of HWY_EXPORT (layout: hwy/targets.h).
inline std::size_t dispatch_index(std::int64_t target) {
  const std::int64_t mask = HWY_CHOSEN_TARGET_SHIFT(target) | HWY_CHOSEN_TARGET_MASK_SCALAR;
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(static_cast<std::uint64_t>(mask));
}

}  // namespace quadrance::internal

#if (HWY_TARGETS & (HWY_TARGETS - 1)) == 0  // one target: its table has no choice to make
#define QDR_FOR_TARGET(function, target) ((void)(target), HWY_STATIC_DISPATCH(function))
#else
#define QDR_FOR_TARGET(function, target) \
  (*HWY_DISPATCH_TABLE(function)[quadrance::internal::dispatch_index(target)])
#endif
