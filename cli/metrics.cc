// SPDX-License-Identifier: Apache-2.0
// quadrance metrics: every metric, from the one list.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "quadrance/device.h"
#include "quadrance/error.h"
#include "quadrance/metric.h"
#include "report.h"

namespace quadrance::cli {
namespace {

struct Speed {
  std::string_view metric;
  std::string_view text;
};
#include "speeds.inc"

std::string aliases_of(const MetricInfo& metric) {
  std::string out;
  for (const std::string_view alias : metric.aliases()) out.append(out.empty() ? "" : ", ").append(alias);
  return out;
}

/// "similarity", "metric", or "distance": no triangle inequality.
std::string_view kind_of(const MetricInfo& metric) {
  return metric.similarity ? "similarity" : metric.triangle ? "metric" : "distance";
}

/// Every backend runs every metric.
std::string backends_of(const MetricInfo&) {
  std::string out;
  for (const DeviceInfo& device : devices()) out.append(out.empty() ? "" : ", ").append(device.name);
  return out;
}

std::string speed_of(const MetricInfo& metric) {
  for (const Speed& speed : kSpeeds) {
    if (speed.metric == metric.name()) return std::string(speed.text);
  }
  return {};
}

void print_text(const MetricInfo& metric) {
  const auto line = [](std::string_view label, std::string_view value) {
    if (!value.empty()) std::cout << "  " << label << std::string(12 - label.size(), ' ') << value << '\n';
  };
  std::cout << metric.name() << '\n';
  line("formula", metric.formula);
  line("aliases", aliases_of(metric));
  line("kind", kind_of(metric));
  line("domain", metric.domain);
  line("parameters", metric.parameters);
  line("accuracy", metric.accuracy);
  line("edges", metric.edges);
  line("backends", backends_of(metric));
  line("speed", speed_of(metric));
  line("source", metric.source);
}

nlohmann::ordered_json json_of(const MetricInfo& metric) {
  return {{"name", metric.name()},         {"aliases", metric.aliases()},
          {"kind", kind_of(metric)},       {"formula", metric.formula},
          {"domain", metric.domain},       {"parameters", metric.parameters},
          {"symmetric", metric.symmetric}, {"nonnegative", metric.nonnegative},
          {"zero_self", metric.zero_self}, {"accuracy", metric.accuracy},
          {"edges", metric.edges},         {"backends", backends_of(metric)},
          {"speed", speed_of(metric)},     {"source", metric.source}};
}

/// A cell of a table: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '|' ? "\\|" : std::string(1, c));
  return out;
}

/// docs/metrics.md.
void print_markdown() {
  std::cout
      << "# Metrics\n\nWritten by `quadrance metrics --markdown`, from the headers in `src/metrics/`. What "
         "the "
         "words mean: [numerics](numerics.md). A distance that is called a metric keeps the triangle "
         "inequality. Speed: float64, n = 3,000, d = 40 (haversine: 2), two threads, repeated calls, one set "
         "/ two sets, how "
         "many times as fast as SciPy's cdist, or as scikit-learn where SciPy has no such metric; from "
         "`bench/results/"
      << kSpeedSource
      << "`.\n\n"
         "| name | aliases | kind | formula | domain | parameters | accuracy | edges | backends | speed |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const MetricInfo& metric : metrics()) {
    const auto column = [](std::string_view text) { std::cout << " | " << cell(text); };
    std::cout << "| `" << metric.name() << '`';
    column(aliases_of(metric));
    column(kind_of(metric));
    column(metric.formula);
    column(metric.domain);
    column(metric.parameters);
    column(metric.accuracy);
    column(metric.edges);
    column(backends_of(metric));
    column(speed_of(metric));
    std::cout << " |\n";
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
