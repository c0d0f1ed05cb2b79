// SPDX-License-Identifier: Apache-2.0
// What data costs that need a second look at their results: equal rows, NaN, and numbers whose squares leave
// the range of the dtype, each in the same turns as uniform random numbers.
//
//   bench_data [--filter TEXT] [--rounds N] [--file results.jsonl]
#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

#include "harness.h"
#include "quadrance/pairwise.h"

namespace {

using namespace quadrance;
using namespace quadrance::bench;

struct Shape {
  std::int64_t n, d;
};
constexpr Shape kShapes[] = {{1'000, 40}, {10'000, 40}, {3'000, 2'048}};

enum class Data { kUniform, kEqual, kNan, kHuge, kTiny, kSomeHuge };
constexpr const char* kDataNames[] = {"uniform", "equal", "nan", "huge", "tiny", "some-huge"};

/// Uniform in [0, 1), and from that: equal rows; a NaN in every row; times 1e25 (float64: 1e200); times 1e-25
/// (1e-200); every 16th row times 1e25 (1e200).
template <class T>
Matrix make_data(Data data, Shape shape, unsigned seed) {
  Matrix x = uniform(dtype_of<T>(), shape.n, shape.d, seed);
  T* numbers = x.as<T>();
  const T huge = static_cast<T>(sizeof(T) == 4 ? 1e25 : 1e200);
  for (std::int64_t i = 0; i < shape.n; ++i) {
    for (std::int64_t f = 0; f < shape.d; ++f) {
      T& number = numbers[i * shape.d + f];
      if (data == Data::kEqual) number = numbers[f];
      if (data == Data::kNan && f == i % shape.d) number = std::numeric_limits<T>::quiet_NaN();
      if (data == Data::kHuge || (data == Data::kSomeHuge && i % 16 == 0)) number *= huge;
      if (data == Data::kTiny) number /= huge;
    }
  }
  return x;
}

template <class T>
void run(Shape shape, bool two_sets, const std::string& filter, int rounds, const std::string& file) {
  const std::string prefix = "data/euclidean/" + std::string(name_of(dtype_of<T>())) +
                             "/n=" + std::to_string(shape.n) + ",d=" + std::to_string(shape.d) +
                             (two_sets ? "/rectangular/" : "/symmetric/");
  if (prefix.find(filter) == std::string::npos) return;
  std::vector<Matrix> xs;
  std::vector<Matrix> ys;
  std::vector<std::function<void()>> jobs;
  Matrix out(dtype_of<T>(), shape.n, shape.n);
  for (std::size_t k = 0; k < std::size(kDataNames); ++k) {
    xs.push_back(make_data<T>(static_cast<Data>(k), shape, 1));
    ys.push_back(make_data<T>(static_cast<Data>(k), shape, 2));
    jobs.push_back([&, k] {
      if (two_sets)
        distances_into(out.output(), xs[k].view(), ys[k].view());
      else
        distances_into(out.output(), xs[k].view());
    });
  }
  const Plan plan = two_sets ? make_plan(xs[0].view(), ys[0].view()) : make_plan(xs[0].view());
  const auto times = time_in_turns(jobs, rounds, 2);
  for (std::size_t k = 0; k < std::size(kDataNames); ++k) {
    Json line = context();
    line["case"] = prefix + kDataNames[k];
    line["kernel"] = plan.kernel();
    line["plan_threads"] = plan.threads;
    line["median_s"] = median(times[k]);
    line["min_s"] = *std::min_element(times[k].begin(), times[k].end());
    line["runs"] = times[k].size();
    line["ratio_to_uniform"] = median(times[k]) / median(times[0]);
    emit(line, file);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments("bench_data", argc, argv);
  for (const Shape shape : kShapes) {
    for (const bool two_sets : {false, true}) {
      run<float>(shape, two_sets, arguments.filter, arguments.rounds, arguments.file);
      run<double>(shape, two_sets, arguments.filter, arguments.rounds, arguments.file);
    }
  }
}
