// SPDX-License-Identifier: Apache-2.0
#include "parameters.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <vector>

#include "exit_status.h"
#include "messages.h"
#include "report.h"

namespace quadrance::cli {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw CommandError(kUsage, {what, "option --param " + text,
                              "give NAME=VALUE: p=3, w=1,0.5,2, V=1,2, VI=2,0,0,1, box=10,inf, radius=6371, "
                              "base=2, packed=2048, ranges=5,2, categorical=0,3, packed, or degrees"});
}

std::vector<double> parse_numbers(const std::string& text, std::string_view values) {
  std::vector<double> out;
  while (true) {
    const std::string_view one = values.substr(0, values.find(','));
    double value = 0;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
    if (error != std::errc() || end != one.data() + one.size() || one.empty())
      refuse(text, internal::messages::shown(one) + " is no number");
    out.push_back(value);
    if (one.size() == values.size()) return out;
    values.remove_prefix(one.size() + 1);
  }
}

void parse(const std::string& text, std::string_view value, std::vector<double>* into) {
  *into = parse_numbers(text, value);
}

std::int64_t whole(const std::string& text, double number) {
  if (number != std::round(number) || std::abs(number) > 0x1p53) refuse(text, "a whole number is needed");
  return static_cast<std::int64_t>(number);
}

void parse(const std::string& text, std::string_view value, std::vector<std::int64_t>* into) {
  for (const double number : parse_numbers(text, value)) into->push_back(whole(text, number));
}

void parse(const std::string& text, std::string_view value, std::optional<double>* into) {
  const std::vector<double> numbers = parse_numbers(text, value);
  if (numbers.size() != 1) refuse(text, "one number is needed");
  *into = numbers.front();
}

void parse(const std::string& text, std::string_view value, std::optional<std::int64_t>* into) {
  std::optional<double> number;
  parse(text, value, &number);
  *into = whole(text, *number);
}

void parse(const std::string& text, std::string_view value, std::optional<bool>* into) {
  if (value != "true" && value != "false") refuse(text, "true or false is needed");
  *into = value == "true";
}

void set(const std::string& text, MetricParameters* parameters) {
  const std::string_view all = text;
  const std::string_view name = all.substr(0, all.find('='));
  const bool has_value = name.size() < all.size();
  bool found = false;
  for_each_parameter(*parameters, [&]<class Value>(std::string_view known, Value& into) {
    if (name != known) return;
    constexpr bool kIsFlag = std::is_same_v<Value, std::optional<bool>>;
    const std::string_view left_out = kIsFlag ? "true" : name == "packed" ? "0" : "";  // all bits
    parse(text, has_value ? all.substr(name.size() + 1) : left_out, &into);
    found = true;
  });
  if (!found) refuse(text, "there is no such parameter");
}

}  // namespace

MetricParameters parse_parameters(const std::vector<std::string>& texts) {
  MetricParameters parameters;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    if (!names.insert(text.substr(0, text.find('='))).second) refuse(text, "the parameter is given twice");
    set(text, &parameters);
  }
  return parameters;
}

}  // namespace quadrance::cli
