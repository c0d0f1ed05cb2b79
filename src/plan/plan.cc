// SPDX-License-Identifier: Apache-2.0
#include "quadrance/plan.h"

#include <algorithm>
#include <limits>

#include "messages.h"
#include "plan/job.h"
#include "plan/machine.h"
#include "plan/schedule.h"
#include "plan/tile_layout.h"
#include "plan/weights.h"

namespace quadrance {
namespace internal {
namespace {

// Jobs that allocate less do not ask the system what is left: reading a dozen files costs more than they do.
constexpr std::int64_t kAskForMemoryFrom = std::int64_t{64} << 20;
// Steps (one feature of one pair) worth a thread of their own: about 0.2 ms of work, several times a wake-up
// (50 us in a virtual machine) and what moving results between caches costs.
constexpr double kStepsPerThread = 6e6;
// A pair costs about as much as this many features before the first one is added: root, store, transpose.
constexpr double kPairSteps = 20;
constexpr int kMaxThreads = 1024;
constexpr std::int64_t kFloat64Bytes = 8;

std::size_t metric_index(const Plan& plan) {
  return static_cast<std::size_t>(plan.metric - metrics().data());
}

void check_shape(const MatrixView& view, std::string_view which) {
  if (view.rows < 0 || view.cols < 0) throw messages::negative_size(which, view.rows, view.cols);
}

bool is_packable(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64:
      return true;
    default:
      return false;
  }
}

int element_bits(DType dtype) { return 8 * static_cast<int>(size_of(dtype)); }

/// Bits of the largest difference of two integers of a dtype; 0: not an integer small enough to matter.
int difference_bits(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return 1;
    case DType::kInt8:
    case DType::kUint8:
      return 8;
    case DType::kInt16:
    case DType::kUint16:
      return 16;
    default:
      return 0;
  }
}

bool is_small_float(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBfloat16 || dtype == DType::kFloat32;
}

/// Can float32 hold the elements, and for two sets of integers every block sum, exactly?
bool float32_is_exact(DType x, DType y, int growth) {
  const int x_bits = difference_bits(x);
  const int y_bits = difference_bits(y);
  if (is_small_float(x) || is_small_float(y)) {
    return (is_small_float(x) || x_bits > 0) && (is_small_float(y) || y_bits > 0);
  }
  if (x_bits == 0 || y_bits == 0 || growth == MetricInfo::kNeverExact) return false;
  constexpr int kBlockBits = 7;                                  // 128 terms
  const int bits = std::max(x_bits, y_bits) + (x == y ? 0 : 1);  // int8 against uint8 differ by up to 9 bits
  return growth * bits + kBlockBits <= std::numeric_limits<float>::digits;
}

/// Of the metric, or of the one whose kernels its parameters choose.
int find_growth(const Plan& plan) {
  for (const MetricInfo& metric : metrics()) {
    if (metric.name() == plan.kernels) return metric.growth;
  }
  return plan.metric->growth;
}

DType choose_result(bool exact_in_float32, const Options& options, const OutputView* out) {
  if (out != nullptr) {
    if (options.dtype && *options.dtype != out->dtype) {
      throw messages::out_dtype_differs(name_of(out->dtype), name_of(*options.dtype));
    }
    return out->dtype;
  }
  return options.dtype.value_or(exact_in_float32 ? DType::kFloat32 : DType::kFloat64);
}

void choose_dtypes(const MatrixView& x, const MatrixView& y, const Options& options,
                   const MetricParameters& parameters, const OutputView* out, Plan* plan) {
  const bool exact = float32_is_exact(x.dtype, y.dtype, find_growth(*plan));
  plan->input = size_of(y.dtype) > size_of(x.dtype) ? y.dtype : x.dtype;
  plan->result = choose_result(exact, options, out);
  if (plan->result != DType::kFloat32 && plan->result != DType::kFloat64) {
    throw messages::out_dtype(name_of(plan->result));
  }
  // Rounding the rows to float32 first would bring back the error that grows with the distance from the
  // origin: a narrower result is rounded at the very end.
  // Weighted sums are taken in float64 too: of float32 rows they then neither over- nor underflow.
  const bool narrow = exact && plan->result == DType::kFloat32 && !plan->weighted &&
                      !in_float64(metric_index(*plan), parameters);
  plan->compute = narrow ? DType::kFloat32 : DType::kFloat64;
}

std::string device_names() {
  std::vector<std::string_view> names;
  for (const Backend* backend : backends()) names.push_back(backend->name());
  return messages::list(names);
}

/// "cpu-avx2" -> "cpu", "avx2".
std::pair<std::string_view, std::string_view> split_device(std::string_view device) {
  const std::size_t dash = device.find('-');
  const bool has_target = dash != std::string_view::npos && dash + 1 < device.size();
  if (!has_target) return {device, {}};
  return {device.substr(0, dash), device.substr(dash + 1)};
}

/// Of a pair: words of 64 features take a step each.
std::int64_t stepped_features(const Plan& plan) { return plan.form == "bits" ? plan.d / 64 + 1 : plan.d; }

/// Features of pairs that are to be computed, and what finishing and storing a pair costs beside them.
double steps(const Plan& plan) {
  const double pairs =
      static_cast<double>(plan.n) * static_cast<double>(plan.m) * (plan.symmetric ? 0.5 : 1.0);
  return pairs * (static_cast<double>(stepped_features(plan)) + kPairSteps);
}

Engine choose_engine(const Options& options, const MetricParameters& parameters, Plan* plan) {
  const std::size_t kernels = kernels_of(metric_index(*plan), parameters);
  plan->kernels = name_of_kernels(kernels);
  plan->form = counts_bits(kernels) ? "bits" : plan->metric->form == "product" ? "product" : "direct";
  const bool automatic = options.device == "auto";
  const auto [name, target] = split_device(options.device);
  for (const Backend* backend : backends()) {
    if (!automatic && backend->name() != name) continue;
    Engine engine;
    const std::string reason = backend->take(kernels, automatic ? std::string_view{} : target,
                                             {stepped_features(*plan), steps(*plan)}, &engine);
    if (reason.empty()) {
      plan->device = backend->name();
      plan->target = engine.target;
      plan->target_source = engine.why;
      return engine;
    }
    if (!automatic) throw messages::device_refuses(options.device, reason);
    plan->skipped.emplace_back(backend->name(), reason);
  }
  throw messages::unknown_device(options.device, device_names());
}

void choose_threads(const Options& options, Plan* plan) {
  if (options.threads < 0 || options.threads > kMaxThreads) throw messages::bad_threads(options.threads);
  const double worth = steps(*plan) / kStepsPerThread;
  if (worth < 2 || options.threads == 1) {
    plan->threads = 1;
    plan->threads_source = options.threads == 1 ? "asked for" : "job too small to share";
    return;
  }
  const ThreadCount wanted =
      options.threads > 0 ? ThreadCount{options.threads, "asked for"} : count_threads();
  plan->threads = static_cast<int>(std::min(worth, static_cast<double>(wanted.threads)));
  plan->threads_source = wanted.source;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b, const Plan& plan) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw messages::too_many_elements(plan.n, plan.m);
  return product;
}

