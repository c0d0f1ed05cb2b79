// SPDX-License-Identifier: Apache-2.0
// What this machine allows: store bandwidth into existing and fresh memory, peak arithmetic per dtype.
//
//   bench_limit [results.jsonl]
#include <cstring>
#include <functional>

#include "harness.h"
#include "quadrance/device.h"
#include "roofline.h"

namespace {

using namespace quadrance;
using namespace quadrance::bench;

void report(const std::string& name, const std::string& unit, double amount, const std::vector<double>& times,
            int threads, const std::string& file) {
  Json line = context();
  line["case"] = name;
  line["threads"] = threads;
  line["median_s"] = median(times);
  line["runs"] = times.size();
  line[unit] = amount / median(times) / 1e9;
  emit(line, file);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string file = argc > 1 ? argv[1] : "";
  constexpr std::int64_t kBytes = 400'000'000;  // the matrix of n = 10,000 in float32
  constexpr std::int64_t kSteps = 2'000'000'000;
  Matrix buffer(DType::kFloat32, 1, kBytes / 4);
  std::memset(buffer.data(), 1, buffer.bytes());
  const int all = default_threads().threads;
  for (const int threads : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1}) {
    const std::vector<std::pair<std::string, std::function<void()>>> stores = {
        {"store/existing/streaming", [&] { fill(buffer.data(), kBytes, threads, true); }},
        {"store/existing/cached", [&] { fill(buffer.data(), kBytes, threads, false); }},
        {"store/fresh/huge-pages", [&] { fill_fresh(kBytes, threads, true); }},
        {"store/fresh/4k-pages", [&] { fill_fresh(kBytes, threads, false); }},
    };
    std::vector<std::function<void()>> calls;
    for (const auto& [name, call] : stores) calls.push_back(call);
    const auto store_times = time_in_turns(calls, 7, 1);
    for (std::size_t i = 0; i < stores.size(); ++i) {
      report("limit/" + stores[i].first, "GB/s", kBytes, store_times[i], threads, file);
    }
    for (const DType dtype : {DType::kFloat32, DType::kFloat64}) {
      const auto times = time_in_turns({[&] { arithmetic(dtype, Form::kDirect, kSteps, threads); },
                                        [&] { arithmetic(dtype, Form::kMultiplyAdd, kSteps, threads); }},
                                       7, 0.5);
      const std::string name = std::string("limit/arithmetic/") + std::string(name_of(dtype)) + "/";
      report(name + "direct/" + arithmetic_target(), "Gstep/s", kSteps, times[0], threads, file);
      report(name + "multiply-add/" + arithmetic_target(), "Gstep/s", kSteps, times[1], threads, file);
    }
  }
}
