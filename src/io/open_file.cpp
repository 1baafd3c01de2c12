// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/open_file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heed::io {

std::string why_missing(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_symlink(path, ignored)
             ? "is a link to a file that is not there; fetch it first (datalad get, or git annex get)"
             : "no such file";
}

SampleFile::SampleFile(const std::filesystem::path& path)
    : name_(path.string()), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (!descriptor_.is_open()) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) throw Error(ErrorKind::not_found, name_ + ": " + why_missing(path));
    throw Error(ErrorKind::io, name_ + ": cannot be opened (" + reason(error) + ")");
  }
  struct stat status {};
  if (::fstat(descriptor_.get(), &status) != 0) {
    throw Error(ErrorKind::io, name_ + ": cannot be read (" + reason(errno) + ")");
  }
  if (S_ISDIR(status.st_mode)) throw Error(ErrorKind::io, name_ + ": is a directory; give a file");
  if (!S_ISREG(status.st_mode)) {
    throw Error(ErrorKind::io,
                name_ + ": is not a regular file; recordings are read in pieces, so save it to disk first");
  }
  size_ = status.st_size;
}

void SampleFile::read(std::int64_t offset, std::span<char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(descriptor_.get(), bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const std::string why = count < 0 ? reason(errno) : "the file became shorter while it was read";
      throw Error(ErrorKind::io, name_ + ": byte " + std::to_string(offset + 1) + " cannot be read (" + why + ")");
    }
    offset += count;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

std::string SampleFile::text() const {
  constexpr std::int64_t largest = std::int64_t{64} << 20U;
  if (size_ > largest) {
    throw Error(ErrorKind::unsupported, name_ + ": holds " + std::to_string(size_) + " bytes, more than a header has");
  }
  std::string bytes(static_cast<std::size_t>(size_), '\0');
  read(0, bytes);
  return bytes;
}

}  // namespace heed::io
