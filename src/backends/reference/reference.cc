// SPDX-License-Identifier: Apache-2.0
#include "backends/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "backends/power_of_two.h"
#include "backends/reference/scalar_ops.h"
#include "messages.h"
#include "metrics/all.h"
#include "metrics/traits-inl.h"
#include "metrics/weighted-inl.h"
#include "metrics/wide_rows.h"

namespace quadrance::internal {
namespace {

/// A sum kept in two numbers, so that its error does not grow with the number of blocks.
struct TwoSum : Wide {
  double total() const { return std::isfinite(head) ? head + tail : head; }
};

struct Maximum {
  double value = 0;
  void add(double other) { value = ScalarOps<double, Scaling::kNone, Range{}>().max_magnitude(value, other); }
  double total() const { return value; }
};

template <class Metric>
using Total = std::conditional_t<Metric::combine == Combine::kMaximum, Maximum, TwoSum>;

/// Step's steps over all features, block by block.
template <class Metric, class Step, class Ops, class T>
void accumulate(const TileCall<T>& call, const T* x, const T* y, Ops* o, double (&sums)[Step::accumulators]) {
  Total<Step> totals[Step::accumulators];
  const std::int64_t features = call.features - plain::summaries_of<Metric>();
  for (std::int64_t f = 0; f < features;) {
    double block[Step::accumulators] = {};
    for (const std::int64_t end = std::min(features, f + kFeatureBlock); f < end; ++f) {
      if constexpr (requires { Metric::weighted; }) o->feature_weight = static_cast<double>(call.weights[f]);
      if constexpr (requires { Metric::kFeatureParameters; }) {
        for (int i = 0; i < Metric::kFeatureParameters; ++i)
          o->feature_values[i] = static_cast<double>(call.feature_parameters[i * call.features + f]);
      }
      Step::step(*o, block, static_cast<double>(x[f]), static_cast<double>(y[f]));
    }
    for (int a = 0; a < Step::accumulators; ++a) totals[a].add(block[a]);
  }
  for (int a = 0; a < Step::accumulators; ++a) sums[a] = totals[a].total();
}

template <class Metric, class T, Scaling kScaling>
double distance(const TileCall<T>& call, const T* x, const T* y) {
  constexpr bool kWeighted = requires { Metric::weighted; };
  ScalarOps<double, kScaling, plain::range_of<Metric, double>()> o;
  if (call.parameters != nullptr) std::copy_n(call.parameters, kMostParameters, o.parameters);
  if constexpr (requires { typename Metric::FirstPass; }) {
    double first[1];
    accumulate<Metric, typename Metric::FirstPass>(call, x, y, &o, first);
    o.first_result = Metric::FirstPass::finish(o, first);
  }
  double sums[Metric::accumulators];
  accumulate<Metric, Metric>(call, x, y, &o, sums);
  if constexpr (plain::summaries_of<Metric>() > 0) {
    o.row_value = static_cast<double>(x[call.features - 1]);
    o.column_value = static_cast<double>(y[call.features - 1]);
  }
  const double result = Metric::finish(o, sums);
  if constexpr (!kWeighted) return o.template unscale<plain::degree_of<Metric>()>(result);
  return std::ldexp(result, call.weight_exponent + o.template unscaling<plain::degree_of<Metric>()>());
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
  if constexpr (sizeof(T) == 8 && Metric::redo == Redo::kExtremeRows) kernel.highest = -1;
  if constexpr (sizeof(T) == 8 && Metric::redo == Redo::kOutOfRange) {
    const ScalarOps<double, Scaling::kNone, Metric::float64> o;
    kernel.row_limits.coarse = power_of_two<T>(Metric::float64.coarse);
    kernel.lowest = plain::finish_alone<Metric>(o, power_of_two<double>(Metric::float64.lowest));
    kernel.highest = plain::finish_alone<Metric>(o, std::numeric_limits<double>::max());
    kernel.fill[static_cast<int>(Scaling::kUp)] = &fill<Metric, T, Scaling::kUp>;
  }
  return kernel;
}

template <class Metric>
KernelSet make_kernels() {
  KernelSet kernels{make_kernel<Metric, float>(), make_kernel<Metric, double>(), {}};
  if constexpr (plain::is_weighted<Metric>()) {
    kernels.weighted = make_kernel<plain::Weighted<Metric>, double>();
    kernels.weight_halves = Metric::weight_halves;
    kernels.sums_differences = requires { Metric::sums_differences; };
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
TwoSums sums(const T* row, std::int64_t count, T mean) {
  long double sum = 0;
  long double square = 0;
  for (std::int64_t f = 0; f < count; ++f) {
    const long double rest = row[f] - mean;
    sum += rest;
    square += rest * rest;
  }
  return {static_cast<double>(sum), static_cast<double>(square)};
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

constexpr Movers kMovers{copy<float, float>, copy<double, double>, copy<float, double>, transpose<float>,
                         transpose<double>,  flag<float>,          flag<double>,        sums<float>,
                         sums<double>,       inspect<float>,       inspect<double>,     [] {}};

template <class Metric>
const KernelSet& kernels_for() {
  static const KernelSet kernels = make_kernels<Metric>();
  return kernels;
}

using KernelsFor = const KernelSet& (*)();
constexpr KernelsFor kKernels[] = {
#define METRIC(name, Struct, kernels) kernels_for<plain::Struct>,
#define KERNELS(name, Struct) kernels_for<plain::Struct>,
#include "metrics/list.inc"
};

class Reference final : public Backend {
 public:
  std::string_view name() const override { return "reference"; }
  std::string_view description() const override { return "plain loops in float64, one row against all"; }
  std::vector<std::string_view> targets() const override { return {"plain"}; }

  std::string take(std::size_t kernels, std::string_view target, const JobSize&,
                   Engine* engine) const override {
    if (!target.empty() && target != "plain") return messages::no_such_target(target, targets());
    engine->target = "plain";
    engine->kernels = &kKernels[kernels]();
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
