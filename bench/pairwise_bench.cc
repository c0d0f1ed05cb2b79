// SPDX-License-Identifier: Apache-2.0
// Every shape of the list, each beside the roofline measured in the same turns.
//
//   bench_pairwise [--filter TEXT] [--rounds N] [--file results.jsonl]
//
// Roofline of a job: into existing memory max(store, arithmetic); into fresh memory that plus (fresh fill -
// existing fill). Arithmetic counts the pairs that must be computed (half of a symmetric matrix), in the form
// that the plan names: differences, or products alone.
#include <algorithm>
#include <cstring>

#include "harness.h"
#include "quadrance/device.h"
#include "quadrance/pairwise.h"
#include "roofline.h"

namespace {

using namespace quadrance;
using namespace quadrance::bench;

struct Shape {
  std::int64_t n, d;
};
constexpr Shape kShapes[] = {{10, 40},     {100, 40},   {1'000, 40},  {5'000, 40},   {10'000, 40},
                             {20'000, 40}, {20'000, 3}, {5'000, 784}, {3'000, 2'048}};

enum class Kind { kSymmetric, kRectangular, kCondensed };
constexpr const char* kKindNames[] = {"symmetric", "rectangular", "condensed"};

struct Case {
  Shape shape;
  DType dtype;
  Kind kind;
  int threads;
  bool fresh;

  std::string name() const {
    return "pairwise/euclidean/" + std::string(name_of(dtype)) + "/n=" + std::to_string(shape.n) +
           ",d=" + std::to_string(shape.d) + "/" + kKindNames[static_cast<int>(kind)] +
           "/t=" + std::to_string(threads) + (fresh ? "/fresh" : "/existing");
  }
};

void run(const Case& c, int rounds, const std::string& file) {
  const auto [n, d] = c.shape;
  const Matrix x = uniform(c.dtype, n, d, 1);
  const Matrix y = uniform(c.dtype, n, d, 2);
  Options options;
  options.threads = c.threads;
  options.layout = c.kind == Kind::kCondensed ? Layout::kCondensed : Layout::kDense;
  const bool two_sets = c.kind == Kind::kRectangular;
  const auto fresh_job = [&] {
    release_memory();
    return two_sets ? distances(x.view(), y.view(), options) : distances(x.view(), options);
  };
  Matrix out = fresh_job();
  const auto existing_job = [&] {
    if (two_sets)
      distances_into(out.output(), x.view(), y.view(), options);
    else
      distances_into(out.output(), x.view(), options);
  };
  const Plan plan = two_sets ? make_plan(x.view(), y.view(), options) : make_plan(x.view(), options);
  const Form form = plan.form == "direct" ? Form::kDirect : Form::kMultiplyAdd;
  const auto bytes = static_cast<std::int64_t>(out.bytes());
  const std::int64_t steps = (two_sets ? n * n : n * (n - 1) / 2) * d;
  // Arithmetic of at most 0.1 s at 20 Gstep/s, scaled to the job.
  const std::int64_t measured_steps = std::clamp<std::int64_t>(steps, 1'000'000, 2'000'000'000);
  const bool streaming = bytes > (std::int64_t{16} << 20);

  const auto times = time_in_turns({[&] { c.fresh ? void(fresh_job()) : existing_job(); },
                                    [&] { fill(out.data(), bytes, plan.threads, streaming); },
                                    [&] { c.fresh ? fill_fresh(bytes, plan.threads, true) : void(); },
                                    [&] { arithmetic(c.dtype, form, measured_steps, plan.threads); }},
                                   rounds, 0.5);
  const double job = median(times[0]);
  const double store = median(times[1]);
  const double arithmetic_s =
      median(times[3]) * static_cast<double>(steps) / static_cast<double>(measured_steps);
  double roofline = std::max(store, arithmetic_s);
  if (c.fresh) roofline += std::max(0.0, median(times[2]) - store);

  Json line = context();
  line["case"] = c.name();
  line["kernel"] = plan.kernel();
  line["plan_threads"] = plan.threads;
  line["median_s"] = job;
  line["min_s"] = *std::min_element(times[0].begin(), times[0].end());
  line["runs"] = times[0].size();
  line["Gpair/s"] = static_cast<double>(two_sets ? n * n : n * (n - 1) / 2) / job / 1e9;
  line["GB/s"] = static_cast<double>(bytes) / job / 1e9;
  line["store_s"] = store;
  if (c.fresh) line["fresh_s"] = median(times[2]);
  line["arithmetic_s"] = arithmetic_s;
  line["roofline_s"] = roofline;
  line["ratio"] = job / roofline;
  emit(line, file);
}

}  // namespace

int main(int argc, char** argv) {
  const auto [filter, rounds, file] = parse_arguments("bench_pairwise", argc, argv);
  const int all = default_threads().threads;
  for (const Shape& shape : kShapes) {
    for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
      for (const Kind kind : {Kind::kSymmetric, Kind::kRectangular, Kind::kCondensed}) {
        for (const int threads : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1}) {
          for (const bool fresh : {false, true}) {
            const Case c{shape, dtype, kind, threads, fresh};
            if (c.name().find(filter) != std::string::npos) run(c, rounds, file);
          }
        }
      }
    }
  }
}
