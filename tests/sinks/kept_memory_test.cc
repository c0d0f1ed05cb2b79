// SPDX-License-Identifier: Apache-2.0
// The block that outlives its matrix: taken again, replaced, given back, never on top of another.
#include "sinks/kept_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "gtest/gtest.h"
#include "quadrance/matrix.h"

namespace quadrance {
namespace {

constexpr std::int64_t kPage = internal::kHugePage;

const void* address_of_matrix(std::int64_t pages) {
  Matrix matrix(DType::kFloat64, pages * kPage / 8, 1);
  std::fill_n(matrix.as<double>(), matrix.rows(), 1.0);
  return matrix.data();
}

TEST(KeptMemory, MemoryOfTheLastIsTakenByTheNextOfItsSize) {
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

TEST(KeptMemory, SmallBlocksAreKeptBesideALargeOne) {
  release_memory();
  const void* large = address_of_matrix(8);
  const void* small = address_of_matrix(2);
  EXPECT_NE(small, large);
  EXPECT_EQ(address_of_matrix(8), large);
  EXPECT_EQ(address_of_matrix(2), small);
  EXPECT_EQ(address_of_matrix(1), small) << "half of it";
}

std::int64_t mapped_pages() {
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * sysconf(_SC_PAGESIZE) / kPage;
}

TEST(KeptMemory, OnlyOneBlockIsKeptAndOnlyUntilItIsReleased) {
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

}  // namespace
}  // namespace quadrance
