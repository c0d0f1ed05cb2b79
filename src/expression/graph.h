// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a pair as a graph: what generated kernels are printed from.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace quadrance::internal {

enum class Operation : std::uint8_t {
  kX,                 ///< the feature of the row of x
  kY,                 ///< the feature of the row of y
  kAccumulator,       ///< `index` tells which
  kWeight,            ///< of the feature
  kParameter,         ///< `index` tells which of the metric's
  kFeatureParameter,  ///< `index` tells which of the feature's
  kFirstPass,         ///< the pair's result of the pass before
  kRowSummary,        ///< the last number of the prepared row of x, which no step takes
  kColumnSummary,     ///< the same of y
  kInfinity,
  kConstant,  ///< `index` tells which of the graph's constants
  kSubtract,
  kAdd,
  kMultiply,
  kAbs,
  kAtMost,        ///< the smaller of two numbers, NaN if the first is
  kMaxMagnitude,  ///< the larger of two numbers that are not negative, NaN if one is
  kRatio,         ///< a / b, and 0 where both are 0
  kAtLeast,       ///< the larger of two numbers, NaN if the first is
  kDivide,
  kRound,        ///< to the nearest whole number, of two the even one
  kLess,         ///< a condition
  kEqual,        ///< a condition
  kAreNumbers,   ///< a condition: neither is NaN
  kSelect,       ///< of a condition and two numbers
  kExponent,     ///< of a normal number above 0: e of m 2^e, m in [sqrt(1/2), sqrt(2))
  kMantissa,     ///< the m
  kPowerOfTwo,   ///< 2^n for whole n
  kMultiplyAdd,  ///< a * b + c, rounded once where the device can
  kSqrt,
  kCountCommon,  ///< a number, and how many bits of two words are set in both
};

/// What a text says of its numbers.
struct TextStyle {
  std::string_view type = {};    ///< temporaries are declared: "float"; empty: they are not
  std::string_view suffix = {};  ///< of the names of functions
  bool is_float = false;         ///< constants are float
};

/// Equal nodes are one node, so a shared term is computed once and a graph has one text however it was built.
class Graph {
 public:
  using Id = std::int32_t;
  static constexpr Id kNone = -1;

  struct Node {
    Operation operation;
    std::array<Id, 3> arguments;
    int index;
    bool operator<(const Node& other) const {
      return std::tie(operation, arguments, index) < std::tie(other.operation, other.arguments, other.index);
    }
  };

  Id leaf(Operation operation, int index = 0) { return intern({operation, {kNone, kNone, kNone}, index}); }
  Id constant(double value);
  double constant_at(int index) const { return constants_[static_cast<std::size_t>(index)]; }
  Id apply(Operation operation, Id a, Id b = kNone, Id c = kNone) {
    return intern({operation, {a, b, c}, 0});
  }
  const Node& node(Id id) const { return nodes_[static_cast<std::size_t>(id)]; }

  /// C statements that compute the results into the named variables, e.g. "t0 = x - y;\na0 =
  /// qdr_fma(t0, t0, a0);\n". Temporaries are numbered by a walk from the results: the order in which nodes
  /// were made differs between compilers (they may evaluate arguments in any order), and texts are keys of
  /// caches.
  std::string statements(std::span<const Id> results, std::span<const std::string> names,
                         const TextStyle& style = {}) const;

 private:
  Id intern(const Node& node);

  std::vector<Node> nodes_;
  std::vector<double> constants_;
  std::map<Node, Id> known_;
};

}  // namespace quadrance::internal
