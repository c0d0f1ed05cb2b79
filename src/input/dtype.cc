// SPDX-License-Identifier: Apache-2.0
#include "quadrance/matrix.h"

namespace quadrance {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
  std::size_t size;
};

// In the order of the enum.
constexpr Row kRows[] = {
    {DType::kBool, "bool", 1},       {DType::kInt8, "int8", 1},         {DType::kUint8, "uint8", 1},
    {DType::kInt16, "int16", 2},     {DType::kUint16, "uint16", 2},     {DType::kInt32, "int32", 4},
    {DType::kUint32, "uint32", 4},   {DType::kInt64, "int64", 8},       {DType::kUint64, "uint64", 8},
    {DType::kFloat16, "float16", 2}, {DType::kBfloat16, "bfloat16", 2}, {DType::kFloat32, "float32", 4},
    {DType::kFloat64, "float64", 8},
};

}  // namespace

std::size_t size_of(DType dtype) noexcept { return kRows[static_cast<std::size_t>(dtype)].size; }

std::string_view name_of(DType dtype) noexcept { return kRows[static_cast<std::size_t>(dtype)].name; }

std::optional<DType> find_dtype(std::string_view name) noexcept {
  for (const Row& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

}  // namespace quadrance
