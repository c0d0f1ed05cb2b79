// SPDX-License-Identifier: Apache-2.0
// Opens the namespace a metric is read into: one per instruction set in the CPU kernels (where the header is
// read once per target), `plain` everywhere else. A function read outside its target's namespace would be a
// call in the hot loop instead of being inlined. No include guard: every metric header includes this.
#include "metrics/redo.h"
#include "quadrance/metric.h"

#ifdef QDR_SIMD
#include "hwy/highway.h"
#define QDR_INLINE HWY_INLINE
HWY_BEFORE_NAMESPACE();
namespace quadrance::internal::HWY_NAMESPACE {
#else
#define QDR_INLINE inline __attribute__((always_inline))
namespace quadrance::internal::plain {
#endif
