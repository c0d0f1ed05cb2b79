// SPDX-License-Identifier: Apache-2.0
// What:  each file goes to its reader by content, then by name; what no reader takes is named.
// Why:   "Dimension must be greater than zero" is what people get when a file is read as another format
//        (microsoft/DiskANN#966).
// Out of scope: what the readers do (npy_test.cc, csv_test.cc).
#include "input/points.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/npy.h"
#include "input/temp_folder.h"

namespace quadrance::testing {
namespace {

using internal::read_points;

class PointsFile : public ::testing::Test {
 protected:
  ::testing::AssertionResult refuses_file(const std::string& name, const std::string& bytes,
                                          const std::string& problem, const std::string& hint) {
    const std::string path = folder_.write(name, bytes);
    return refuses([&] { read_points(path); }, ErrorCode::kIo, path, problem, hint);
  }
  TempFolder folder_;
};

TEST_F(PointsFile, NpyIsKnownByContent) {
  const float values[] = {1, 2};
  internal::write_npy(folder_.file("array.npy"), MatrixView(values, 1, 2), false, false);
  for (const char* name : {"array.bin", "array.csv", "array"}) {
    std::filesystem::copy_file(folder_.file("array.npy"), folder_.file(name));
    EXPECT_EQ(read_points(folder_.file(name)).view().dtype, DType::kFloat32) << name;
  }
  EXPECT_TRUE(refuses_file("text.npy", "1,2\n", "does not start as one", "numpy.save"));
}

TEST_F(PointsFile, TextIsKnownByName) {
  for (const char* name : {"a.csv", "a.tsv", "a.txt", "a.b.CSV"}) {
    EXPECT_EQ(read_points(folder_.write(name, "1,2\n")).view().cols, 2) << name;
  }
  std::filesystem::create_directory(folder_.file("folder.csv"));
  EXPECT_TRUE(refuses_file("folder.csv/points", "1,2\n", "starts with '1,2\\x0a'", ".npy"));
  EXPECT_TRUE(refuses_file("points.dat", "1,2\n", "no format that is read", ".csv"));
}

TEST_F(PointsFile, ForeignFormatsAreNamed) {
  EXPECT_TRUE(refuses_file("x.csv.gz", "\x1f\x8b\x08", "gzip", "gunzip"));
  EXPECT_TRUE(refuses_file("x.csv", "\x1f\x8b\x08", "gzip", "gunzip"));
  EXPECT_TRUE(refuses_file("x.npz", "PK\x03\x04rest", "zip", ".npy"));
  EXPECT_TRUE(refuses_file("x.h5", "\x89HDF\r\n", "HDF5", ".npy"));
  EXPECT_TRUE(refuses_file("x.parquet", "PAR1", "Parquet", ".csv"));
}

TEST_F(PointsFile, UnreadableFilesSayWhy) {
  const std::string missing = folder_.file("missing.csv");
  EXPECT_TRUE(
      refuses([&] { read_points(missing); }, ErrorCode::kIo, missing, "No such file or directory", "path"));
  const std::string folder = folder_.file("");
  EXPECT_TRUE(refuses([&] { read_points(folder); }, ErrorCode::kIo, folder, "it is a directory"));
}

TEST_F(PointsFile, PipesAreRead) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + ",0.5\n";  // more than a pipe holds
  const std::string path = folder_.file("pipe.csv");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::ofstream(path) << text;
    _exit(0);
  }
  const internal::Points points = read_points(path);
  waitpid(child, nullptr, 0);
  ASSERT_EQ(points.view().rows, 100000);
  EXPECT_EQ(static_cast<const double*>(points.view().data)[2 * 99999], 99999);
}

TEST_F(PointsFile, SourceIsThePath) {
  const std::string path = folder_.write("a.csv", "1,2\n");
  EXPECT_EQ(read_points(path).source(), path);
}

}  // namespace
}  // namespace quadrance::testing
