// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a metric as text that C, OpenCL C and CUDA compilers take: what generated kernels are
// made of. Loops, tiles and memory are a backend's.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "quadrance/matrix.h"

namespace quadrance::internal {

enum class Language { kC, kOpenCl, kCuda };

/// What the functions below stand on, once at the head of a program: QDR_FUNCTION (how they are declared),
/// the types, and the operations that a language lacks, for float (_f32) and double (_f64). Multiply-adds are
/// rounded once; in C, which is for tests, twice, as the reference device rounds them, unless QDR_FUSED is
/// defined.
std::string_view prelude(Language language);

/// The suffix of all names of a dtype: "_f32", "_f64".
std::string_view suffix_of(DType compute);

/// Functions NAME_step_f32 and NAME_finish_f32 of what kernels_of() gives, or _f64:
///   void NAME_step(real x, real y, real w, const real* f, const real* p, real first, real* a)
///     adds one feature to the accumulators a: x and y are the pair's, w and f[kMostFeatureParameters] the
///     feature's weight and parameters, p[kMostParameters] the metric's, first the pair's result of the pass
///     before
///   real NAME_finish(const real* a, const real* p, real first, real x_summary, real y_summary)
///     the distance
/// and NAME_first_step, NAME_first_finish of that pass, where there is one (TracedMetric::first_step).
std::string functions_of(std::size_t kernels, DType compute);

}  // namespace quadrance::internal
