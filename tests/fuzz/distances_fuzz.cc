// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any metric, shape, layout, dtype, device and parameters, held against the oracle.
//
// A finding is a crash, a sanitizer's report, an error that is none of the library's, a value beyond the
// bound, a byte written outside of the output, or other bits on a second way. Points come from the generators
// (NaN, huge, tiny, mixed, ...) with some elements replaced by raw bytes; many parameters are raw numbers, so
// they are refused, which is fine.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>

#include "quadrance/error.h"
#include "quadrance/pairwise.h"
#include "support/comparator.h"
#include "support/elements.h"
#include "support/generators.h"
#include "support/oracle.h"
#include "support/runs.h"
#include "support/wide.h"

namespace quadrance::testing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

[[noreturn]] void report(const std::string& what) {
  std::fprintf(stderr, "finding: %s\n", what.c_str());
  std::abort();
}

/// A number of any kind: mostly ordinary ones.
double number(FuzzedDataProvider* input) {
  if (input->ConsumeIntegralInRange(0, 3) > 0) return input->ConsumeFloatingPointInRange(0.25, 4.0);
  return input->PickValueInArray({0.0, -1.0, 1.0, 1e-300, 1e300, kInfinity, -kInfinity, 5e-324,
                                  std::numeric_limits<double>::quiet_NaN()});
}

std::vector<double> numbers(FuzzedDataProvider* input, std::int64_t count) {
  std::vector<double> out(static_cast<std::size_t>(count), 1.0);
  for (double& value : out) {
    if (input->remaining_bytes() > 0) value = number(input);
  }
  return out;
}

/// d * d numbers that seldom are a covariance: a diagonal, now and then something else.
std::vector<double> matrix(FuzzedDataProvider* input, std::int64_t d) {
  std::vector<double> out(static_cast<std::size_t>(d * d), 0.0);
  for (std::int64_t f = 0; f < d; ++f) out[static_cast<std::size_t>(f * d + f)] = number(input);
  if (!out.empty() && input->ConsumeIntegralInRange(0, 3) == 0)
    out[input->ConsumeIntegralInRange<std::size_t>(0, out.size() - 1)] = number(input);
  return out;
}

/// d * d numbers of a covariance or its inverse, nowhere near a diagonal: the sum of some f f^T and of 1,
/// each feature in units of its own. The larger the f, the nearer it is to a singular matrix.
std::vector<double> definite(FuzzedDataProvider* input, std::int64_t d) {
  const auto size = static_cast<std::size_t>(d);
  std::vector<double> out(size * size);
  std::vector<double> f(size);
  const double length = std::ldexp(1.0, input->ConsumeIntegralInRange(0, 24));
  for (int rank = input->ConsumeIntegralInRange(1, 4); rank > 0; --rank) {
    for (double& value : f) value = length * input->ConsumeFloatingPointInRange(-1.0, 1.0);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += f[k / size] * f[k % size];
  }
  for (double& unit : f) unit = std::ldexp(1.0, input->ConsumeIntegralInRange(-20, 20));
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = (out[k] + (k / size == k % size ? 1 : 0)) * f[k / size] * f[k % size];
  return out;
}

/// V and VI, where the metric takes them: those of the tests, raw numbers, none (the data's), good matrices.
void choose_covariance(FuzzedDataProvider* input, const MetricInfo& metric, std::int64_t d,
                       MetricParameters* out) {
  const bool is_matrix = metric.takes("VI");
  out->from_both = input->ConsumeBool();
  switch (input->ConsumeIntegralInRange(0, is_matrix ? 4 : 2)) {
    case 1:
      out->V = is_matrix ? matrix(input, d) : numbers(input, d);
      break;
    case 2:
      out->V.clear();
      break;
    case 3:
      out->V = definite(input, d);
      break;
    case 4:
      out->V.clear();
      out->VI = definite(input, d);
      break;
    default:
      break;
  }
}

