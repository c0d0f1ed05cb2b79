// SPDX-License-Identifier: Apache-2.0
#include "expression/graph.h"

#include <algorithm>
#include <charconv>

#include "messages.h"

namespace quadrance::internal {
namespace {

using messages::text;

/// The shortest decimal that reads back as the value, with a point so that C takes it for no integer.
std::string number(double value, bool is_float) {
  char digits[32];
  char* const last = digits + sizeof(digits);
  const auto end = is_float ? std::to_chars(digits, last, static_cast<float>(value)).ptr
                            : std::to_chars(digits, last, value).ptr;
  std::string out(digits, end);
  if (out.find_first_of(".en") == std::string::npos) out += ".0";
  if (is_float) out += 'f';
  return out;
}

/// Writes statements for nodes in the order in which they are needed.
class Printer {
 public:
  Printer(const Graph& graph, const TextStyle& style) : graph_(graph), style_(style) {}

  /// The C expression for a node: a variable, once its statement has been written.
  std::string value(Graph::Id id) {
    const Graph::Node& node = graph_.node(id);
    switch (node.operation) {
      case Operation::kX:
        return "x";
      case Operation::kY:
        return "y";
      case Operation::kAccumulator:
        return text("a", node.index);
      case Operation::kWeight:
        return "w";
      case Operation::kParameter:
        return text("p", node.index);
      case Operation::kFeatureParameter:
        return text("f", node.index);
      case Operation::kFirstPass:
        return "first";
      case Operation::kRowSummary:
        return "x_summary";
      case Operation::kColumnSummary:
        return "y_summary";
      case Operation::kInfinity:
        return "QDR_INFINITY";
      case Operation::kConstant:
        return number(graph_.constant_at(node.index), style_.is_float);
      default:
        break;
    }
    if (!temporaries_.contains(id)) {
      const std::string right = operation(node);
      temporaries_[id] = temporary(right, is_condition(node.operation));
    }
    return temporaries_[id];
  }
  /// A fresh variable holding the right side.
  std::string temporary(const std::string& right, bool condition = false) {
    const std::string name = text("t", next_++);
    if (!style_.type.empty()) out_ += text("const ", condition ? "int" : style_.type, ' ');
    assign(name, right);
    return name;
  }
  /// The operation itself, its arguments computed before.
  std::string operation(const Graph::Node& node) {
    const auto& [a, b, c] = node.arguments;
    switch (node.operation) {
      case Operation::kSubtract:
        return infix(a, " - ", b);
      case Operation::kAdd:
        return infix(a, " + ", b);
      case Operation::kMultiply:
        return infix(a, " * ", b);
      case Operation::kAtMost:
        return call("qdr_at_most", a, b);
      case Operation::kAtLeast:
        return call("qdr_at_least", a, b);
      case Operation::kDivide:
        return infix(a, " / ", b);
      case Operation::kRound:
        return text("rint(", value(a), ")");
      case Operation::kLess:
        return infix(a, " < ", b);
      case Operation::kEqual:
        return infix(a, " == ", b);
      case Operation::kAreNumbers:
        return are_numbers(a, b);
      case Operation::kSelect: {
        const std::string condition = value(a);
        const std::string yes = value(b);
        return text(condition, " ? ", yes, " : ", value(c));
      }
      case Operation::kExponent:
        return call("qdr_exponent", a);
      case Operation::kMantissa:
        return call("qdr_mantissa", a);
      case Operation::kPowerOfTwo:
        return call("qdr_power_of_two", a);
      case Operation::kAbs:
        return text("fabs(", value(a), ")");
      case Operation::kMaxMagnitude:
        return call("qdr_max_magnitude", a, b);
      case Operation::kRatio:
        return call("qdr_ratio", a, b);
      case Operation::kMultiplyAdd: {
        const std::string left = value(a);
        const std::string right = value(b);
        return text("qdr_fma(", left, ", ", right, ", ", value(c), ")");
      }
      case Operation::kSqrt:
        return text("sqrt(", value(a), ")");
      case Operation::kCountCommon: {
        const std::string left = value(a);
        const std::string right = value(b);
        return text("qdr_count_common", style_.suffix, "(", left, ", ", right, ", ", value(c), ")");
      }
      default:
        return {};
    }
  }
  // The left argument's statements come first, whatever order the compiler evaluates arguments in.
  std::string infix(Graph::Id a, const char* sign, Graph::Id b) {
    const std::string left = value(a);
    return text(left, sign, value(b));
  }
  std::string call(const char* function, Graph::Id a) {
    return text(function, style_.suffix, "(", value(a), ")");
  }
  std::string call(const char* function, Graph::Id a, Graph::Id b) {
    const std::string left = value(a);
    return text(function, style_.suffix, "(", left, ", ", value(b), ")");
  }
  std::string are_numbers(Graph::Id a, Graph::Id b) {
    const std::string left = value(a);
    const std::string right = value(b);
    return text(left, " == ", left, " && ", right, " == ", right);
  }
  static bool is_condition(Operation operation) {
    return operation == Operation::kLess || operation == Operation::kEqual ||
           operation == Operation::kAreNumbers;
  }
  bool is_leaf(Graph::Id id) const { return graph_.node(id).operation <= Operation::kConstant; }
  void assign(const std::string& name, const std::string& right) { out_ += text(name, " = ", right, ";\n"); }
  const std::string& out() const { return out_; }

 private:
  const Graph& graph_;
  const TextStyle& style_;
  std::map<Graph::Id, std::string> temporaries_;
  int next_ = 0;
  std::string out_;
};

}  // namespace

Graph::Id Graph::constant(double value) {
  const auto at = std::find(constants_.begin(), constants_.end(), value);
  const auto index = static_cast<int>(at - constants_.begin());
  if (at == constants_.end()) constants_.push_back(value);
  return leaf(Operation::kConstant, index);
}

Graph::Id Graph::intern(const Node& node) {
  const auto [at, fresh] = known_.try_emplace(node, static_cast<Id>(nodes_.size()));
  if (fresh) nodes_.push_back(node);
  return at->second;
}

std::string Graph::statements(std::span<const Id> results, std::span<const std::string> names,
                              const TextStyle& style) const {
  Printer printer(*this, style);
  std::vector<std::string> rights;
  for (const Id result : results) {
    const bool leaf = printer.is_leaf(result);
    if (results.size() == 1) rights.push_back(leaf ? printer.value(result) : printer.operation(node(result)));
    // A result may overwrite an accumulator that another one reads: all are computed before the first is
    // assigned.
    else
      rights.push_back(leaf ? printer.temporary(printer.value(result)) : printer.value(result));
  }
  for (std::size_t i = 0; i < results.size(); ++i) printer.assign(names[i], rights[i]);
  return printer.out();
}

}  // namespace quadrance::internal
