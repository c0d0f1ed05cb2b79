// SPDX-License-Identifier: Apache-2.0
// On what and with what the property tests run: every metric, on every device and instruction set at hand.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "quadrance/device.h"
#include "quadrance/metric.h"
#include "quadrance/plan.h"

namespace quadrance::testing {

/// "cpu-avx512", "cpu-avx2", "cpu-sse4", "reference-plain": whatever this machine runs.
inline std::vector<std::string> device_targets() {
  std::vector<std::string> out;
  for (const DeviceInfo& device : devices()) {
    for (const std::string& target : device.targets) out.push_back(device.name + "-" + target);
  }
  return out;
}

inline std::vector<std::string> metric_names() {
  std::vector<std::string> out;
  for (const MetricInfo& metric : metrics()) out.emplace_back(metric.name());
  return out;
}

struct Run {
  std::string metric;
  std::string device;
  DType dtype;
  bool best;  ///< of the devices at hand

  Options options() const {
    Options options;
    options.metric = metric;
    options.device = device;
    return options;
  }
  /// float32 inputs are accumulated in float64 by the reference device, and held to float32's bound all the
  /// same.
  const MetricInfo& info() const { return find_metric(metric); }
};

inline void PrintTo(const Run& run, std::ostream* out) {
  *out << run.metric << ' ' << name_of(run.dtype) << ' ' << run.device;
}

inline std::vector<Run> all_runs() {
  std::vector<Run> out;
  for (const std::string& metric : metric_names()) {
    const std::vector<std::string> devices = device_targets();
    for (const std::string& device : devices) {
      for (const DType dtype : {DType::kFloat32, DType::kFloat64})
        out.push_back({metric, device, dtype, device == devices.front()});
    }
  }
  return out;
}

/// "euclidean_float32_cpu_avx2"
inline std::string run_name(const ::testing::TestParamInfo<Run>& info) {
  std::string name =
      info.param.metric + "_" + std::string(name_of(info.param.dtype)) + "_" + info.param.device;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace quadrance::testing
