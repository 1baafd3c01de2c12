// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/growing_file.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace heed::io {
namespace {

constexpr mode_t mode_before_umask = 0666;

// Pipes and devices are neither held nor emptied; a file system without locks holds nothing.
bool take(int descriptor) noexcept {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) return true;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    errno = EBUSY;
    return false;
  }
  return ::ftruncate(descriptor, 0) == 0;
}

Error cannot_create(const std::filesystem::path& path, const std::string& content, int error_number) {
  return {ErrorKind::cannot_create, path.string() + ": " + content + " cannot be created (" +
                                        why_not_emptied(error_number) + "); choose another place for it"};
}

}  // namespace

FileDescriptor hold_emptied(const std::filesystem::path& path) {
  // It is emptied once it is held: until then it is another's.
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, mode_before_umask));  // NOLINT(*-vararg)
  if (!file.is_open() || take(file.get())) return file;
  const int problem = errno;
  file = FileDescriptor(-1);
  errno = problem;
  return file;
}

std::string why_not_emptied(int error_number) {
  return error_number == EBUSY ? "another process is writing to it" : reason(error_number);
}

bool make_new(const std::filesystem::path& path, const std::string& content) {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  const FileDescriptor file(::open(path.c_str(), flags, mode_before_umask));  // NOLINT(*-vararg)
  if (!file.is_open() && errno != EEXIST) throw cannot_create(path, content, errno);
  return file.is_open();
}

GrowingFile::GrowingFile(std::filesystem::path path, std::string content)
    : path_(std::move(path)), content_(std::move(content)), file_(hold_emptied(path_)) {
  if (!file_.is_open()) throw cannot_create(path_, content_, errno);
}

void GrowingFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("could not be written", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void GrowingFile::overwrite_start(std::string_view bytes) {
  for (off_t done = 0; std::cmp_less(done, bytes.size());) {
    const std::string_view rest = bytes.substr(static_cast<std::size_t>(done));
    const ssize_t written = ::pwrite(file_.get(), rest.data(), rest.size(), done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("could not be written", errno);
    done += written;
  }
}

void GrowingFile::finish() {
  if (!file_.is_open()) return;
  if (::fsync(file_.get()) != 0 && errno != EINVAL && errno != EROFS) fail("could not be kept", errno);
  if (!file_.close()) fail("could not be kept", errno);
}

void GrowingFile::fail(const char* problem, int error_number) const {
  throw Error(ErrorKind::io, path_.string() + ": " + content_ + " " + problem + " (" + reason(error_number) +
                                 "); free the disk, or choose another place for it");
}

}  // namespace heed::io
