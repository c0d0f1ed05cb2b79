// SPDX-License-Identifier: Apache-2.0
// What:  an output file appears whole under its name or not at all, and never in the place of another
// unasked. Why:   a result cut short by a full disk looks like a result (cnpy #98); hours of work overwritten
// are gone. Faults: a limit on the size of files stands for a full disk: the write at the limit is short, the
// next one fails. Out of scope: power cuts; network file systems.
#include "input/output_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "input/temp_folder.h"

namespace quadrance::testing {
namespace {

using internal::OutputFile;
using internal::require_new_file;

using Names = std::vector<std::string>;

class OutputFileTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes, bool overwrite) {
    OutputFile file(folder_.file(name), overwrite);
    file.write(bytes.data(), static_cast<std::int64_t>(bytes.size()));
    file.commit();
  }
  ::testing::AssertionResult refuses_to_write(const std::string& name, bool overwrite,
                                              const std::string& problem) {
    return refuses([&] { write(name, "new", overwrite); }, ErrorCode::kIo, folder_.file(name), problem);
  }
  TempFolder folder_;
};

/// No file may grow beyond `bytes` while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(OutputFileTest, AppearsOnlyWhenCommitted) {
  {
    OutputFile file(folder_.file("out"), false);
    file.write("abc", 3);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
    file.commit();
    EXPECT_EQ(folder_.read("out"), "abc");
  }
  EXPECT_EQ(folder_.entries(), Names{"out"});
  { OutputFile forgotten(folder_.file("other"), false); }
  EXPECT_EQ(folder_.entries(), Names{"out"});
}

TEST_F(OutputFileTest, ExistingFileIsKeptUnlessOverwritten) {
  folder_.write("out", "old");
  EXPECT_TRUE(refuses_to_write("out", false, "exists already"));
  EXPECT_TRUE(refuses([&] { require_new_file(folder_.file("out"), false); }, ErrorCode::kIo,
                      folder_.file("out"), "exists already", "--overwrite"));
  EXPECT_EQ(folder_.read("out"), "old");
  write("out", "new", true);
  EXPECT_EQ(folder_.read("out"), "new");
  EXPECT_EQ(folder_.entries(), Names{"out"});
}

TEST_F(OutputFileTest, FileThatAppearsMeanwhileIsKept) {
  OutputFile file(folder_.file("out"), false);
  file.write("new", 3);
  folder_.write("out", "of another process");
  EXPECT_TRUE(refuses([&] { file.commit(); }, ErrorCode::kIo, folder_.file("out"), "exists already"));
  EXPECT_EQ(folder_.read("out"), "of another process");
}

TEST_F(OutputFileTest, FullDiskLeavesNothing) {
  folder_.write("old", "old");
  const FileSizeLimit limit(4096);
  EXPECT_TRUE(refuses([&] { write("out", std::string(5000, 'a'), false); }, ErrorCode::kIo,
                      folder_.file("out"), "cannot be written: File too large", "has room"));
  EXPECT_TRUE(refuses([&] { write("old", std::string(5000, 'a'), true); }, ErrorCode::kIo,
                      folder_.file("old"), "File too large"));
  EXPECT_EQ(folder_.entries(), Names{"old"});
  EXPECT_EQ(folder_.read("old"), "old");
}

TEST_F(OutputFileTest, OnlyRegularFilesAreReplaced) {
  ASSERT_EQ(mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(refuses_to_write("pipe", false, "exists already"));
  EXPECT_TRUE(refuses_to_write("pipe", true, "not a regular file"));
  std::filesystem::create_directory(folder_.file("folder"));
  EXPECT_TRUE(refuses_to_write("folder", true, "not a regular file"));
  EXPECT_TRUE(refuses([] { require_new_file("/dev/null", true); }, ErrorCode::kIo, "/dev/null",
                      "not a regular file"));
}

TEST_F(OutputFileTest, SymbolicLinkStays) {
  folder_.write("target", "old");
  ASSERT_EQ(symlink("target", folder_.file("link").c_str()), 0);
  EXPECT_TRUE(refuses_to_write("link", false, "exists already"));
  write("link", "new", true);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_.file("link")));
  EXPECT_EQ(folder_.read("target"), "new");
  ASSERT_EQ(symlink("nowhere", folder_.file("dangling").c_str()), 0);
  for (const bool overwrite : {false, true}) {
    EXPECT_TRUE(refuses([&] { require_new_file(folder_.file("dangling"), overwrite); }, ErrorCode::kIo,
                        folder_.file("dangling"), "is a symbolic link to a file that does not exist",
                        "remove the link"));
  }
  ASSERT_EQ(symlink("round", folder_.file("round").c_str()), 0);
  EXPECT_TRUE(refuses_to_write("round", false, "exists already"));
  EXPECT_TRUE(refuses_to_write("round", true, "symbolic links"));
}

TEST_F(OutputFileTest, OverwritingKeepsTheMode) {
  folder_.write("out", "old");
  ASSERT_EQ(chmod(folder_.file("out").c_str(), 0600), 0);
  write("out", "new", true);
  struct stat status {};
  ASSERT_EQ(stat(folder_.file("out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(OutputFileTest, NamesTheFolderThatIsMissing) {
  EXPECT_TRUE(refuses_to_write("missing/out", false, "No such file or directory"));
  EXPECT_TRUE(refuses([&] { require_new_file(folder_.file("missing/out"), false); }, ErrorCode::kIo,
                      folder_.file("missing/out"), "No such file or directory"));
}

TEST_F(OutputFileTest, RoomIsLookedAtFirst) {
  EXPECT_TRUE(refuses([&] { internal::require_room(folder_.file("out"), std::int64_t{1} << 60); },
                      ErrorCode::kIo, folder_.file("out"), "needs 1.2 EB", "another disk"));
  EXPECT_NO_THROW(internal::require_room(folder_.file("out"), 1));
  EXPECT_NO_THROW(internal::require_room("-", std::int64_t{1} << 60));
}

}  // namespace
}  // namespace quadrance::testing