// No memory holds one row of more, and scratch for some rows is still counted without overflow.
constexpr std::int64_t kMostFeatures = std::int64_t{1} << 40;

/// Features of a point: elements or, of packed rows, their bits or as many of them as were asked for.
std::int64_t count_features(const MatrixView& x, const MatrixView* y, const Options& options,
                            const MetricInfo& metric) {
  const std::optional<std::int64_t>& packed = options.parameters.packed;
  if (!packed) return x.cols;
  if (!metric.takes("packed")) throw messages::unknown_parameter(metric.name(), "packed", metric.parameters);
  if (!options.parameters.w.empty()) throw messages::packed_with_weights();
  if (!is_packable(x.dtype)) throw messages::packed_not_integers(options.x_name, name_of(x.dtype));
  if (y != nullptr && !is_packable(y->dtype))
    throw messages::packed_not_integers(options.y_name, name_of(y->dtype));
  if (y != nullptr && size_of(x.dtype) != size_of(y->dtype))
    throw messages::packed_differs(name_of(x.dtype), name_of(y->dtype));
  if (x.cols > kMostFeatures) throw messages::too_many_features(x.cols);
  const std::int64_t bits = x.cols * element_bits(x.dtype);
  if (*packed < 0 || *packed > bits) {
    throw messages::bad_parameter(
        "packed", static_cast<double>(*packed),
        messages::text("it must be from 1 to ", bits, ", the bits of a row, or 0 for all of them"));
  }
  return *packed == 0 ? bits : *packed;
}

