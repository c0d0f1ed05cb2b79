// SPDX-License-Identifier: Apache-2.0
#include "backends/backend.h"
#include "messages.h"
#include "quadrance/device.h"
#include "quadrance/error.h"

namespace quadrance {

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> out;
  for (const internal::Backend* backend : internal::backends()) {
    DeviceInfo& device = out.emplace_back();
    device.name = backend->name();
    device.description = backend->description();
    for (const std::string_view target : backend->targets()) device.targets.emplace_back(target);
    internal::Engine engine;
    device.unavailable = backend->take(0, {}, internal::JobSize{}, &engine);
  }
  return out;
}

const char* version() noexcept { return QUADRANCE_VERSION; }

std::string_view name_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kShape:
      return "shape";
    case ErrorCode::kDtype:
      return "dtype";
    case ErrorCode::kOption:
      return "option";
    case ErrorCode::kMetric:
      return "metric";
    case ErrorCode::kExpression:
      return "expression";
    case ErrorCode::kDevice:
      return "device";
    case ErrorCode::kCompile:
      return "compile";
    case ErrorCode::kMemory:
      return "memory";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      break;
  }
  return "internal";
}

}  // namespace quadrance
