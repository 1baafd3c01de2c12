// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/open_file.h>
#include <io/text_file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

namespace heed::io {
namespace {

Error cannot_create(const std::filesystem::path& path, const std::string& why) {
  return {ErrorKind::cannot_create, path.string() + ": cannot be written (" + why + ")"};
}

Error write_failed(const std::string& name, int error) {
  if (error == ENOSPC || error == EDQUOT) {
    return {ErrorKind::io, name + ": the disk is full (" + reason(error) + "); free some space or write elsewhere"};
  }
  return {ErrorKind::io, name + ": writing failed (" + reason(error) + ")"};
}

void write_all(int descriptor, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw write_failed(name, errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::optional<mode_t> mode_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mode;
}

std::filesystem::path folder_of(const std::filesystem::path& target) {
  return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

// The file behind symbolic links; writable, or not there yet.
std::filesystem::path resolve_target(const std::filesystem::path& path) {
  if (!path.has_filename()) throw cannot_create(path, "no file name");
  const auto mode = mode_of(path);
  if (!mode) return path;
  if (S_ISDIR(*mode)) throw cannot_create(path, "it is a directory");
  if (::access(path.c_str(), W_OK) != 0) throw cannot_create(path, reason(errno));
  std::error_code failure;
  const auto resolved = std::filesystem::canonical(path, failure);
  return failure ? path : resolved;
}

// Opened only if new, so that two writers never share one. The name is short: a long target name plus
// an ending could be too long for the file system.
FileDescriptor open_temporary(const std::filesystem::path& target, std::filesystem::path& temporary) {
  constexpr mode_t mode_before_umask = 0666;
  constexpr int most_attempts = 1000;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::string name = ".heed-" + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
    temporary = folder_of(target) / name;
    FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_before_umask));
    if (file.is_open()) return file;
    if (errno != EEXIST) break;
  }
  throw cannot_create(target, reason(errno));
}

// Without it a power cut may undo the rename. A folder that cannot be synced is no failure: the file
// is already whole under its name.
void sync_folder(const std::filesystem::path& folder) noexcept {
  const FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.is_open()) ::fsync(descriptor.get());
}

void write_directly(const std::filesystem::path& path, std::string_view text) {
  if (is_standard_stream(path)) {
    // What the program printed before comes first.
    if (std::fflush(stdout) != 0) throw write_failed("standard output", errno);
    write_all(STDOUT_FILENO, text, "standard output");
    return;
  }
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open()) throw cannot_create(path, reason(errno));
  write_all(file.get(), text, path.string());
  if (!file.close()) throw write_failed(path.string(), errno);
}

}  // namespace

StagedFile::StagedFile(const std::filesystem::path& path) : name_(path.string()), target_(resolve_target(path)) {
  FileDescriptor file = open_temporary(target_, temporary_);
  if (const auto mode = mode_of(target_)) {
    constexpr mode_t permission_bits = 0777;
    if (::fchmod(file.get(), *mode & permission_bits) != 0) {
      const Error error = cannot_create(target_, reason(errno));
      ::unlink(temporary_.c_str());
      throw error;
    }
  }
  descriptor_ = file.release();
}

// Once the other constructor is through, the destructor clears up whatever is thrown here.
StagedFile::StagedFile(const std::filesystem::path& path, std::string_view text) : StagedFile(path) {
  append(text);
  finish();
}

StagedFile::~StagedFile() {
  const FileDescriptor closed_at_the_end(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void StagedFile::append(std::string_view text) { write_all(descriptor_, text, name_); }

void StagedFile::finish() {
  if (descriptor_ < 0) return;
  FileDescriptor file(std::exchange(descriptor_, -1));
  // EINVAL: this file system has no sync, e.g. some network mounts.
  if (::fsync(file.get()) != 0 && errno != EINVAL) throw write_failed(name_, errno);
  if (!file.close()) throw write_failed(name_, errno);
}

void StagedFile::commit() {
  finish();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw cannot_create(target_, reason(errno));
  temporary_.clear();
  sync_folder(folder_of(target_));
}

bool is_output_stream(const std::filesystem::path& path) {
  if (is_standard_stream(path)) return true;
  const auto mode = mode_of(path);
  return mode && !S_ISREG(*mode) && !S_ISDIR(*mode);
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  if (is_output_stream(path)) {
    write_directly(path, text);
  } else {
    StagedFile(path, text).commit();
  }
}

}  // namespace heed::io