/// Of points of bool the same metrics take the same kernels as of packed rows; each element is a feature.
MetricParameters as_packed(const MatrixView& x, const MatrixView& y, MetricParameters given,
                           const Plan& plan) {
  const bool are_bool = x.dtype == DType::kBool && y.dtype == DType::kBool;
  if (are_bool && plan.metric->takes("packed") && given.w.empty()) given.packed = plan.d;
  return given;
}

void count_bytes(const MatrixView& x, const MatrixView* y, const OutputView* out, Plan* plan) {
  const auto bytes = [&](const MatrixView& view) {
    return checked_product(checked_product(view.rows, view.cols, *plan),
                           static_cast<std::int64_t>(size_of(view.dtype)), *plan);
  };
  if (plan->d > kMostFeatures) throw messages::too_many_features(plan->d);
  // Prepared and packed copies, in float64 at most, with what is rounded up.
  constexpr std::int64_t kMostRounding = 4096;
  checked_product(checked_product(plan->n + kMostRounding, plan->d + kMostRounding, *plan), 2 * kFloat64Bytes,
                  *plan);
  checked_product(checked_product(plan->m + kMostRounding, plan->d + kMostRounding, *plan), 2 * kFloat64Bytes,
                  *plan);
  plan->bytes_in = bytes(x) + (y != nullptr ? bytes(*y) : 0);
  // n * m must itself be countable, also for the condensed half of it.
  const std::int64_t dense = checked_product(plan->n, plan->m, *plan);
  const std::int64_t elements = plan->layout == Layout::kCondensed ? condensed_size(plan->n) : dense;
  plan->bytes_out = checked_product(elements, static_cast<std::int64_t>(size_of(plan->result)), *plan);
  plan->bytes_out_new = out == nullptr ? plan->bytes_out : 0;
}

std::string ways_out(const Plan& plan) {
  std::vector<std::string_view> ways;
  if (takes_covariance(*plan.metric) && plan.bytes_scratch / 2 > plan.bytes_out_new)
    return "most of it are matrices [d, d]: take fewer features";
  if (plan.symmetric && plan.layout == Layout::kDense) ways.push_back("the condensed triangle takes half");
  if (plan.result == DType::kFloat64) ways.push_back("dtype float32 takes half");
  ways.push_back("rows can be computed in parts, each against all");
  return messages::list(ways);
}

void require_memory(const Options& options, Plan* plan) {
  std::int64_t needed = 0;
  if (__builtin_add_overflow(plan->bytes_out_new, plan->bytes_scratch, &needed))
    throw messages::too_many_elements(plan->n, plan->m);
  MemoryLimit limit{options.memory_limit, "memory_limit"};
  if (options.memory_limit == 0) {
    if (needed < kAskForMemoryFrom) return;
    limit = available_memory();
    if (needed > limit.available) {
      release_memory();
      limit = available_memory();
    }
  }
  plan->bytes_available = limit.available;
  if (needed > limit.available) {
    throw messages::does_not_fit(needed, limit.available, limit.source, ways_out(*plan));
  }
}

/// Panels of one task: enough tasks that the last ones do not leave threads idle, few enough to be worth
/// taking.
std::int64_t choose_panels_per_task(std::int64_t strips, int threads, std::int64_t most) {
  constexpr std::int64_t kTasksPerThread = 32;
  return std::clamp<std::int64_t>(strips / (threads * kTasksPerThread), 1, most);
}

