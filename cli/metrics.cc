// SPDX-License-Identifier: Apache-2.0
// quadrance metrics: every metric, from the one list.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "quadrance/error.h"
#include "quadrance/metric.h"
#include "report.h"

namespace quadrance::cli {
namespace {

std::string aliases_of(const MetricInfo& metric) {
  std::string out;
  for (const std::string_view alias : metric.aliases()) out.append(out.empty() ? "" : ", ").append(alias);
  return out;
}

void print_text(const MetricInfo& metric) {
  const auto line = [](std::string_view label, std::string_view value) {
    if (!value.empty()) std::cout << "  " << label << std::string(12 - label.size(), ' ') << value << '\n';
  };
  std::cout << metric.name() << '\n';
  line("formula", metric.formula);
  line("aliases", aliases_of(metric));
  line("parameters", metric.parameters);
  line("accuracy", metric.accuracy);
  line("edges", metric.edges);
  line("source", metric.source);
}

nlohmann::ordered_json json_of(const MetricInfo& metric) {
  return {{"name", metric.name()},           {"aliases", metric.aliases()},   {"formula", metric.formula},
          {"parameters", metric.parameters}, {"symmetric", metric.symmetric}, {"accuracy", metric.accuracy},
          {"edges", metric.edges},           {"source", metric.source}};
}

/// A cell of a table: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '|' ? "\\|" : std::string(1, c));
  return out;
}

/// docs/metrics.md.
void print_markdown() {
  std::cout << "# Metrics\n\nWritten by `quadrance metrics --markdown`, from the headers in `src/metrics/`. "
               "What the "
               "words mean: [numerics](numerics.md).\n\n"
               "| name | aliases | formula | parameters | accuracy | edges |\n|---|---|---|---|---|---|\n";
  for (const MetricInfo& metric : metrics()) {
    std::cout << "| `" << metric.name() << "` | " << aliases_of(metric) << " | " << cell(metric.formula)
              << " | " << metric.parameters << " | " << cell(metric.accuracy) << " | " << cell(metric.edges)
              << " |\n";
  }
}

struct Request {
  std::string name;
  bool json = false;
  bool markdown = false;
};

const MetricInfo* wanted(const std::string& name) {
  if (name.empty()) return nullptr;
  try {
    return &find_metric(name);
  } catch (const Error& error) {
    throw describe(error, "argument " + name);
  }
}

void print(const Request& request) {
  if (request.markdown) return print_markdown();
  const MetricInfo* const only = wanted(request.name);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const MetricInfo& metric : metrics()) {
    if (only != nullptr && &metric != only) continue;
    if (request.json)
      json.push_back(json_of(metric));
    else
      print_text(metric);
  }
  if (request.json) std::cout << json.dump(2) << '\n';
}

}  // namespace

void add_metrics(CLI::App* app) {
  CLI::App* command =
      app->add_subcommand("metrics", "Every metric: formula, names, parameters, accuracy, edges");
  const auto request = std::make_shared<Request>();
  command->add_option("name", request->name, "only this one; an alias will do");
  command->add_flag("--json", request->json, "one JSON array");
  command->add_flag("--markdown", request->markdown, "the table of docs/metrics.md")->excludes("--json");
  command->footer("Examples:\n  quadrance metrics\n  quadrance metrics l1\n  quadrance metrics --json\n");
  command->callback([request] { print(*request); });
}

}  // namespace quadrance::cli
