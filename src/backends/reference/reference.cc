// SPDX-License-Identifier: Apache-2.0
#include "backends/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "backends/power_of_two.h"
#include "messages.h"
#include "metrics/all.h"
#include "metrics/weighted-inl.h"

namespace quadrance::internal {
namespace {

/// The operations a metric is written in, on plain doubles.
template <Scaling kScaling, Range kRange>
struct ScalarOps {
  double feature_weight = 1;

  double weight() const { return feature_weight; }
  double difference(double x, double y) const {
    if constexpr (kScaling == Scaling::kUp) return (x - y) * power_of_two<double>(kRange.up);
    return scaled(x) - scaled(y);
  }
  double sum(double x, double y) const { return scaled(x) + scaled(y); }
  void keep_in_range(double* x, double* y) const {
    if constexpr (kScaling == Scaling::kDown) {
      if (std::max(std::abs(*x), std::abs(*y)) <= std::numeric_limits<double>::max() / 4) return;
      *x *= 0.25;
      *y *= 0.25;
    }
  }
  double constant(double value) const { return value; }
  double multiply(double a, double b) const { return a * b; }
  double at_most(double a, double limit) const { return a > limit ? limit : a; }
  double abs(double a) const { return std::abs(a); }
  double add(double a, double b) const { return a + b; }
  double max_magnitude(double a, double b) const { return std::isnan(a) || a > b ? a : b; }
  double ratio(double a, double b) const { return a == 0 && b == 0 ? 0 : a / b; }
  double multiply_add(double a, double b, double c) const { return a * b + c; }
  double sqrt(double a) const { return std::sqrt(a); }

  template <int kDegree>
  static constexpr int unscaling() {
    if (kScaling == Scaling::kNone) return 0;
    return -kDegree * (kScaling == Scaling::kUp ? kRange.up : kRange.down);
  }
  template <int kDegree>
  double unscale(double result) const {
    if constexpr (kScaling != Scaling::kNone) {
      constexpr int kExponent = kScaling == Scaling::kUp ? kRange.up : kRange.down;
      for (int i = 0; i < kDegree; ++i) result *= power_of_two<double>(-kExponent);
    }
    return result;
  }

