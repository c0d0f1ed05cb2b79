// SPDX-License-Identifier: Apache-2.0
#include "harness.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "quadrance/device.h"

namespace quadrance::bench {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string output_of(const std::string& command) {
  std::string out;
  if (FILE* pipe = popen(command.c_str(), "r")) {
    std::array<char, 256> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) out += buffer.data();
    pclose(pipe);
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  return out;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> buffer{};
  std::tm local{};
  std::strftime(buffer.data(), buffer.size(), "%Y-%m-%d", gmtime_r(&now, &local));
  return buffer.data();
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<std::vector<double>> time_in_turns(const std::vector<std::function<void()>>& calls, int rounds,
                                               double budget) {
  constexpr int kMostRounds = 200;
  std::vector<std::vector<double>> times(calls.size());
  for (const auto& call : calls) call();  // caches, clocks and thread pools warm up
  double used = 0;
  for (int round = 0; round < rounds || (used < budget && round < kMostRounds); ++round) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      times[i].push_back(seconds(calls[i]));
      used += times[i].back();
    }
  }
  return times;
}

Matrix uniform(DType dtype, std::int64_t n, std::int64_t d, unsigned seed) {
  Matrix x(dtype, n, d);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform01;
  for (std::int64_t i = 0; i < n * d; ++i) {
    if (dtype == DType::kFloat32)
      x.as<float>()[i] = static_cast<float>(uniform01(random));
    else
      x.as<double>()[i] = uniform01(random);
  }
  return x;
}

Arguments parse_arguments(const char* program, int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; i += 2) {
    const std::string flag = argv[i];
    const bool known = (flag == "--filter" || flag == "--rounds" || flag == "--file") && i + 1 < argc;
    if (!known) {
      std::cerr << program << ": unknown option, or one without a value: " << flag << '\n';
      std::exit(2);
    }
    if (flag == "--filter") arguments.filter = argv[i + 1];
    if (flag == "--rounds") arguments.rounds = std::stoi(argv[i + 1]);
    if (flag == "--file") arguments.file = argv[i + 1];
  }
  return arguments;
}

Json context() {
  static const Json kContext = [] {
    const std::string source = QUADRANCE_SOURCE_DIR;
    std::string commit = output_of("git -C " + source + " rev-parse --short=12 HEAD 2>/dev/null");
    if (!output_of("git -C " + source + " status --porcelain -- src include 2>/dev/null").empty())
      commit += "+";
    Json targets = Json::array();
    for (const auto& device : devices()) {
      for (const auto& target : device.targets) targets.push_back(device.name + "-" + target);
    }
    return Json{{"date", today()},     {"commit", commit},
                {"cpu", cpu_model()},  {"cpus", static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))},
                {"targets", targets},  {"compiler", QUADRANCE_COMPILER},
                {"version", version()}};
  }();
  return kContext;
}

void emit(const Json& line, const std::string& file) {
  std::cout << line.dump() << std::endl;
  if (!file.empty()) std::ofstream(file, std::ios::app) << line.dump() << '\n';
}

}  // namespace quadrance::bench