/// Threads that first touch a page at once each clear one, and all but one of these are thrown away. The rows
/// of a band share huge pages, so workers on a rectangle take a band each, in tasks that are worth packing it
/// for (2 threads on fresh memory, n = 20,000, d = 3, float64: 1,550 page faults instead of 3,000, 1.2 times
/// faster). Workers on a triangle share a band: what they mirror, most of the pages, lies in rows of their
/// own.
Schedule make_schedule(const Plan& plan, const TileLayout& layout, std::int64_t panel_cols) {
  constexpr std::int64_t kPanelsWorthABand = 16;
  const std::int64_t bands = divide_up(plan.n, layout.band_rows);
  const std::int64_t panels = divide_up(plan.m, panel_cols);
  const std::int64_t strips = plan.symmetric ? bands * panels / 2 : bands * panels;
  const std::int64_t most = plan.symmetric ? kPanelsWorthABand : 4 * kPanelsWorthABand;
  std::int64_t per_task = choose_panels_per_task(strips, plan.threads, most);
  // Pieces of a band alike: the last one is worth the band too.
  if (!plan.symmetric && panels > 0) per_task = divide_up(panels, divide_up(panels, per_task));
  return Schedule({plan.n, plan.m, plan.symmetric, layout.band_rows, panel_cols, per_task,
                   !plan.symmetric && per_task >= kPanelsWorthABand});
}

/// Lays tiles out and counts scratch. Where all threads that were wanted need more beside a packed and a
/// prepared copy of the rows than kWorkersBytes, bands are smaller, and at last threads fewer.
template <class T>
void count_scratch(Job* job) {
  Plan& plan = job->plan;
  const std::int64_t rows = plan.symmetric ? plan.n : plan.n + plan.m;
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t copy = rows * job->columns * kSize;
  const std::int64_t prepared = job->prepares ? rows * job->features * kSize : 0;
  const TileLayout& layout = job->layout.emplace(job->template kernel<T>(), plan.n, plan.m, job->features,
                                                 (kWorkersBytes + (job->prepares ? 0 : copy)) / plan.threads);
  const std::int64_t shared = layout.packed_bytes + prepared;
  const std::int64_t worker =
      layout.scratch_bytes +
      (job->prepares ? (job->rows_at_once() * job->columns + 3 * job->features) * kFloat64Bytes : 0);
  const std::int64_t most = std::max<std::int64_t>(1, (kWorkersBytes + 2 * copy - shared) / worker);
  if (most < plan.threads) {
    plan.threads = static_cast<int>(most);
    plan.threads_source = "as the scratch of more would outgrow the input";
  }
  plan.bytes_scratch = shared + plan.threads * worker;
  if (takes_covariance(*plan.metric)) {
    // A copy of V or VI, and three squares in long double: what is factorised, and again of a pseudo-inverse.
    const std::int64_t square = checked_product(plan.d, plan.d, plan);
    plan.bytes_scratch += checked_product(square, 4 * static_cast<std::int64_t>(sizeof(long double)), plan);
  }
}

template <class T>
void lay_tiles(const Options& options, Job* job) {
  Plan& plan = job->plan;
  count_scratch<T>(job);
  const Kernel<T>& kernel = job->template kernel<T>();
  const TileLayout& layout = *job->layout;
  plan.tile_rows = layout.band_rows;
  plan.tile_cols = kernel.cols;
  if (layout.by_products) plan.form = "mixed";
  if (plan.bytes_out == 0) plan.bytes_scratch = 0;  // nothing will be done
  require_memory(options, &plan);

  const Schedule& schedule = job->schedule.emplace(make_schedule(plan, layout, kernel.cols));
  plan.tiles = schedule.strips();
  plan.pairs = schedule.pairs();
  plan.threads = static_cast<int>(std::clamp<std::int64_t>(schedule.tasks(), 1, plan.threads));
}

/// Weights that are known now; seuclidean's may have to wait for the data (tiles/variances.h).
void choose_weights(const MetricParameters& parameters, Job* job) {
  const KernelSet& kernels = *job->engine.kernels;
  const bool from_variances = job->plan.metric->parameters == "V";
  const bool has_kernel = kernels.weighted.fill[0] != nullptr;
  job->plan.weighted = has_kernel && (from_variances || !parameters.w.empty());
  if (!job->plan.weighted) return;
  std::vector<double> w;  // features of weight 0 are left out of the rows, see make_preparation
  std::copy_if(parameters.w.begin(), parameters.w.end(), std::back_inserter(w),
               [](double weight) { return weight > 0; });
  if (w.empty() && !parameters.w.empty()) w.push_back(1);
  for (const double variance : parameters.V) w.push_back(1 / variance);
  const bool known = !from_variances || !w.empty();
  job->weigh(known ? scale_weights(w, kernels) : FeatureWeights());
}

