// SPDX-License-Identifier: Apache-2.0
// Graphs: shared terms, and a text that does not depend on the order in which nodes were made.
#include "expression/graph.h"

#include "gtest/gtest.h"

namespace quadrance::internal {
namespace {

std::string print(const Graph& graph, std::vector<Graph::Id> results, std::vector<std::string> names) {
  return graph.statements(results, names);
}

TEST(Graph, EqualTermsAreOne) {
  Graph graph;
  const auto x = graph.leaf(Operation::kX);
  const auto y = graph.leaf(Operation::kY);
  EXPECT_EQ(graph.apply(Operation::kSubtract, x, y), graph.apply(Operation::kSubtract, x, y));
  EXPECT_NE(graph.apply(Operation::kSubtract, x, y), graph.apply(Operation::kSubtract, y, x));
  EXPECT_NE(graph.leaf(Operation::kAccumulator, 0), graph.leaf(Operation::kAccumulator, 1));
}

TEST(Graph, TextFollowsTheResultsNotTheOrderOfMaking) {
  const auto build = [](bool sqrt_first) {
    Graph graph;
    const auto x = graph.leaf(Operation::kX);
    const auto y = graph.leaf(Operation::kY);
    const auto early = sqrt_first ? graph.apply(Operation::kSqrt, y) : Graph::kNone;
    const auto root = graph.apply(Operation::kSqrt, x);
    const auto other = sqrt_first ? early : graph.apply(Operation::kSqrt, y);
    const auto difference = graph.apply(Operation::kSubtract, root, other);
    return print(graph, {graph.apply(Operation::kMultiplyAdd, difference, difference, root)}, {"a0"});
  };
  EXPECT_EQ(build(true), build(false));
  EXPECT_EQ(build(true), "t0 = sqrt(x);\nt1 = sqrt(y);\nt2 = t0 - t1;\na0 = qdr_fma(t2, t2, t0);\n");
}

TEST(Graph, AllResultsAreReadBeforeOneIsWritten) {
  Graph graph;
  const auto a0 = graph.leaf(Operation::kAccumulator, 0);
  const auto a1 = graph.leaf(Operation::kAccumulator, 1);
  const auto x = graph.leaf(Operation::kX);
  // a0' = a0 - x, a1' = a1 - a0: the second reads the old a0.
  const std::string text =
      print(graph, {graph.apply(Operation::kSubtract, a0, x), graph.apply(Operation::kSubtract, a1, a0)},
            {"a0", "a1"});
  EXPECT_EQ(text, "t0 = a0 - x;\nt1 = a1 - a0;\na0 = t0;\na1 = t1;\n");
}

}  // namespace
}  // namespace quadrance::internal
