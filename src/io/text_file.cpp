// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/open_file.h>
#include <io/text_file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace heed::io {
namespace {

std::string read_all(int descriptor, const std::string& name, std::size_t largest_bytes) {
  constexpr std::size_t first_piece = std::size_t{1} << 16U;
  std::string text;
  std::size_t size = 0;
  while (true) {
    if (size == text.size()) text.resize(std::max(first_piece, 2 * size));
    const ssize_t count = ::read(descriptor, text.data() + size, text.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(ErrorKind::io, name + ": cannot be read (" + reason(errno) + ")");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
    if (size > largest_bytes) {
      throw Error(ErrorKind::unsupported,
                  name + ": holds more than " + std::to_string(largest_bytes) + " bytes; split it into smaller files");
    }
  }
  text.resize(size);
  return text;
}

std::string read_named(const std::filesystem::path& path, std::size_t largest_bytes) {
  const std::string name = input_name(path);
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) throw Error(ErrorKind::not_found, name + ": no such file");
    throw Error(ErrorKind::io, name + ": cannot be opened (" + reason(error) + ")");
  }
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::io, name + ": is a directory; give a file");
  }
  return read_all(file.get(), name, largest_bytes);
}

void check_text(std::string_view text, const std::string& name) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = text[i] == '\0' ? 0 : character_length(text.substr(i));
    if (length == 0) {
      const auto row = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(i), '\n');
      const std::string problem = text[i] == '\0' ? "holds a NUL byte" : "is not UTF-8";
      throw Error(ErrorKind::bad_data, "row " + std::to_string(row) + " " + problem + "; heed reads UTF-8 text")
          .within(name);
    }
    i += length;
  }
}

}  // namespace

bool is_standard_stream(const std::filesystem::path& path) { return path == "-"; }

std::string input_name(const std::filesystem::path& path) {
  return is_standard_stream(path) ? "standard input" : path.string();
}

std::string read_text_file(const std::filesystem::path& path, std::size_t largest_bytes) {
  std::string text = is_standard_stream(path) ? read_all(STDIN_FILENO, input_name(path), largest_bytes)
                                              : read_named(path, largest_bytes);
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  check_text(text, input_name(path));
  return text;
}

}  // namespace heed::io