void choose_parameters(const MetricParameters& parameters, Job* job) {
  const ParametersGiven given{parameters, job->plan.d, job->weights.exponent};
  job->parameters = kernel_parameters(metric_index(job->plan), given);
  job->feature_parameters = feature_parameters(metric_index(job->plan), given);
}

bool same_view(const MatrixView& a, const MatrixView& b) {
  return a.data != nullptr && a.data == b.data && a.dtype == b.dtype && a.rows == b.rows &&
         a.cols == b.cols && a.row_stride == b.row_stride && a.col_stride == b.col_stride;
}

}  // namespace

void Job::prepare(PreparationParameters given) {
  try {
    preparation = make_preparation(metric_index(plan), std::move(given));
  } catch (const BadMatrix& bad) {
    if (bad.kind == BadMatrix::kNotSymmetric) throw messages::not_symmetric(bad.name, bad.i, bad.j);
    if (bad.kind == BadMatrix::kNegative) throw messages::negative_square(bad.name, bad.i);
    throw messages::singular_covariance(bad.i);
  }
  prepares = preparation != nullptr;
  if (prepares) features = preparation->features();
}

void Job::weigh(FeatureWeights with) {
  weights = std::move(with);
  weighted = with_weights(engine.kernels->weighted, weights);
}

void Job::take_ranges(const MetricParameters& given, const std::vector<long double>& ranges) {
  feature_parameters = internal::feature_parameters(
      metric_index(plan), {.parameters = given, .d = plan.d, .weight_exponent = 0, .ranges = ranges});
}

Job plan_job(const MatrixView& x, const MatrixView* y, const Options& options, const OutputView* out) {
  check_shape(x, options.x_name);
  if (options.memory_limit < 0) throw messages::bad_memory_limit(options.memory_limit);
  if (y != nullptr) {
    check_shape(*y, options.y_name);
    if (x.cols != y->cols)
      throw messages::columns_differ({options.x_name, x.cols}, {options.y_name, y->cols});
    if (options.layout == Layout::kCondensed) throw messages::condensed_of_two(options.y_name);
  }
  Job job;
  Plan& plan = job.plan;
  plan.metric = &find_metric(options.metric);
  plan.layout = options.layout;
  plan.n = x.rows;
  plan.m = y != nullptr ? y->rows : x.rows;
  plan.d = count_features(x, y, options, *plan.metric);
  plan.symmetric = plan.metric->symmetric && (y == nullptr || same_view(x, *y));
  if (plan.layout == Layout::kCondensed && !plan.symmetric) {
    throw messages::condensed_needs_symmetry(plan.metric->name());
  }
  check_parameters(*plan.metric, options.parameters, plan.d);
  const MetricParameters parameters = as_packed(x, y != nullptr ? *y : x, options.parameters, plan);
  job.engine = choose_engine(options, parameters, &plan);
  choose_weights(parameters, &job);
  choose_dtypes(x, y != nullptr ? *y : x, options, parameters, out, &plan);
  job.columns = job.features = x.cols;
  job.prepares = takes_covariance(*plan.metric);
  // Matrices are factorised when the job runs: that is work.
  if (!job.prepares && !needs_data(*plan.metric, parameters, plan.d))
    job.prepare({.d = x.cols,
                 .parameters = parameters,
                 .element_bits = options.parameters.packed ? element_bits(x.dtype) : 0});
  choose_parameters(parameters, &job);
  choose_threads(options, &plan);
  count_bytes(x, y, out, &plan);
  if (plan.compute == DType::kFloat32)
    lay_tiles<float>(options, &job);
  else
    lay_tiles<double>(options, &job);
  return job;
}

}  // namespace internal

Plan make_plan(const MatrixView& x, const Options& options) {
  return internal::plan_job(x, nullptr, options, nullptr).plan;
}

Plan make_plan(const MatrixView& x, const MatrixView& y, const Options& options) {
  return internal::plan_job(x, &y, options, nullptr).plan;
}

Plan make_plan(const OutputView& out, const MatrixView& x, const Options& options) {
  return internal::plan_job(x, nullptr, options, &out).plan;
}

Plan make_plan(const OutputView& out, const MatrixView& x, const MatrixView& y, const Options& options) {
  return internal::plan_job(x, &y, options, &out).plan;
}

}  // namespace quadrance
