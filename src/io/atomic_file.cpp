// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/held_file.h>
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
  FileDescriptor file = hold_temporary(folder_of(target_), temporary_);
  if (!file.is_open()) throw cannot_create(target_, reason(errno));
  if (const auto mode = mode_of(target_)) {
    constexpr mode_t permission_bits = 0777;
    if (::fchmod(file.get(), *mode & permission_bits) != 0) {
      const std::string why = reason(errno);
      ::unlink(temporary_.c_str());
      throw cannot_create(target_, why);
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
  const FileDescriptor held_until_here(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void StagedFile::append(std::string_view text) { write_all(descriptor_, text, name_); }

void StagedFile::finish() {
  if (finished_) return;
  // EINVAL: this file system has no sync, e.g. some network mounts.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) throw write_failed(name_, errno);
  // Some file systems report a failed write only when a descriptor is closed; ours is still needed, to hold the file.
  FileDescriptor copy(::dup(descriptor_));
  if (!copy.is_open() || !copy.close()) throw write_failed(name_, errno);
  finished_ = true;
}

void StagedFile::commit() {
  finish();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw cannot_create(target_, reason(errno));
  temporary_.clear();
  const FileDescriptor held_until_here(std::exchange(descriptor_, -1));
  sync_folder(folder_of(target_));
}

bool is_output_stream(const std::filesystem::path& path) {
  if (is_standard_stream(path)) return true;
  const auto mode = mode_of(path);
  return mode && !S_ISREG(*mode) && !S_ISDIR(*mode);
}

void try_output(const std::filesystem::path& path) {
  if (!is_output_stream(path)) const StagedFile tried(path);
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  if (is_output_stream(path)) {
    write_directly(path, text);
  } else {
    StagedFile(path, text).commit();
  }
}

}  // namespace heed::io
