// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/held_file.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <string>
#include <utility>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = ".heed-writing";
constexpr const char* temporary_beginning = ".heed-";
constexpr const char* temporary_ending = ".tmp";

// The name of this machine, as far as it can be part of a file's.
std::string machine() {
  std::array<char, 33> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 && errno != ENAMETOOLONG) return "unnamed";
  std::string text(name.data());
  std::ranges::replace(text, '/', '-');
  return text;
}

bool lock(int descriptor) noexcept { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

// Between making a file and locking it somebody may have taken it for abandoned.
bool is_held(int descriptor) noexcept {
  if (!lock(descriptor) && errno == EWOULDBLOCK) return false;
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

// Whether the file was there, held by nobody, and is gone now. Never follows a link, never touches what belongs to
// another user. Where a file system knows no locks, nothing is abandoned.
bool remove_abandoned(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));  // NOLINT(*-vararg)
  if (!file.is_open()) return false;
  struct stat found {};
  if (::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != ::geteuid()) return false;
  if (!lock(file.get())) return false;
  // Its maker may have given it its final name since it was opened here.
  struct stat named {};
  if (::lstat(path.c_str(), &named) != 0 || named.st_ino != found.st_ino || named.st_dev != found.st_dev) return false;
  return ::unlink(path.c_str()) == 0;
}

// Not open: errno says why, EEXIST where somebody holds it.
FileDescriptor hold_new_file(const fs::path& path) {
  constexpr mode_t mode_before_umask = 0666;
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  while (true) {
    FileDescriptor file(::open(path.c_str(), flags, mode_before_umask));  // NOLINT(*-vararg)
    if (file.is_open() && is_held(file.get())) return file;
    if (file.is_open()) continue;
    if (errno != EEXIST) return FileDescriptor(-1);
    if (!remove_abandoned(path)) {
      errno = EEXIST;
      return FileDescriptor(-1);
    }
  }
}

fs::path temporary_path(const fs::path& folder, int number) {
  return folder / (temporary_beginning + machine() + "-" + std::to_string(number) + temporary_ending);
}

void remove_abandoned_from(const fs::path& folder, int number) {
  while (remove_abandoned(temporary_path(folder, number))) ++number;
}

Error cannot_fill(const fs::path& folder, const std::string& problem) {
  return {ErrorKind::cannot_create, folder.string() + ": " + problem};
}

// The machine whose process made the lock. A lock that says nothing is new, or its maker got no further: one of ours.
std::string maker_of(const fs::path& lock) {
  std::array<char, 64> text{};
  const FileDescriptor file(::open(lock.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));  // NOLINT(*-vararg)
  const ssize_t size = file.is_open() ? ::read(file.get(), text.data(), text.size()) : 0;
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : machine();
}

}  // namespace

FileDescriptor hold_temporary(const fs::path& folder, fs::path& path) {
  constexpr int most_writers = 10000;
  for (int number = 0; number < most_writers; ++number) {
    path = temporary_path(folder, number);
    FileDescriptor file = hold_new_file(path);
    if (!file.is_open() && errno == EEXIST) continue;
    if (file.is_open()) remove_abandoned_from(folder, number + 1);
    return file;
  }
  return FileDescriptor(-1);
}

FolderLock::FolderLock(fs::path folder) : folder_(std::move(folder)), held_(-1) {
  std::error_code failure;
  made_ = fs::create_directories(folder_, failure);
  if (!fs::is_directory(folder_)) {
    const std::string problem = fs::exists(folder_) ? "a file is in its place" : failure.message();
    throw cannot_fill(folder_, "cannot be created as a folder (" + problem + ")");
  }
  const fs::path lock = folder_ / lock_name;
  const std::string maker = maker_of(lock);
  if (maker == machine()) held_ = hold_new_file(lock);
  if (held_.is_open()) {
    remove_abandoned_from(folder_, 0);
    // For other machines; a lock that says nothing is one, too.
    [[maybe_unused]] const ssize_t written = ::write(held_.get(), maker.data(), maker.size());
  } else if (maker != machine() || errno == EEXIST) {
    throw cannot_fill(folder_, "another process is writing to this folder, on " + maker +
                                   "; wait until it has finished, or choose another folder" +
                                   (maker == machine() ? "" : ". If it was killed, remove " + lock.string()));
  } else {
    throw cannot_fill(folder_, "cannot be written to (" + reason(errno) + ")");
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : folder_(std::exchange(other.folder_, {})), made_(other.made_), held_(std::move(other.held_)) {}

FolderLock::~FolderLock() {
  if (folder_.empty()) return;
  try {
    ::unlink((folder_ / lock_name).c_str());
  } catch (const std::bad_alloc&) {  // no memory for the path: by way of the folder
    const FileDescriptor folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));  // NOLINT(*-vararg)
    if (folder.is_open()) ::unlinkat(folder.get(), lock_name, 0);
  }
  if (made_) ::rmdir(folder_.c_str());
}

bool FolderLock::is_passing(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return name == lock_name || (name.starts_with(temporary_beginning) && name.ends_with(temporary_ending));
}

bool FolderLock::is_empty() const { return std::ranges::all_of(fs::directory_iterator(folder_), is_passing); }

}  // namespace heed::io
