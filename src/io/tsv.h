// SPDX-License-Identifier: MIT
// Tab-separated tables, strictly: one header row, as many cells in every row, `n/a` for what is
// missing. The reader walks over text it does not own and allocates nothing per row or cell.
// Rows and columns in messages count from 1; a row is a line of the file, the header is row 1.
#pragma once

#include <heed/data/error.h>
#include <io/text_pieces.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

inline constexpr std::string_view missing_cell = "n/a";

// A finite decimal number, the whole of `text`, whatever the locale. One leading + is accepted (other
// programs write it); hexadecimal, inf, nan, spaces and numbers too large for a double are not.
[[nodiscard]] std::optional<double> parse_number(std::string_view text) noexcept;

// `digits` significant ones, 1..17; 17 reads back exactly. NaN and +inf give n/a, -inf gives -inf.
void append_number(std::string& text, double value, int digits);
[[nodiscard]] std::string number_text(double value, int digits = 6);
// The fewest digits that read back exactly: 0.1, not 0.10000000000000001. The value must be finite.
void append_exact_number(std::string& text, double value);

// 'cell' for a message, cut if it is long.
[[nodiscard]] std::string in_quotes(std::string_view cell);

// Tabs and line ends would break a table, n/a and nothing mean something else: throws invalid_argument, "cannot write
// the table: a speaker cannot be called 'n/a' ...".
void check_writable(std::string_view cell, std::string_view noun);

// Lines without their LF or CRLF. Line ends at the end of the text are dropped, so a last blank line is none.
class LineReader {
 public:
  explicit LineReader(std::string_view text) noexcept;
  // Lines of a file that is not held: a line is valid until the next one. The pieces must outlive the reader.
  explicit LineReader(TextPieces& pieces) noexcept : pieces_(&pieces) {}

  bool next();  // false: no more lines. Throws as the pieces do, and nothing for a text
  [[nodiscard]] std::string_view line() const noexcept { return line_; }
  [[nodiscard]] std::size_t row() const noexcept { return row_; }  // of line(); the first is 1

 private:
  TextPieces* pieces_ = nullptr;
  std::string_view rest_{};
  std::string_view line_{};
  std::size_t row_ = 0;
};

// The text must outlive the reader. All errors are bad_data.
class TsvReader {
 public:
  // Reads the header. Throws on an empty file, empty or repeated column names, and numbers for names.
  explicit TsvReader(std::string_view text) : TsvReader(LineReader(text)) {}
  // Cells are valid until the next row.
  explicit TsvReader(TextPieces& pieces) : TsvReader(LineReader(pieces)) {}

  [[nodiscard]] std::span<const std::string> names() const noexcept { return names_; }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const noexcept;

  // Moves to the next row. Throws where it does not have as many cells as the header.
  bool next();
  [[nodiscard]] std::size_t row() const noexcept { return lines_.row(); }
  [[nodiscard]] std::string_view cell(std::size_t column) const noexcept { return cells_[column]; }
  // Nothing for n/a. Throws for anything else that is not a number.
  [[nodiscard]] std::optional<double> number(std::size_t column) const;
  // "row 17, column left: problem"
  [[nodiscard]] Error error(std::size_t column, std::string_view problem) const;

 private:
  explicit TsvReader(LineReader lines);
  void check_names() const;

  LineReader lines_;
  std::vector<std::string> names_;
  std::vector<std::string_view> cells_;
};

}  // namespace heed::io
