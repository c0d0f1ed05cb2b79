// SPDX-License-Identifier: Apache-2.0
// Names and sizes of dtypes, both ways.
#include "gtest/gtest.h"
#include "quadrance/matrix.h"
#include "support/elements.h"

namespace quadrance {
namespace {

TEST(DType, NamesAndSizesAreNumPys) {
  for (const DType dtype : testing::kAllDTypes) {
    EXPECT_EQ(find_dtype(name_of(dtype)), dtype);
    EXPECT_EQ(static_cast<std::int64_t>(size_of(dtype)), testing::bytes_of(dtype)) << name_of(dtype);
  }
  EXPECT_EQ(name_of(DType::kUint16), "uint16");
  EXPECT_EQ(find_dtype("complex128"), std::nullopt);
}

}  // namespace
}  // namespace quadrance
