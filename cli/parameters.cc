// SPDX-License-Identifier: Apache-2.0
#include "parameters.h"

#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include "exit_status.h"
#include "messages.h"
#include "report.h"

namespace quadrance::cli {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw CommandError(
      kUsage, {what, "option --param " + text,
               "give NAME=VALUE: p=3, w=1,0.5,2, V=1,2, VI=2,0,0,1, box=10,inf, radius=6371, or degrees"});
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

double parse_number(const std::string& text, std::string_view value) {
  const std::vector<double> numbers = parse_numbers(text, value);
  if (numbers.size() != 1) refuse(text, "one number is needed");
  return numbers.front();
}

void set(const std::string& text, MetricParameters* parameters) {
  const std::string_view all = text;
  const std::string_view name = all.substr(0, all.find('='));
  const bool has_value = name.size() < all.size();
  const std::string_view value = has_value ? all.substr(name.size() + 1) : std::string_view{};
  if (name == "degrees" && (!has_value || value == "true" || value == "false"))
    parameters->degrees = value != "false";
  else if (name == "p")
    parameters->p = parse_number(text, value);
  else if (name == "radius")
    parameters->radius = parse_number(text, value);
  else if (name == "w")
    parameters->w = parse_numbers(text, value);
  else if (name == "V")
    parameters->V = parse_numbers(text, value);
  else if (name == "VI")
    parameters->VI = parse_numbers(text, value);
  else if (name == "box")
    parameters->box = parse_numbers(text, value);
  else
    refuse(text, "there is no such parameter");
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
