// SPDX-License-Identifier: Apache-2.0
// quadrance info: what this machine has and what of it would be used.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "messages.h"
#include "plan/machine.h"
#include "quadrance/device.h"
#include "quadrance/metric.h"

namespace quadrance::cli {
namespace {

/// "AMD EPYC 7763 64-Core Processor"; "unknown" where the kernel does not tell (64-bit Arm).
std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out.append(out.empty() ? "" : ", ").append(word);
  return out;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricInfo& metric : metrics()) names.emplace_back(metric.name());
  return names;
}

void print_text() {
  const auto line = [](std::string_view label, std::string_view value) {
    std::cout << label << std::string(label.size() < 11 ? 11 - label.size() : 1, ' ') << value << '\n';
  };
  const ThreadCount threads = default_threads();
  const internal::MemoryLimit memory = internal::available_memory();
  line("version", version());
  line("cpu", cpu_model());
  line("threads", internal::messages::text(threads.threads, " (", threads.source, ")"));
  line("memory", internal::messages::text(internal::messages::human_bytes(memory.available), " available (",
                                          memory.source, ")"));
  for (const DeviceInfo& device : devices()) {
    line("device", device.name + ": " + device.description);
    if (!device.targets.empty()) line("", "targets, best first: " + joined(device.targets));
    if (!device.unavailable.empty()) line("", "not used: " + device.unavailable);
  }
  line("metrics", joined(metric_names()));
}

void print_json() {
  const ThreadCount threads = default_threads();
  const internal::MemoryLimit memory = internal::available_memory();
  nlohmann::ordered_json json;
  json["version"] = version();
  json["cpu"] = cpu_model();
  json["threads"] = {{"count", threads.threads}, {"source", threads.source}};
  json["memory"] = {{"available_bytes", memory.available}, {"source", memory.source}};
  json["devices"] = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : devices()) {
    nlohmann::ordered_json& entry = json["devices"].emplace_back();
    entry["name"] = device.name;
    entry["description"] = device.description;
    entry["targets"] = device.targets;
    entry["available"] = device.unavailable.empty();
    entry["reason"] = device.unavailable;
  }
  json["metrics"] = metric_names();
  // A CPU's name is the machine's; whatever bytes it holds, the output stays valid.
  std::cout << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace

void add_info(CLI::App* app) {
  CLI::App* info = app->add_subcommand("info", "This machine: CPU, threads, memory, devices, metrics");
  const auto as_json = std::make_shared<bool>(false);
  info->add_flag("--json", *as_json, "one JSON object");
  info->footer("Examples:\n  quadrance info\n  quadrance info --json\n");
  info->callback([as_json] { *as_json ? print_json() : print_text(); });
}

}  // namespace quadrance::cli
