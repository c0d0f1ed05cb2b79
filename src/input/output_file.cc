// SPDX-License-Identifier: Apache-2.0
#include "input/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "messages.h"

namespace quadrance::internal {
namespace {

constexpr std::int64_t kChunk = std::int64_t{1} << 30;  // write(2) takes at most 2^31 - 4096 bytes

FileError failure(const std::string& path) {
  return messages::cannot_write(path, std::system_category().message(errno));
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Where the bytes belong: overwriting a symbolic link writes the file it points to, as > does.
std::string behind_links(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

/// A name nobody uses, next to the target so that rename() stays on one disk. Opened for writing.
Descriptor open_temporary(const std::string& path, const std::string& target, std::string* temporary) {
  const std::size_t slash = target.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  for (int attempt = 0;; ++attempt) {
    *temporary = target.substr(0, name) + "." + target.substr(name) + "." + std::to_string(getpid()) + "-" +
                 std::to_string(attempt) + ".part";
    const int number = open(temporary->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number >= 0) return Descriptor(number);
    if (errno == EINTR || (errno == EEXIST && attempt < 1000)) continue;
    temporary->clear();
    throw failure(path);
  }
}

/// rename() that fails with EEXIST where the target has appeared meanwhile.
int rename_to_new(const char* from, const char* to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  // The file system cannot do it in one step; making a link fails as well where the name is taken.
  if (link(from, to) == 0) {
    unlink(from);
    return 0;
  }
  if (errno == EEXIST) return -1;
  // No links either (some FUSE file systems): what is left is to look first.
  if (access(to, F_OK) == 0) {
    errno = EEXIST;
    return -1;
  }
  return std::rename(from, to);
}

/// A file that was private stays private when it is overwritten.
void copy_mode(const std::string& target, const Descriptor& file) {
  struct stat status {};
  if (stat(target.c_str(), &status) == 0) (void)fchmod(file.number(), status.st_mode & 0777);
}

/// The new name survives a power cut only if the folder is on the disk too. Some file systems refuse: never
/// mind.
void sync_folder(const std::string& path) {
  const Descriptor folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) fsync(folder.number());
}

}  // namespace

void require_new_file(const std::string& path, bool overwrite) {
  if (path == "-") return;
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) {
    const bool exists = stat(path.c_str(), &status) == 0;
    if (!exists && errno == ENOENT) throw messages::output_link_dangles(path);
    if (!overwrite) throw messages::output_exists(path);
    if (!exists) throw failure(path);
    if (!S_ISREG(status.st_mode)) throw messages::output_not_regular(path);
  } else if (errno != ENOENT) {
    throw failure(path);
  }
  // The folder, not the file, must be writable: the new file takes the old one's place.
  if (access(folder_of(behind_links(path)).c_str(), W_OK | X_OK) != 0) throw failure(path);
}

void require_room(const std::string& path, std::int64_t bytes) {
  struct statvfs disk {};
  if (path == "-" || statvfs(folder_of(behind_links(path)).c_str(), &disk) != 0) return;
  std::int64_t available = 0;
  if (__builtin_mul_overflow(disk.f_bavail, disk.f_frsize, &available)) return;
  if (bytes > available) throw messages::no_room(path, bytes, available);
}

OutputFile::OutputFile(const std::string& path, bool overwrite)
    : path_(path), target_(behind_links(path)), overwrite_(overwrite) {
  require_new_file(path, overwrite);
  if (is_standard_output()) return;
  file_ = open_temporary(path_, target_, &temporary_);
  if (overwrite_) copy_mode(target_, file_);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(const void* data, std::int64_t bytes) {
  const int number = is_standard_output() ? STDOUT_FILENO : file_.number();
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t wrote = ::write(number, at, static_cast<std::size_t>(std::min(bytes, kChunk)));
    if (wrote < 0) {
      if (errno == EINTR) continue;
      throw failure(path_);
    }
    at += wrote;
    bytes -= wrote;
  }
}

void OutputFile::commit() {
  if (is_standard_output()) return;
  // Some network file systems report a full disk only here or at close().
  if (fsync(file_.number()) != 0) throw failure(path_);
  if (close(file_.release()) != 0) throw failure(path_);
  const int renamed = overwrite_ ? std::rename(temporary_.c_str(), target_.c_str())
                                 : rename_to_new(temporary_.c_str(), target_.c_str());
  if (renamed != 0) throw errno == EEXIST ? messages::output_exists(path_) : failure(path_);
  temporary_.clear();
  sync_folder(target_);
}

}  // namespace quadrance::internal
