// SPDX-License-Identifier: MIT
// The text of a file, or of standard input ("-"), in pieces of whole lines: tables of any size are read without being
// held. Checked as read_text_file checks it; line ends at the end of the text are dropped.
#pragma once

#include <io/open_file.h>
#include <io/text_file.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// More than a row of a table can need.
inline constexpr std::size_t longest_text_line = std::size_t{1} << 26U;

class TextPieces {
 public:
  // Throws as read_text_file where there is no such file, or none that can be opened, naming the file.
  explicit TextPieces(const std::filesystem::path& path, std::size_t longest_line = longest_text_line);

  // The next lines, with their line ends, valid until the next call; empty: no more. Throws, without the file's name:
  // io (unreadable); bad_data (NUL bytes, not UTF-8); unsupported (a line that is too long).
  [[nodiscard]] std::string_view next();

 private:
  [[nodiscard]] std::size_t whole_lines() const;
  void fill();

  FileDescriptor file_;
  std::size_t longest_line_;
  std::string buffer_{};
  std::size_t taken_ = 0;  // of the buffer, by the piece before
  std::size_t rows_ = 0;   // in the pieces before
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace heed::io
