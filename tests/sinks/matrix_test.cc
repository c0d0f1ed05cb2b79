// SPDX-License-Identifier: Apache-2.0
// Results of the library's own: alignment, moving, element types, what happens when memory is refused.
#include "quadrance/matrix.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

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

constexpr std::int64_t kPage = std::int64_t{2} << 20;

const void* address_of_matrix(std::int64_t pages) {
  Matrix matrix(DType::kFloat64, pages * kPage / 8, 1);
  std::fill_n(matrix.as<double>(), matrix.rows(), 1.0);
  return matrix.data();
}

TEST(Matrix, MemoryOfTheLastIsTakenByTheNextOfItsSize) {
  release_memory();
  const void* first = address_of_matrix(8);
  EXPECT_EQ(address_of_matrix(8), first);
  EXPECT_EQ(address_of_matrix(4), first) << "half of it, the rest is given back";
  EXPECT_EQ(address_of_matrix(4), first);
  const Matrix other(DType::kFloat64, 4 * kPage / 8, 1);
  EXPECT_EQ(other.data(), first);
  const Matrix beside(DType::kFloat64, 4 * kPage / 8, 1);
  EXPECT_NE(beside.data(), first) << "in use";
}

std::int64_t mapped_pages() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE) / kPage;
}

TEST(Matrix, OnlyOneBlockIsKeptAndOnlyUntilItIsReleased) {
  release_memory();
  const std::int64_t before = mapped_pages();
  {
    const Matrix a(DType::kFloat64, 40 * kPage / 8, 1);
    const Matrix b(DType::kFloat64, 30 * kPage / 8, 1);
  }
  EXPECT_EQ(mapped_pages() - before, 40) << "of two, the one that was destroyed last";
  address_of_matrix(10);
  EXPECT_EQ(mapped_pages() - before, 10) << "too small a part of it to be taken, but it comes last";
  const Matrix larger(DType::kFloat64, 50 * kPage / 8, 1);
  EXPECT_EQ(mapped_pages() - before, 50) << "a larger one does not come on top";
  { const Matrix huge(DType::kFloat64, 300 * kPage / 8, 1); }
  EXPECT_EQ(mapped_pages() - before, 50) << "more than 512 MiB are not kept";
  address_of_matrix(10);
  release_memory();
  EXPECT_EQ(mapped_pages() - before, 50);
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

}  // namespace
}  // namespace quadrance
