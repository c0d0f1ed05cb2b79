// SPDX-License-Identifier: Apache-2.0
// Prints a program of all metrics: print_text c|opencl|cuda [NAME]. In C a table of their functions
// (text_table.h); for GPUs a kernel each, which computes one pair with one work item.
#include <cstring>
#include <iostream>
#include <string_view>

#include "expression/text.h"
#include "expression/tracer.h"
#include "metrics/kernel_parameters.h"

namespace quadrance::internal {
namespace {

constexpr std::string_view kOpenClKernels = R"(
#define QDR_KERNEL kernel
#define QDR_GLOBAL global
#define QDR_INDEX get_global_id(0)
)";

constexpr std::string_view kCudaKernels = R"(
#define QDR_KERNEL extern "C" __global__
#define QDR_GLOBAL
#define QDR_INDEX (blockIdx.x * blockDim.x + threadIdx.x)
)";

constexpr std::string_view kTableTypes = R"(
#include "expression/text_table.h"
)";

void replace(std::string* text, std::string_view what, std::string_view by) {
  for (std::size_t at = text->find(what); at != std::string::npos; at = text->find(what, at + by.size()))
    text->replace(at, what.size(), by);
}

/// Row i of x against row i of y.
std::string kernel_of(std::size_t kernels, DType compute) {
  const TracedMetric traced = trace_metric(kernels, compute);
  std::string out = R"(
QDR_KERNEL void NAME_pairs$(QDR_GLOBAL const REAL* x, QDR_GLOBAL const REAL* y, QDR_GLOBAL const REAL* w,
    QDR_GLOBAL const REAL* f, QDR_GLOBAL const REAL* p, int features, QDR_GLOBAL REAL* out) {
  const int i = QDR_INDEX;
  REAL parameters[10], a[COUNT] = {0}, first = 0;
  for (int k = 0; k < 10; ++k) parameters[k] = p[k];
  for (int pass = PASSES - 1; pass >= 0; --pass) {
    for (int k = 0; k < features; ++k) {
      const REAL of_feature[3] = {f[k], f[features + k], f[2 * features + k]};
      const REAL u = x[i * (features + 1) + k], v = y[i * (features + 1) + k];
      if (pass == 0) NAME_step$(u, v, w[k], of_feature, parameters, first, a);
      else FIRST_step$(u, v, w[k], of_feature, parameters, first, a);
    }
    const REAL s = x[i * (features + 1) + features], t = y[i * (features + 1) + features];
    if (pass == 0) out[i] = NAME_finish$(a, parameters, first, s, t);
    else { first = FIRST_finish$(a, parameters, first, s, t); for (int k = 0; k < COUNT; ++k) a[k] = 0; }
  }
}
)";
  const std::string name(name_of_kernels(kernels));
  const bool two = traced.first_finish != Graph::kNone;
  replace(&out, "PASSES", two ? "2" : "1");
  replace(&out, "FIRST", two ? name + "_first" : name);
  replace(&out, "NAME", name);
  replace(&out, "COUNT", std::to_string(traced.step.size()));
  replace(&out, "REAL", compute == DType::kFloat32 ? "float" : "double");
  replace(&out, "$", suffix_of(compute));
  return out;
}

std::string row_of_table(std::size_t kernels, DType compute) {
  const TracedMetric traced = trace_metric(kernels, compute);
  const std::string name(name_of_kernels(kernels));
  const std::string suffix(suffix_of(compute));
  const bool two = traced.first_finish != Graph::kNone;
  const auto first = [&](const char* function) { return two ? name + "_first_" + function + suffix : "0"; };
  return "  {\"" + name + "\", " + std::to_string(traced.step.size()) + ", " + name + "_step" + suffix +
         ", " + name + "_finish" + suffix + ", " + first("step") + ", " + first("finish") + "},\n";
}

void print(Language language, std::string_view only) {
  std::cout << prelude(language);
  if (language == Language::kOpenCl) std::cout << kOpenClKernels;
  if (language == Language::kCuda) std::cout << kCudaKernels;
  if (language == Language::kC) std::cout << kTableTypes;
  std::string tables[2];
  for (std::size_t kernels = 0; kernels < count_of_kernels(); ++kernels) {
    if (!only.empty() && name_of_kernels(kernels) != only) continue;
    for (const DType compute : {DType::kFloat32, DType::kFloat64}) {
      if (compute == DType::kFloat32 && !has_float32(kernels)) continue;
      std::cout << functions_of(kernels, compute);
      if (language != Language::kC) std::cout << kernel_of(kernels, compute);
      tables[compute == DType::kFloat64] += row_of_table(kernels, compute);
    }
  }
  if (language != Language::kC) return;
  std::cout << "const struct qdr_text_f32 qdr_texts_f32[] = {\n" << tables[0] << "  {0}};\n";
  std::cout << "const struct qdr_text_f64 qdr_texts_f64[] = {\n" << tables[1] << "  {0}};\n";
}

}  // namespace
}  // namespace quadrance::internal

int main(int argc, char** argv) {
  using quadrance::internal::Language;
  const std::string_view language = argc > 1 ? argv[1] : "";
  const std::string_view only = argc > 2 ? argv[2] : "";
  if (only == "--names") {
    for (std::size_t kernels = 0; kernels < quadrance::internal::count_of_kernels(); ++kernels)
      std::cout << quadrance::internal::name_of_kernels(kernels) << '\n';
    return 0;
  }
  if (language == "c") return quadrance::internal::print(Language::kC, only), 0;
  if (language == "opencl") return quadrance::internal::print(Language::kOpenCl, only), 0;
  if (language == "cuda") return quadrance::internal::print(Language::kCuda, only), 0;
  std::cerr << "print_text c|opencl|cuda [NAME | --names]\n";
  return 2;
}