 private:
  static double scaled(double value) {
    return kScaling == Scaling::kDown ? value * power_of_two<double>(kRange.down) : value;
  }
};

/// A sum kept in two numbers (Knuth's two-sum), so that its error does not grow with the number of blocks.
struct TwoSum {
  double head = 0;
  double tail = 0;
  void add(double value) {
    const double sum = head + value;
    const double b = sum - head;
    tail += (head - (sum - b)) + (value - b);
    head = sum;
  }
  double total() const { return std::isfinite(head) ? head + tail : head; }
};

struct Maximum {
  double value = 0;
  void add(double other) { value = ScalarOps<Scaling::kNone, Range{}>().max_magnitude(value, other); }
  double total() const { return value; }
};

template <class Metric>
using Total = std::conditional_t<Metric::combine == Combine::kSum, TwoSum, Maximum>;

template <class Metric>
constexpr Range range_of() {
  if constexpr (Metric::redo == Redo::kNever)
    return {};
  else
    return Metric::float64;
}

template <class Metric, class T, Scaling kScaling>
double distance(const TileCall<T>& call, const T* x, const T* y) {
  constexpr int kA = Metric::accumulators;
  constexpr bool kWeighted = requires { Metric::weighted; };
  ScalarOps<kScaling, range_of<Metric>()> o;
  Total<Metric> totals[kA];
  for (std::int64_t f = 0; f < call.features;) {
    double sums[kA] = {};
    for (const std::int64_t end = std::min(call.features, f + kFeatureBlock); f < end; ++f) {
      if constexpr (kWeighted) o.feature_weight = static_cast<double>(call.weights[f]);
      Metric::step(o, sums, static_cast<double>(x[f]), static_cast<double>(y[f]));
    }
    for (int a = 0; a < kA; ++a) totals[a].add(sums[a]);
  }
  double sums[kA];
  for (int a = 0; a < kA; ++a) sums[a] = totals[a].total();
  const double result = Metric::finish(o, sums);
  if constexpr (!kWeighted) return o.template unscale<Metric::info.degree>(result);
  return std::ldexp(result, call.weight_exponent + o.template unscaling<Metric::info.degree>());
}

/// Panels of one row and one column: the packed layout of both is then the plain row.
template <class Metric, class T, Scaling kScaling>
bool fill(const TileCall<T>& call) {
  bool within = false;
  for (std::int64_t r = 0; r < call.row_panels; ++r) {
    const T result =
        static_cast<T>(distance<Metric, T, kScaling>(call, call.rows + r * call.row_stride, call.columns));
    if constexpr (kScaling != Scaling::kNone) {
      T& plain = call.mend[r * call.out_stride];
      const auto [low, high] = std::minmax(call.row_trust[r], call.column_trust[0]);
      if (kScaling == Scaling::kUp ? plain < high : !(plain <= low)) plain = result;
      continue;
    }
    call.out[r * call.out_stride] = result;
    if (call.direct != nullptr) call.direct[r * call.direct_stride] = result;
    within = within || (call.limits != nullptr && result <= call.limits[r]);
  }
  return within;
}

template <class Metric, class T>
Kernel<T> make_kernel() {
  Kernel<T> kernel;
  kernel.rows = 1;
  kernel.cols = 1;
  kernel.fill[static_cast<int>(Scaling::kNone)] = &fill<Metric, T, Scaling::kNone>;
  // Sums of float32 neither overflow nor vanish in float64: every result is trusted.
  if constexpr (sizeof(T) == 8 && Metric::redo != Redo::kNever) {
    kernel.row_limits.large = power_of_two<T>(Metric::float64.large);
    kernel.fill[static_cast<int>(Scaling::kDown)] = &fill<Metric, T, Scaling::kDown>;
  }
  if constexpr (sizeof(T) == 8 && Metric::redo == Redo::kLargeRows) kernel.highest = -1;
  if constexpr (sizeof(T) == 8 && Metric::redo == Redo::kOutOfRange) {
    const ScalarOps<Scaling::kNone, Metric::float64> o;
    const double lowest[] = {power_of_two<double>(Metric::float64.lowest)};
    const double highest[] = {std::numeric_limits<double>::max()};
    kernel.row_limits.coarse = power_of_two<T>(Metric::float64.coarse);
    kernel.lowest = Metric::finish(o, lowest);
    kernel.highest = Metric::finish(o, highest);
    kernel.fill[static_cast<int>(Scaling::kUp)] = &fill<Metric, T, Scaling::kUp>;
  }
  return kernel;
}

template <class Metric>
KernelSet make_kernels() {
  KernelSet kernels{make_kernel<Metric, float>(), make_kernel<Metric, double>(), {}};
  if constexpr (requires { Metric::weight_halves; }) {
    kernels.weighted = make_kernel<plain::Weighted<Metric>, double>();
    kernels.weight_halves = Metric::weight_halves;
  }
  return kernels;
}

template <class Out, class T>
void copy(const Block<T>& block, const RowPlaces& places, bool) {
  for (std::int64_t r = 0; r < block.rows; ++r) {
    Out* to = reinterpret_cast<Out*>(places.from(r).first);
    for (std::int64_t c = 0; c < block.cols; ++c) to[c] = static_cast<Out>(block.data[r * block.stride + c]);
  }
}

template <class T>
void transpose(const Block<T>& block, T* out, std::int64_t out_stride, bool) {
  for (std::int64_t r = 0; r < block.rows; ++r) {
    for (std::int64_t c = 0; c < block.cols; ++c) out[c * out_stride + r] = block.data[r * block.stride + c];
  }
}

template <class T>
void flag(const Block<T>& rows, const RowLimits<T>& limits, std::uint8_t* flags) {
  for (std::int64_t r = 0; r < rows.rows; ++r) {
    for (std::int64_t f = 0; f < rows.cols; ++f) {
      const T magnitude = std::abs(rows.data[r * rows.stride + f]);
      const bool finite = magnitude <= std::numeric_limits<T>::max();
      const bool fine = magnitude < limits.coarse && magnitude > 0;
      const int flag = (fine ? kFine : 0) | (finite && magnitude >= limits.large ? kLarge : 0);
      flags[r] = static_cast<std::uint8_t>(flags[r] | flag);
    }
  }
}

template <class T>
Doubts inspect(const Block<T>& block, T lowest, T highest) {
  Doubts doubts;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    for (std::int64_t c = 0; c < block.cols; ++c) {
      const T result = block.data[r * block.stride + c];
      doubts.too_small = doubts.too_small || result < lowest;
      doubts.too_large = doubts.too_large || result > highest;
    }
  }
  return doubts;
}

constexpr Movers kMovers{
    copy<float, float>, copy<double, double>, copy<float, double>, transpose<float>, transpose<double>,
    flag<float>,        flag<double>,         inspect<float>,      inspect<double>,  [] {}};

using KernelsFor = KernelSet (*)();
constexpr KernelsFor kKernels[] = {
#define METRIC(name, Struct, kernels) make_kernels<plain::Struct>,
#include "metrics/list.inc"
#undef METRIC
};

class Reference final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }
  std::string_view description() const override { return "plain loops in float64, one row against all"; }
  std::vector<std::string_view> targets() const override { return {"plain"}; }

  std::string take(std::size_t metric, std::string_view target, Engine* engine) const override {
    if (!target.empty() && target != "plain") return messages::no_such_target(target, targets());
    engine->target = "plain";
    engine->kernels = kKernels[metric]();
    engine->movers = &kMovers;
    return {};
  }
};

}  // namespace

const Backend& reference_backend() noexcept {
  static const Reference backend;
  return backend;
}

}  // namespace quadrance::internal
