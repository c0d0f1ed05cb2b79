// SPDX-License-Identifier: Apache-2.0
// Timing and the JSON lines that results are kept as.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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

/// Machine, compiler, commit and date, in every line.
Json context();

/// Prints the line, and appends it to the file if there is one.
void emit(const Json& line, const std::string& file);

}  // namespace quadrance::bench
