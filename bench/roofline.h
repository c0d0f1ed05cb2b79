// SPDX-License-Identifier: Apache-2.0
// What the machine allows, measured in the same run as what is compared with it.
#pragma once

#include <cstdint>

#include "quadrance/matrix.h"

namespace quadrance::bench {

/// Fills `bytes` of the buffer from all threads: by non-temporal lines (streaming) or ordinary stores.
void fill(void* buffer, std::int64_t bytes, int threads, bool streaming);

/// Maps fresh memory (huge pages asked for or refused), fills it with streaming stores and gives it back.
void fill_fresh(std::int64_t bytes, int threads, bool huge_pages);

/// Runs `steps` steps of register-only arithmetic a thread, spread over vectors of the best target: subtract
/// and multiply-add (the direct form), or multiply-add alone (a dot product).
enum class Form { kDirect, kMultiplyAdd };
void arithmetic(DType dtype, Form form, std::int64_t steps, int threads);

/// The instruction set arithmetic() uses: "AVX3".
const char* arithmetic_target();

}  // namespace quadrance::bench
