// SPDX-License-Identifier: MIT
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace heed::io {
namespace {

// Into cells that are there; the number of cells the line has, which may be more.
std::size_t split(std::string_view line, std::span<std::string_view> cells) noexcept {
  std::size_t count = 0;
  for (std::size_t begin = 0; begin <= line.size(); ++count) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    if (count < cells.size()) cells[count] = line.substr(begin, end - begin);
    begin = end + 1;
  }
  return count;
}

Error bad_row(std::size_t row, const std::string& problem) {
  return {ErrorKind::bad_data, "row " + std::to_string(row) + problem};
}

std::string cells_text(std::size_t count) { return std::to_string(count) + (count == 1 ? " cell" : " cells"); }

// A first row of data: numbers only, and not just 1, 2, 3, which may be names of speakers.
bool looks_like_data(std::span<const std::string> names) noexcept {
  const auto is_digits = [](std::string_view name) {
    return name.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const auto is_number = [](std::string_view name) { return parse_number(name).has_value() || name == missing_cell; };
  return std::ranges::all_of(names, is_number) && !std::ranges::all_of(names, is_digits);
}

// Spreadsheets of half the world write 249,5.
std::string number_meant(std::string_view cell) {
  std::string with_point(cell);
  std::ranges::replace(with_point, ',', '.');
  return (parse_number(with_point) ? with_point : "a number") + " or n/a";
}

}  // namespace

std::optional<double> parse_number(std::string_view text) noexcept {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

void append_number(std::string& text, double value, int digits) {
  if (std::isnan(value) || (std::isinf(value) && value > 0)) {
    text += missing_cell;
    return;
  }
  std::array<char, 32> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, digits);
  text.append(buffer.data(), result.ptr);
}

void append_exact_number(std::string& text, double value) {
  std::array<char, 32> buffer{};
  const double size = std::abs(value);
  const bool plain = value == 0 || (size >= 1e-5 && size < 1e15);  // not 1e+05 for 100000
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  text.append(buffer.data(), result.ptr);
}

std::string number_text(double value, int digits) {
  std::string text;
  append_number(text, value, digits);
  return text;
}

std::string in_quotes(std::string_view cell) {
  constexpr std::size_t longest = 40;
  if (cell.size() <= longest) return "'" + std::string(cell) + "'";
  std::size_t length = longest;
  // Not in the middle of a UTF-8 character.
  while (length > 0 && (static_cast<unsigned char>(cell[length]) & 0xc0U) == 0x80U) --length;
  return "'" + std::string(cell.substr(0, length)) + "...'";
}

void check_writable(std::string_view cell, std::string_view noun) {
  const bool breaks = cell.find_first_of(std::string_view("\t\r\n\0", 4)) != std::string_view::npos;
  if (!cell.empty() && cell != missing_cell && !breaks) return;
  throw Error(ErrorKind::invalid_argument,
              "cannot write the table: " + std::string(noun) +
                  (cell.empty() ? " has no name"
                                : " cannot be called " + in_quotes(cell) + "; tabs, line ends and n/a have a meaning"));
}

LineReader::LineReader(std::string_view text) noexcept : rest_(text.substr(0, text.find_last_not_of("\r\n") + 1)) {}

bool LineReader::next() {
  if (rest_.empty() && pieces_ != nullptr) rest_ = pieces_->next();
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  line_ = line_.substr(0, line_.find_last_not_of('\r') + 1);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++row_;
  return true;
}

TsvReader::TsvReader(LineReader lines) : lines_(lines) {
  if (!lines_.next()) throw Error(ErrorKind::bad_data, "the file is empty; a header row with column names is needed");
  if (lines_.line().empty()) throw bad_row(row(), " is empty; a header row with column names is needed");
  cells_.resize(split(lines_.line(), {}));
  split(lines_.line(), cells_);
  names_.assign(cells_.begin(), cells_.end());
  check_names();
}

void TsvReader::check_names() const {
  std::set<std::string_view> seen;
  for (std::size_t column = 0; column < names_.size(); ++column) {
    if (names_[column].empty()) {
      throw bad_row(row(), ", column " + std::to_string(column + 1) + ": the column has no name");
    }
    if (!seen.insert(names_[column]).second) {
      throw bad_row(row(),
                    ", column " + std::to_string(column + 1) + ": two columns are called " + in_quotes(names_[column]));
    }
  }
  if (looks_like_data(names_)) throw bad_row(row(), " holds numbers; a header row with column names is needed");
}

std::optional<std::size_t> TsvReader::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

bool TsvReader::next() {
  if (!lines_.next()) return false;
  if (lines_.line().empty() && names_.size() > 1) throw bad_row(row(), " is empty; remove it");
  const std::size_t count = split(lines_.line(), cells_);
  if (count != names_.size()) {
    throw bad_row(row(), " has " + cells_text(count) + ", the header has " + std::to_string(names_.size()) +
                             "; cells are separated by one tab");
  }
  return true;
}

std::optional<double> TsvReader::number(std::size_t column) const {
  if (cells_[column] == missing_cell) return std::nullopt;
  const auto value = parse_number(cells_[column]);
  if (!value)
    throw error(column, in_quotes(cells_[column]) + " is not a number; write " + number_meant(cells_[column]));
  return value;
}

Error TsvReader::error(std::size_t column, std::string_view problem) const {
  return bad_row(row(), ", column " + names_[column] + ": " + std::string(problem));
}

}  // namespace heed::io
