// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/text_file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace heed::io {
namespace {

std::string read_all(int descriptor, std::size_t largest_bytes) {
  constexpr std::size_t first_piece = std::size_t{1} << 16U;
  std::string text;
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(std::max(first_piece, 2 * size));
    const std::size_t count = read_some(descriptor, {text.data() + size, text.size() - size});
    if (count == 0) break;
    size += count;
    if (size > largest_bytes) {
      throw Error(ErrorKind::unsupported,
                  "holds more than " + std::to_string(largest_bytes) + " bytes; split it into smaller files");
    }
  }
  text.resize(size);
  return text;
}

}  // namespace

std::size_t read_some(int descriptor, std::span<char> bytes) {
  while (true) {
    const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw Error(ErrorKind::io, "cannot be read (" + reason(errno) + ")");
  }
}

FileDescriptor open_text(const std::filesystem::path& path) {
  const std::string name = input_name(path);
  FileDescriptor file(is_standard_stream(path) ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) throw Error(ErrorKind::not_found, name + ": no such file");
    throw Error(ErrorKind::io, name + ": cannot be opened (" + reason(error) + ")");
  }
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::io, name + ": is a directory; give a file");
  }
  return file;
}

void check_text(std::string_view text, std::size_t rows) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text[i] == '\0' ? 0 : character_length(text.substr(i));
    if (length == 0) {
      const auto before = std::ranges::count(text.substr(0, i), '\n');
      const std::string problem = text[i] == '\0' ? "holds a NUL byte" : "is not UTF-8";
      throw Error(ErrorKind::bad_data, "row " + std::to_string(rows + 1 + static_cast<std::size_t>(before)) + " " +
                                           problem + "; heed reads UTF-8 text");
    }
    i += length;
  }
}

bool is_standard_stream(const std::filesystem::path& path) { return path == "-"; }

std::string input_name(const std::filesystem::path& path) {
  return is_standard_stream(path) ? "standard input" : path.string();
}

std::string read_text_file(const std::filesystem::path& path, std::size_t largest_bytes) {
  const FileDescriptor file = open_text(path);
  try {
    std::string text = read_all(file.get(), largest_bytes);
    if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
    check_text(text);
    return text;
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
}

}  // namespace heed::io
