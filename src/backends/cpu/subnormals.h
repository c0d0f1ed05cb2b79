// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hwy/detect_compiler_arch.h"

#if HWY_ARCH_X86
#include <xmmintrin.h>
#endif

namespace quadrance::internal {

/// Sets how this thread's vectors take subnormal numbers, while it lives. x86 CPUs take over a hundred cycles
/// for an operation with one, unless they take it for 0. Other CPUs take them at full speed: nothing is done.
template <bool kFlush>
class Subnormals {
 public:
  Subnormals(const Subnormals&) = delete;
  Subnormals& operator=(const Subnormals&) = delete;
#if HWY_ARCH_X86
  Subnormals() : before_(_mm_getcsr()) { _mm_setcsr(kFlush ? before_ | kBits : before_ & ~kBits); }
  ~Subnormals() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned kBits = 0x8040;  // results (FTZ) and operands (DAZ)
  unsigned before_;
#else
  Subnormals() {}
#endif
};

using FlushSubnormals = Subnormals<true>;
using KeepSubnormals = Subnormals<false>;

}  // namespace quadrance::internal
