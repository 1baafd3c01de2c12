// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/text_pieces.h>

#include <algorithm>

namespace heed::io {

TextPieces::TextPieces(const std::filesystem::path& path, std::size_t longest_line)
    : file_(open_text(path)), longest_line_(longest_line) {}

std::string_view TextPieces::next() {
  buffer_.erase(0, taken_);
  while ((taken_ = whole_lines()) == 0 && !ended_) fill();
  // Blank lines at the end are none.
  if (ended_ && taken_ == 0) taken_ = buffer_.find_last_not_of("\r\n") + 1;
  std::string_view piece = std::string_view(buffer_).substr(0, taken_);
  if (!begun_ && piece.starts_with(byte_order_mark)) piece.remove_prefix(byte_order_mark.size());
  begun_ = true;
  check_text(piece, rows_);
  rows_ += static_cast<std::size_t>(std::ranges::count(piece, '\n'));
  return piece;
}

// Bytes up to the last line that is not blank: of those after it nobody knows whether the text ends with them.
std::size_t TextPieces::whole_lines() const {
  const std::size_t last_end = buffer_.rfind('\n');
  if (last_end == std::string::npos) return 0;
  const std::size_t last_text = buffer_.find_last_not_of("\r\n", last_end);
  return last_text == std::string::npos ? 0 : buffer_.find('\n', last_text) + 1;
}

void TextPieces::fill() {
  constexpr std::size_t piece = std::size_t{1} << 20U;
  const std::size_t size = buffer_.size();
  if (size > longest_line_) {
    throw Error(ErrorKind::unsupported, "row " + std::to_string(rows_ + 1) + " holds more than " +
                                            std::to_string(longest_line_) + " bytes; a table has shorter rows");
  }
  buffer_.resize(std::max(size + piece, 2 * size));
  const std::size_t count = read_some(file_.get(), {buffer_.data() + size, buffer_.size() - size});
  buffer_.resize(size + count);
  ended_ = count == 0;
}

}  // namespace heed::io