MetricParameters parameters(FuzzedDataProvider* input, const MetricInfo& metric, std::int64_t d) {
  MetricParameters out = test_parameters(metric.name(), d);
  const auto wanted = [&](const char* name) { return metric.takes(name) && input->ConsumeBool(); };
  if (wanted("w")) out.w = numbers(input, d);
  if (wanted("p")) {
    const int kind = input->ConsumeIntegralInRange(0, 2);
    out.p = kind == 0   ? input->ConsumeIntegralInRange(1, 40) / 2.0
            : kind == 1 ? input->ConsumeFloatingPointInRange(0.001, 1.0)
                        : number(input);
  }
  if (wanted("box")) out.box = numbers(input, d);
  if (metric.takes("V")) choose_covariance(input, metric, d, &out);
  if (wanted("degrees")) out.degrees = true;
  if (wanted("radius")) out.radius = number(input);
  if (wanted("gamma")) out.gamma = number(input);
  if (wanted("coef0")) out.coef0 = number(input);
  if (wanted("degree")) out.degree = input->ConsumeIntegralInRange(-1, 300);
  if (wanted("packed")) out.packed = input->ConsumeIntegralInRange(-1, 300);
  if (wanted("ranges")) out.ranges = input->ConsumeBool() ? std::vector<double>{} : numbers(input, d);
  if (metric.takes("ranges")) out.from_both = input->ConsumeBool();
  if (wanted("categorical")) {
    out.categorical.clear();
    for (int k = input->ConsumeIntegralInRange(0, 4); k > 0; --k)
      out.categorical.push_back(input->ConsumeIntegralInRange<std::int64_t>(-1, d));
  }
  return out;
}

/// Points of a pattern; some elements of floats are any bits at all.
Points points(FuzzedDataProvider* input, const MetricInfo& metric, DType dtype, std::int64_t rows,
              std::int64_t cols) {
  const std::vector<Pattern> patterns = patterns_of(dtype);
  const Pattern pattern = patterns[input->ConsumeIntegralInRange<std::size_t>(0, patterns.size() - 1)];
  Points out = make_points(pattern, dtype, rows, cols, input->ConsumeIntegral<std::uint8_t>());
  if (metric.form == "bits") {  // some features are false
    std::uint64_t state = input->ConsumeIntegral<std::uint8_t>();
    for (long double& element : out.elements) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      if (state >> 63 != 0) element = 0;
    }
  }
  if (dtype != DType::kFloat32 && dtype != DType::kFloat64) return out;
  for (int k = input->ConsumeIntegralInRange(0, 6); k > 0 && !out.elements.empty(); --k) {
    std::byte raw[8] = {};
    input->ConsumeData(raw, sizeof(raw));
    out.elements[input->ConsumeIntegralInRange<std::size_t>(0, out.elements.size() - 1)] = decode(dtype, raw);
  }
  return out;
}

/// Room for the result with bytes before, after and between its rows that nobody may touch.
class Room {
 public:
  Room(DType dtype, std::int64_t rows, std::int64_t cols) : size_(bytes_of(dtype)), cols_(cols) {
    stride_ = (cols + kGap) * size_;
    bytes_.assign(static_cast<std::size_t>((rows + 2) * stride_), std::byte{0xa5});
    view_ = {bytes_.data() + stride_, dtype, rows, cols, stride_};
  }
  const OutputView& view() const { return view_; }
  bool untouched_around() const {
    for (std::size_t at = 0; at < bytes_.size(); ++at) {
      const auto row = static_cast<std::int64_t>(at) / stride_ - 1;
      const bool inside =
          row >= 0 && row < view_.rows && static_cast<std::int64_t>(at) % stride_ < cols_ * size_;
      if (!inside && bytes_[at] != std::byte{0xa5}) return false;
    }
    return true;
  }

 private:
  static constexpr std::int64_t kGap = 3;
  std::int64_t size_, cols_, stride_ = 0;
  std::vector<std::byte> bytes_;
  OutputView view_;
};

