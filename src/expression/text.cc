// SPDX-License-Identifier: Apache-2.0
#include "expression/text.h"

#include "expression/tracer.h"
#include "messages.h"
#include "metrics/kernel_parameters.h"
#include "metrics/redo.h"

namespace quadrance::internal {
namespace {

using messages::text;

constexpr std::string_view kC = R"(#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tgmath.h>
#define QDR_FUNCTION static inline
#define QDR_INFINITY INFINITY
#ifdef QDR_FUSED
#define qdr_fma(a, b, c) fma(a, b, c)
#else
#define qdr_fma(a, b, c) ((a) * (b) + (c))
#endif
#define qdr_popcount_f32(bits) __builtin_popcount(bits)
#define qdr_popcount_f64(bits) __builtin_popcountll(bits)
typedef uint32_t qdr_bits32;
typedef uint64_t qdr_bits64;
static inline qdr_bits32 qdr_bits_f32(float a) { qdr_bits32 b; memcpy(&b, &a, sizeof b); return b; }
static inline qdr_bits64 qdr_bits_f64(double a) { qdr_bits64 b; memcpy(&b, &a, sizeof b); return b; }
static inline float qdr_number_f32(qdr_bits32 a) { float b; memcpy(&b, &a, sizeof b); return b; }
static inline double qdr_number_f64(qdr_bits64 a) { double b; memcpy(&b, &a, sizeof b); return b; }
)";

constexpr std::string_view kOpenCl = R"(#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define QDR_FUNCTION static inline
#define QDR_INFINITY INFINITY
#define qdr_fma(a, b, c) fma(a, b, c)
#define qdr_popcount_f32(bits) popcount(bits)
#define qdr_popcount_f64(bits) popcount(bits)
typedef uint qdr_bits32;
typedef ulong qdr_bits64;
#define qdr_bits_f32(a) as_uint(a)
#define qdr_bits_f64(a) as_ulong(a)
#define qdr_number_f32(a) as_float(a)
#define qdr_number_f64(a) as_double(a)
)";

constexpr std::string_view kCuda = R"(#define QDR_FUNCTION static __device__ __forceinline__
#define QDR_INFINITY __int_as_float(0x7f800000)
#define qdr_fma(a, b, c) fma(a, b, c)
#define qdr_popcount_f32(bits) __popc(bits)
#define qdr_popcount_f64(bits) __popcll(bits)
typedef unsigned int qdr_bits32;
typedef unsigned long long qdr_bits64;
#define qdr_bits_f32(a) __float_as_uint(a)
#define qdr_bits_f64(a) ((qdr_bits64)__double_as_longlong(a))
#define qdr_number_f32(a) __uint_as_float(a)
#define qdr_number_f64(a) __longlong_as_double((long long)(a))
)";

// What every metric may call, for a real type. `offset` brings the mantissa of a number into [sqrt(1/2),
// sqrt(2)): the bits of 1 less those of sqrt(1/2).
constexpr std::string_view kOperations = R"(
#define QDR_OPERATIONS(S, real, bits, offset, one, shift, bias, base) \
  QDR_FUNCTION real qdr_at_most##S(real a, real limit) { return a > limit ? limit : a; } \
  QDR_FUNCTION real qdr_at_least##S(real a, real limit) { return a < limit ? limit : a; } \
  QDR_FUNCTION real qdr_max_magnitude##S(real a, real b) { return a != a || a > b ? a : b; } \
  QDR_FUNCTION real qdr_ratio##S(real a, real b) { return a == 0 && b == 0 ? 0 : a / b; } \
  QDR_FUNCTION bits qdr_biased_exponent##S(real a) { return (qdr_bits##S(a) + offset) >> shift; } \
  QDR_FUNCTION real qdr_exponent##S(real a) { return (real)((int)qdr_biased_exponent##S(a) - bias); } \
  QDR_FUNCTION real qdr_mantissa##S(real a) { \
    return qdr_number##S(qdr_bits##S(a) - (qdr_biased_exponent##S(a) << shift) + one); \
  } \
  QDR_FUNCTION real qdr_power_of_two##S(real n) { return qdr_number##S(qdr_bits##S(n + base) << shift); } \
  QDR_FUNCTION real qdr_count_common##S(real x, real y, real count) { \
    return count + (real)qdr_popcount##S(qdr_bits##S(x) & qdr_bits##S(y)); \
  }
