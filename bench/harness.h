// SPDX-License-Identifier: Apache-2.0
// Timing and the JSON lines that results are kept as.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "quadrance/matrix.h"

namespace quadrance::bench {

using Json = nlohmann::ordered_json;

/// Seconds one call takes.
template <class F>
double seconds(const F& call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values);

/// Several things timed in turns (a b c a b c ...), so that a slow spell of the machine meets all of them
/// alike. Runs at least `rounds` rounds, and more until `budget` seconds are used (at most 200).
std::vector<std::vector<double>> time_in_turns(const std::vector<std::function<void()>>& calls, int rounds,
                                               double budget);

/// Numbers in [0, 1), the same for a seed.
Matrix uniform(DType dtype, std::int64_t n, std::int64_t d, unsigned seed);

/// [--filter TEXT] [--rounds N] [--file results.jsonl]
struct Arguments {
  std::string filter;
  int rounds = 7;
  std::string file;
};
/// Ends the program, with a message, at an option that is none of these.
Arguments parse_arguments(const char* program, int argc, char** argv);

/// Machine, compiler, commit and date, in every line.
Json context();

/// Prints the line, and appends it to the file if there is one.
void emit(const Json& line, const std::string& file);

}  // namespace quadrance::bench