struct Call {
  const MetricInfo& metric;
  MatrixView x;
  std::optional<MatrixView> y;
  Options options;

  Matrix fresh() const {
    if (metric.similarity) return y ? similarities(x, *y, options) : similarities(x, options);
    return y ? distances(x, *y, options) : distances(x, options);
  }
  void into(const OutputView& out) const {
    if (metric.similarity)
      return y ? similarities_into(out, x, *y, options) : similarities_into(out, x, options);
    return y ? distances_into(out, x, *y, options) : distances_into(out, x, options);
  }
};

using Rows = std::vector<std::vector<long double>>;

// --- parameters that come from the data --------------------------------------------------------------------

/// All rows that parameters come from; the library has refused two sets without from_both.
Rows data_of(const Call& call, const Rows& x, const Rows& y) {
  Rows out = x;
  if (call.y && x != y) out.insert(out.end(), y.begin(), y.end());
  return out;
}

/// The rows of the data less their mean. Summed in 128 bits: far from the origin an error of the mean would
/// count.
struct Centred {
  std::vector<long double> mean;
  std::vector<std::vector<Wide>> rows;
  /// By how much a mean in long double may be off, in standard deviations, for the worst feature.
  long double shift = 0;

  /// With n - 1; of one row 0.
  double covariance(std::size_t f, std::size_t g) const {
    Wide sum;
    for (const auto& row : rows) sum = sum + row[f] * row[g];
    const auto n = static_cast<long double>(rows.size());
    return static_cast<double>((sum / Wide{std::max(n - 1, 1.0L), 0}).rounded());
  }
};

Centred centred(const Rows& rows, std::size_t d) {
  Centred out;
  out.rows.assign(rows.size(), std::vector<Wide>(d));
  const auto n = static_cast<long double>(rows.size());
  for (std::size_t f = 0; f < d; ++f) {
    Wide sum;
    long double largest = 0;
    for (const auto& row : rows) {
      sum = sum + Wide{row[f], 0};
      largest = std::max(largest, std::fabs(row[f]));
    }
    const Wide mean = sum / Wide{n, 0};
    for (std::size_t i = 0; i < rows.size(); ++i) out.rows[i][f] = Wide{rows[i][f], 0} - mean;
    out.mean.push_back(static_cast<double>(mean.rounded()));
    const long double variance = out.covariance(f, f);
    if (variance > 0) out.shift = std::max(out.shift, n * 0x1p-64L * largest / std::sqrt(variance));
  }
  return out;
}

/// A feature of one value has no differences to weigh: any variance will do.
std::vector<double> variances_of(const Centred& data) {
  std::vector<double> out;
  for (std::size_t f = 0; f < data.mean.size(); ++f) {
    const double variance = data.covariance(f, f);
    out.push_back(variance > 0 ? variance : 1);
  }
  return out;
}

/// Of one row, which is 0 apart from itself: 1.
std::vector<double> covariances_of(const Centred& data) {
  const std::size_t d = data.mean.size();
  std::vector<double> out(d * d);
  for (std::size_t k = 0; k < d * d; ++k) {
    if (data.rows.size() > 1)
      out[k] = data.covariance(k / d, k % d);
    else
      out[k] = k / d == k % d ? 1 : 0;
  }
  return out;
}

/// The trace of S^-1 (at least its norm), S the matrix in units that make its diagonal 1: Cholesky's factor
/// inverted column by column. Inf if it is not positive definite.
long double inverse_trace(const std::vector<double>& matrix, std::size_t d) {
  std::vector<long double> C(matrix.begin(), matrix.end());
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < j; ++k) C[i * d + j] -= C[i * d + k] * C[j * d + k];
      if (j < i) C[i * d + j] /= C[j * d + j];
    }
    if (!(C[i * d + i] > 0)) return kInfinity;
    C[i * d + i] = std::sqrt(C[i * d + i]);
  }
  long double trace = 0;
  std::vector<long double> z(d);
  for (std::size_t column = 0; column < d; ++column) {
    for (std::size_t i = column; i < d; ++i) {
      z[i] = i == column ? 1 : 0;
      for (std::size_t k = column; k < i; ++k) z[i] -= C[i * d + k] * z[k];
      z[i] /= C[i * d + i];
      trace += matrix[column * d + column] * z[i] * z[i];
    }
  }
  return trace;
}

