// SPDX-License-Identifier: Apache-2.0
// The printed text of every metric, compiled as plain C, gives the bits of the scalar operations; and what
// the texts for GPUs look like. That GPU compilers take them: test_text.py.
#include "expression/text.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backends/reference/scalar_ops.h"
#include "expression/text_table.h"
#include "expression/tracer.h"
#include "gtest/gtest.h"
#include "metrics/all.h"
#include "metrics/kernel_parameters.h"

namespace quadrance::internal {
namespace {

template <class T>
using TextOf = std::conditional_t<sizeof(T) == 4, qdr_text_f32, qdr_text_f64>;

template <class T>
const TextOf<T>* find_text(std::string_view metric) {
  const TextOf<T>* text = nullptr;
  if constexpr (sizeof(T) == 4)
    text = qdr_texts_f32;
  else
    text = qdr_texts_f64;
  while (text->metric != nullptr && text->metric != metric) ++text;
  return text->metric != nullptr ? text : nullptr;
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

/// Numbers of all sizes; every bit pattern where the metric counts bits; magnitudes for distributions.
template <class T>
class Numbers {
 public:
  enum Kind { kAny, kNotNegative, kWords };
  explicit Numbers(Kind kind) : kind_(kind) {}
  T next() {
    if (kind_ == kWords) {
      if constexpr (sizeof(T) == 4)
        return std::bit_cast<T>(static_cast<std::uint32_t>(random_()));
      else
        return std::bit_cast<T>(random_());
    }
    const T number = pick();
    return kind_ == kNotNegative ? std::abs(number) : number;
  }
  T magnitude() { return static_cast<T>(std::ldexp(1 + uniform(), static_cast<int>(random_() % 9) - 4)); }

 private:
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  T pick() {
    using Limits = std::numeric_limits<T>;
    constexpr T kSpecial[] = {0,
                              -T{0},
                              1,
                              Limits::max(),
                              Limits::min(),
                              Limits::denorm_min(),
                              T{0.1f},
                              Limits::infinity(),
                              Limits::quiet_NaN()};
    const auto kind = random_() % 16;
    if (kind == 0) return kSpecial[random_() % std::size(kSpecial)];
    const auto sign = random_() % 2 == 0 ? 1 : -1;
    const int range = kind < 4 ? Limits::max_exponent / 4 : 3;
    return static_cast<T>(sign *
                          std::ldexp(1 + uniform(), static_cast<int>(random_() % (2 * range)) - range));
  }

  Kind kind_;
  std::mt19937_64 random_{20261203};
};

template <class T>
struct Pair {
  std::vector<T> x, y, w, f, p;
  T x_summary, y_summary;
};

template <class T>
Pair<T> make_pair(Numbers<T>* numbers, std::size_t features) {
  Pair<T> pair{};
  for (std::size_t k = 0; k < features; ++k) {
    pair.x.push_back(numbers->next());
    pair.y.push_back(k % 5 == 4 ? pair.x.back() : numbers->next());
    pair.w.push_back(numbers->magnitude());
    for (int i = 0; i < kMostFeatureParameters; ++i) pair.f.push_back(numbers->magnitude());
  }
  for (int i = 0; i < kMostParameters; ++i) pair.p.push_back(numbers->magnitude());
  pair.x_summary = numbers->magnitude();
  pair.y_summary = features % 2 == 0 ? pair.x_summary : numbers->magnitude();
  return pair;
}

template <class Step, class T>
T run_scalar(const Pair<T>& pair, T first) {
  ScalarOps<T, Scaling::kNone, Range{}> o;
  std::copy_n(pair.p.begin(), kMostParameters, o.parameters);
  o.first_result = first;
  T sums[Step::accumulators] = {};
  for (std::size_t k = 0; k < pair.x.size(); ++k) {
    o.feature_weight = pair.w[k];
    std::copy_n(pair.f.begin() + static_cast<std::ptrdiff_t>(k * kMostFeatureParameters),
                kMostFeatureParameters, o.feature_values);
    Step::step(o, sums, pair.x[k], pair.y[k]);
  }
  o.row_value = pair.x_summary;
  o.column_value = pair.y_summary;
  return Step::finish(o, sums);
}

template <class Step, class Finish, class T>
T run_text(Step* step, Finish* finish, int accumulators, const Pair<T>& pair, T first) {
  std::vector<T> sums(static_cast<std::size_t>(accumulators));
  for (std::size_t k = 0; k < pair.x.size(); ++k)
    step(pair.x[k], pair.y[k], pair.w[k], pair.f.data() + k * kMostFeatureParameters, pair.p.data(), first,
         sums.data());
  return finish(sums.data(), pair.p.data(), first, pair.x_summary, pair.y_summary);
}

template <class Metric>
constexpr auto kind_of() {
  if (Metric::combine == Combine::kCount) return Numbers<double>::kWords;
  if (Metric::info.domain == "numbers not below 0") return Numbers<double>::kNotNegative;
  return Numbers<double>::kAny;
}

template <class Metric, class T>
void expect_same_bits(std::string_view name) {
  const TextOf<T>* text = find_text<T>(name);
  ASSERT_NE(text, nullptr) << name;
  ASSERT_EQ(text->accumulators, Metric::accumulators) << name;
  Numbers<T> numbers(static_cast<typename Numbers<T>::Kind>(kind_of<Metric>()));
  for (std::size_t turn = 0; turn < 2000; ++turn) {
    const Pair<T> pair = make_pair(&numbers, turn % 12);
    T first_scalar = 0;
    T first_text = 0;
    if constexpr (requires { typename Metric::FirstPass; }) {
      ASSERT_NE(text->first_step, nullptr) << name;
      first_scalar = run_scalar<typename Metric::FirstPass>(pair, T{0});
      first_text =
          run_text(text->first_step, text->first_finish, Metric::FirstPass::accumulators, pair, T{0});
      ASSERT_TRUE(same_bits(first_scalar, first_text)) << name;
    }
    const T scalar = run_scalar<Metric>(pair, first_scalar);
    const T got = run_text(text->step, text->finish, Metric::accumulators, pair, first_text);
    ASSERT_TRUE(same_bits(scalar, got)) << name << " turn " << turn << ": " << scalar << " and " << got;
  }
}

template <class Metric>
void check(std::string_view name) {
  SCOPED_TRACE(name);
  if constexpr (!Metric::info.in_float64)
    expect_same_bits<Metric, float>(name);
  else
    EXPECT_EQ(find_text<float>(name), nullptr) << name;
  expect_same_bits<Metric, double>(name);
}

TEST(Text, OfEveryMetricIsTheScalarOperations) {
#define METRIC(name, Struct, kernels) check<plain::Struct>(#name);
#define KERNELS(name, Struct) check<plain::Struct>(#name);
#include "metrics/list.inc"
}

TEST(Text, NoMetricIsLeftOut) {
  std::size_t found = 0;
  for (const qdr_text_f64* text = qdr_texts_f64; text->metric != nullptr; ++text) ++found;
  EXPECT_EQ(found, count_of_kernels());
  EXPECT_GE(found, metrics().size());
}

TEST(Text, OfEuclidean) {
  const std::string text = functions_of(0, DType::kFloat32);
  EXPECT_NE(text.find("QDR_FUNCTION void euclidean_step_f32(float x, float y, float w, const float* f, const "
                      "float* p, float first, float* a) {\nfloat a0 = a[0];\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("const float t0 = x - y;\na0 = qdr_fma(t0, t0, a0);\na[0] = a0;\n}\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("result = sqrt(a0);\nreturn result;\n}\n"), std::string::npos) << text;
}

TEST(Text, ConstantsAreOfTheirDtype) {
  const auto of = [](DType dtype) {
    std::size_t kernels = 0;
    while (name_of_kernels(kernels) != "total_variation") ++kernels;
    return functions_of(kernels, dtype);
  };
  EXPECT_NE(of(DType::kFloat32).find("result = a0 * 0.5f;"), std::string::npos);
  EXPECT_NE(of(DType::kFloat64).find("result = a0 * 0.5;"), std::string::npos);
}

TEST(Text, EveryLanguageHasItsPrelude) {
  EXPECT_NE(prelude(Language::kOpenCl).find("FP_CONTRACT OFF"), std::string_view::npos);
  EXPECT_NE(prelude(Language::kCuda).find("__device__"), std::string_view::npos);
  for (const Language language : {Language::kC, Language::kOpenCl, Language::kCuda})
    EXPECT_NE(prelude(language).find("QDR_OPERATIONS(_f64, double"), std::string_view::npos);
}

}  // namespace
}  // namespace quadrance::internal