QDR_OPERATIONS(_f32, float, qdr_bits32, 0x4afb0du, 0x3f800000u, 23, 127, 8388735.0f)
QDR_OPERATIONS(_f64, double, qdr_bits64, (qdr_bits64)0x95f619980c433, (qdr_bits64)0x3ff0000000000000, 52, 1023, 4503599627371519.0)
)";

std::string with_operations(std::string_view language) { return text(language, kOperations); }

/// Functions of one pass.
class Functions {
 public:
  Functions(std::size_t kernels, DType compute, std::string_view pass)
      : name_(text(name_of_kernels(kernels), pass)),
        real_(compute == DType::kFloat32 ? "float" : "double"),
        style_{real_, suffix_of(compute), compute == DType::kFloat32} {}

  const TextStyle& style() const { return style_; }

  std::string step(std::size_t accumulators, const std::string& body) const {
    std::string out =
        text("QDR_FUNCTION void ", name_, "_step", style_.suffix, "(", real_, " x, ", real_, " y, ", real_,
             " w, const ", real_, "* f, const ", real_, "* p, ", real_, " first, ", real_, "* a) {\n");
    out += read("a", accumulators, "") + read("f", kMostFeatureParameters, "const ") +
           read("p", kMostParameters, "const ") + body;
    for (std::size_t a = 0; a < accumulators; ++a) out += text("a[", a, "] = a", a, ";\n");
    return out + "}\n";
  }

  std::string finish(std::size_t accumulators, const std::string& body) const {
    return text("QDR_FUNCTION ", real_, " ", name_, "_finish", style_.suffix, "(const ", real_, "* a, const ",
                real_, "* p, ", real_, " first, ", real_, " x_summary, ", real_, " y_summary) {\n", real_,
                " result;\n", read("a", accumulators, "const "), read("p", kMostParameters, "const "), body,
                "return result;\n}\n");
  }

 private:
  /// "const float p0 = p[0];\n" and so on.
  std::string read(std::string_view array, std::size_t count, std::string_view constant) const {
    std::string out;
    for (std::size_t i = 0; i < count; ++i)
      out += text(constant, real_, ' ', array, i, " = ", array, '[', i, "];\n");
    return out;
  }

  std::string name_;
  std::string_view real_;
  TextStyle style_;
};

}  // namespace

std::string_view prelude(Language language) {
  static const std::string c = with_operations(kC);
  static const std::string opencl = with_operations(kOpenCl);
  static const std::string cuda = with_operations(kCuda);
  switch (language) {
    case Language::kOpenCl:
      return opencl;
    case Language::kCuda:
      return cuda;
    default:
      return c;
  }
}

std::string_view suffix_of(DType compute) { return compute == DType::kFloat32 ? "_f32" : "_f64"; }

std::string functions_of(std::size_t kernels, DType compute) {
  const TracedMetric traced = trace_metric(kernels, compute);
  std::string out;
  if (traced.first_finish != Graph::kNone) {
    const Functions first(kernels, compute, "_first");
    out += first.step(traced.first_step.size(), traced.first_step_text(first.style()));
    out += first.finish(traced.first_step.size(), traced.first_finish_text(first.style()));
  }
  const Functions functions(kernels, compute, "");
  out += functions.step(traced.step.size(), traced.step_text(functions.style()));
  return out + functions.finish(traced.step.size(), traced.finish_text(functions.style()));
}

}  // namespace quadrance::internal