/// What the oracle is given, and what the matrix makes of roundings.
struct Truths {
  MetricParameters parameters;
  /// What the library takes off rows before it rounds them.
  std::vector<long double> centre;
  long double relative = 0;
  long double of_magnitude = 0;
};

/// Elements of a matrix off by e sqrt(V_ii V_jj) move S by e d at most, the square of a distance by e d
/// |S^-1| of itself, so the distance by half of that. e is (d + 1) 2^-64 for Cholesky in long double; for a
/// matrix from n rows their sums add (n + 3) 2^-64, the mean shift^2 twice (n / (n - 1) times, that is), and
/// what the oracle takes is rounded to 2^-53. Whitened rows are off by the roundings of a solution with C, d
/// 2^-64 times its condition, sqrt(d |S^-1|) at most. False where that is more than 1/8: so near to singular
/// nothing is known.
bool condition(const std::vector<double>& matrix, std::size_t d, const Centred* data, Truths* out) {
  const auto size = static_cast<long double>(d);
  const long double inverse = inverse_trace(matrix, d);
  long double e = (size + 1) * 0x1p-64L;
  if (data != nullptr)
    e += (static_cast<long double>(data->rows.size()) + 3) * 0x1p-64L + 2 * data->shift * data->shift +
         0x1p-53L;
  out->relative = e * size * inverse / 2;
  out->of_magnitude = size * 0x1p-64L * std::sqrt(size * inverse);
  return out->relative < 1.0L / 8;
}

/// Packed rows, a bit each feature.
Rows bits_of(const MatrixView& view) {
  Rows out = rows_of(view);
  const auto bits = static_cast<unsigned>(8 * size_of(view.dtype));
  for (std::vector<long double>& row : out) {
    std::vector<long double> features;
    for (const long double element : row) {
      const auto word = element < 0 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(element))
                                    : static_cast<std::uint64_t>(element);
      for (unsigned bit = 0; bit < bits; ++bit) features.push_back(static_cast<long double>(word >> bit & 1));
    }
    row = std::move(features);
  }
  return out;
}

/// The ranges of the finite numbers, 1 of none or of one value, or nothing if float64 does not hold them.
std::optional<std::vector<double>> ranges_of(const Rows& rows, std::size_t d) {
  std::vector<double> out;
  for (std::size_t f = 0; f < d; ++f) {
    long double smallest = HUGE_VALL;
    long double largest = -HUGE_VALL;
    for (const auto& row : rows) {
      if (!std::isfinite(row[f])) continue;
      smallest = std::min(smallest, row[f]);
      largest = std::max(largest, row[f]);
    }
    const auto range = static_cast<double>(smallest < largest ? largest - smallest : 1.0L);
    if (std::isinf(range)) return {};
    out.push_back(range);
  }
  return out;
}

