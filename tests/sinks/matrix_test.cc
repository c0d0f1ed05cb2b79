// SPDX-License-Identifier: Apache-2.0
// Results of the library's own: alignment, moving, element types, what happens when memory is refused.
#include "quadrance/matrix.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"
#include "quadrance/error.h"

namespace quadrance {
namespace {

TEST(Matrix, IsAlignedToLinesAndLargeOnesToHugePages) {
  for (const std::int64_t rows : {1, 7, 1'000, 2'000'000}) {
    const Matrix matrix(DType::kFloat32, rows, 3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(matrix.data()) % 64, 0u) << rows;
    EXPECT_EQ(matrix.bytes(), static_cast<std::size_t>(rows) * 12);
  }
  const Matrix large(DType::kFloat64, 1'000'000, 2);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % (2 << 20), 0u);
}

TEST(Matrix, MovesWithoutCopying) {
  Matrix a(DType::kFloat64, 2, 2);
  a.as<double>()[3] = 7;
  const void* data = a.data();
  Matrix b(std::move(a));
  EXPECT_EQ(b.data(), data);
  Matrix c;
  c = std::move(b);
  EXPECT_EQ(c.as<double>()[3], 7);
  EXPECT_EQ(c.view().rows, 2);
  EXPECT_EQ(c.output().row_stride, 16);
}

TEST(Matrix, ElementsAreReadAsWhatTheyAre) {
  Matrix matrix(DType::kFloat32, 1, 1);
  try {
    matrix.as<double>();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kDtype);
    EXPECT_STREQ(error.what(), "[matrix] elements are float32, read as float64; they must be equal");
  }
}

TEST(Matrix, EmptyOnesHoldNothing) {
  EXPECT_EQ(Matrix(DType::kFloat32, 0, 5).data(), nullptr);
  EXPECT_EQ(Matrix().bytes(), 0u);
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // they reserve terabytes of address space
TEST(Matrix, ARefusedAllocationIsAnError) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
    try {
      const Matrix matrix(DType::kFloat64, 1'000'000, 1'000);
    } catch (const Error& error) {
      _exit(error.code() == ErrorCode::kMemory ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

TEST(Matrix, SizesThatNoMemoryHoldsAreRefused) {
  constexpr std::int64_t kBig = std::int64_t{1} << 61;
  const auto code_of = [](std::int64_t rows, std::int64_t cols) {
    try {
      const Matrix matrix(DType::kFloat64, rows, cols);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  EXPECT_EQ(code_of(kBig + 1, 1), ErrorCode::kMemory);  // 8 bytes in 64 bits
  EXPECT_EQ(code_of(2 * kBig, 8), ErrorCode::kMemory);  // 0 bytes
  EXPECT_EQ(code_of(-1, 8), ErrorCode::kShape);
}

}  // namespace
}  // namespace quadrance