/// Nothing where no bound is known.
std::optional<Truths> truths(const Call& call, const Rows& x, const Rows& y) {
  const auto d = static_cast<std::size_t>(call.x.cols);
  const std::size_t features = x.empty() ? d : x.front().size();  // of packed rows more than columns
  Truths out{call.options.parameters, std::vector<long double>(features)};
  MetricParameters& given = out.parameters;
  const bool is_matrix = call.metric.takes("VI");
  if (call.metric.takes("ranges") && given.ranges.empty()) {
    const std::optional<std::vector<double>> ranges = ranges_of(data_of(call, x, y), d);
    if (!ranges) return {};
    given.ranges = *ranges;
    out.relative = 0x1p-52L;
  }
  if (!call.metric.takes("V") || d == 0) return out;
  if (!given.V.empty() || !given.VI.empty()) {
    if (is_matrix && !condition(given.V.empty() ? given.VI : given.V, d, nullptr, &out)) return {};
    return out;
  }
  const Centred data = centred(data_of(call, x, y), d);
  given.V = is_matrix ? covariances_of(data) : variances_of(data);
  out.centre = data.mean;
  if (is_matrix && !condition(given.V, d, &data, &out)) return {};
  return out;
}

// -----------------------------------------------------------------------------------------------------------

/// The bound of the metric, twice as wide for weights, and for the p and degree that are given.
Tolerance tolerance(const Call& call, const Truths& known, DType result) {
  const Plan plan = call.y ? make_plan(call.x, *call.y, call.options) : make_plan(call.x, call.options);
  Tolerance out = tolerance_of(call.metric.name(), call.x.cols, plan.compute, result);
  const double p = std::min(call.options.parameters.p.value_or(2), 1.0);
  out.relative += known.relative;
  out.of_magnitude += known.of_magnitude;
  if (call.metric.form == "bits" && !call.options.parameters.w.empty()) out.relative += 136 * 0x1p-52L;
  out.relative *= 2 / std::max(p, 1e-3);
  out.absolute *= std::max(1.0, call.options.parameters.radius.value_or(1));
  out.of_magnitude *= static_cast<long double>(call.options.parameters.degree.value_or(3)) / 3;
  return out;
}

std::vector<long double> moved(std::vector<long double> row, const std::vector<long double>& centre) {
  for (std::size_t f = 0; f < row.size(); ++f) row[f] -= centre[f];
  return row;
}

std::string text(const std::vector<long double>& row) {
  std::string out = "(";
  for (const long double value : row) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), " %.17Lg", value);
    out += digits;
  }
  return out + " )";
}

std::vector<long double> wide(const std::vector<double>& values) { return {values.begin(), values.end()}; }

struct Pair {
  std::int64_t i, j;
  MatrixView got;  ///< one element
};

Pair pick_pair(const Call& call, const Matrix& got, FuzzedDataProvider* input) {
  Pair pair{0, 0, got.view()};
  pair.got.rows = pair.got.cols = 1;
  if (call.options.layout == Layout::kCondensed) {
    const std::int64_t n = call.x.rows;
    pair.i = input->ConsumeIntegralInRange<std::int64_t>(0, n - 2);
    pair.j = input->ConsumeIntegralInRange<std::int64_t>(pair.i + 1, n - 1);
    const std::int64_t before = pair.i * (n - 1) - pair.i * (pair.i - 1) / 2;  // pairs of the rows above
    pair.got.data = address_of(got.view(), 0, before + pair.j - pair.i - 1);
  } else {
    pair.i = input->ConsumeIntegralInRange<std::int64_t>(0, got.rows() - 1);
    pair.j = input->ConsumeIntegralInRange<std::int64_t>(0, got.cols() - 1);
    pair.got.data = address_of(got.view(), pair.i, pair.j);
  }
  return pair;
}

void compare_with_oracle(const Call& call, const Matrix& got, FuzzedDataProvider* input) {
  if (got.bytes() == 0) return;
  const bool packed = call.options.parameters.packed.has_value();
  const auto features_of = [packed](const MatrixView& view) {
    return packed ? bits_of(view) : rows_of(view);
  };
  const Rows x_rows = features_of(call.x);
  const Rows y_rows = call.y ? features_of(*call.y) : x_rows;
  // Bits beyond the features would have to be 0.
  const auto bits = static_cast<std::int64_t>(x_rows.empty() ? 0 : x_rows.front().size());
  if (packed && call.options.parameters.packed != 0 && call.options.parameters.packed != bits) return;
  const std::optional<Truths> known = truths(call, x_rows, y_rows);
  if (!known) return;
  const MetricParameters* const given = &known->parameters;
  const bool solves = call.metric.takes("VI");  // d equations a pair
  for (int k = solves ? 4 : 24; k > 0; --k) {
    const Pair pair = pick_pair(call, got, input);
    const auto& a = x_rows[static_cast<std::size_t>(pair.i)];
    const auto& b = y_rows[static_cast<std::size_t>(pair.j)];
    const Comparison found = compare(
        pair.got, [&](std::int64_t, std::int64_t) { return oracle(call.metric.name(), a, b, *given); },
        tolerance(call, *known, got.dtype()),
        [&](std::int64_t, std::int64_t) {
          return magnitudes(call.metric.name(), moved(a, known->centre), moved(b, known->centre), *given);
        });
    if (!found)
      report(std::string(call.metric.name()) + " " + call.options.device +
             " d=" + std::to_string(call.x.cols) + " element [" + std::to_string(pair.i) + ", " +
             std::to_string(pair.j) + "] of " + text(a) + " and " + text(b) + " with w " +
             text(wide(given->w)) + ", V " + text(wide(given->V)) + ", VI " + text(wide(given->VI)) + ": " +
             found.message);
  }
}

void run(FuzzedDataProvider* input) {
  static const std::vector<std::string> devices = device_targets();
  const auto pick = [&](std::size_t count) {
    return input->ConsumeIntegralInRange<std::size_t>(0, count - 1);
  };
  const MetricInfo& metric = metrics()[pick(metrics().size())];
  const auto n = input->ConsumeIntegralInRange<std::int64_t>(0, 100);
  const auto m = input->ConsumeIntegralInRange<std::int64_t>(0, 100);
  const bool right = input->ConsumeIntegralInRange(0, 15) > 0;
  const std::int64_t d = metric.features != 0 && right ? metric.features
                         : input->ConsumeBool()        ? input->ConsumeIntegralInRange<std::int64_t>(0, 9)
                                                       : input->ConsumeIntegralInRange<std::int64_t>(0, 200);
  const DType x_dtype = kAllDTypes[pick(std::size(kAllDTypes))];
  const DType y_dtype = input->ConsumeBool() ? x_dtype : kAllDTypes[pick(std::size(kAllDTypes))];
  const StoredMatrix x(points(input, metric, x_dtype, n, d), x_dtype,
                       kAllStorages[pick(std::size(kAllStorages))]);
  const StoredMatrix y(points(input, metric, y_dtype, m, d), y_dtype,
                       kAllStorages[pick(std::size(kAllStorages))]);
  Call call{metric, x.view(), {}, {}};
  if (input->ConsumeBool()) call.y = y.view();
  call.options.metric = metric.name();
  call.options.parameters = parameters(input, metric, d);
  call.options.device = devices[pick(devices.size())];
  call.options.threads = input->ConsumeIntegralInRange(0, 2);
  if (input->ConsumeIntegralInRange(0, 3) == 0) call.options.layout = Layout::kCondensed;
  if (input->ConsumeBool()) call.options.dtype = input->ConsumeBool() ? DType::kFloat32 : DType::kFloat64;
  const Matrix got = call.fresh();
  const Room room(got.dtype(), got.rows(), got.cols());
  call.into(room.view());
  if (!room.untouched_around()) report("bytes around the output were written");
  if (!bits_equal(view_of(room.view()), got.view())) report("other bits in the caller's memory");
  compare_with_oracle(call, got, input);
}

}  // namespace
}  // namespace quadrance::testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider input(data, size);
  try {
    quadrance::testing::run(&input);
  } catch (const quadrance::Error& error) {
    if (error.code() == quadrance::ErrorCode::kInternal || error.what()[0] != '[') {
      std::fprintf(stderr, "finding: %s\n", error.what());
      std::abort();
    }
  }
  return 0;
}
