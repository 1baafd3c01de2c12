// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/chain_file.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <string>
#include <vector>

namespace heed::io {
namespace {

// The numbers of a row, appended; how many there were.
std::size_t append_row(const LineReader& lines, std::vector<double>& numbers) {
  std::size_t count = 0;
  const std::string_view line = lines.line();
  for (std::size_t begin = 0; begin <= line.size(); ++count) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    const std::string_view cell = line.substr(begin, end - begin);
    const auto value = parse_number(cell);
    if (!value) {
      throw Error(ErrorKind::bad_data, "row " + std::to_string(lines.row()) + ", column " + std::to_string(count + 1) +
                                           ": " + in_quotes(cell) +
                                           " is not a number; a chain is N x N probabilities, tabs, no header");
    }
    numbers.push_back(*value);
    begin = end + 1;
  }
  return count;
}

}  // namespace

Matrix parse_chain(std::string_view text) {
  LineReader lines(text);
  std::vector<double> numbers;
  std::size_t columns = 0;
  while (lines.next()) {
    const std::size_t count = append_row(lines, numbers);
    if (columns == 0) columns = count;
    if (count != columns) {
      throw Error(ErrorKind::bad_data, "row " + std::to_string(lines.row()) + " has " + std::to_string(count) +
                                           " numbers, row 1 has " + std::to_string(columns));
    }
  }
  if (numbers.empty()) throw Error(ErrorKind::bad_data, "the file is empty; N x N probabilities are needed");
  if (lines.row() != columns) {
    throw Error(ErrorKind::bad_data, "row " + std::to_string(lines.row()) + " is the last, but there are " +
                                         std::to_string(columns) + " columns; a chain has as many rows as columns");
  }
  const auto states = static_cast<Index>(columns);
  return Eigen::Map<const Matrix>(numbers.data(), states, states);
}

Matrix read_chain(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  try {
    return parse_chain(text);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
}

}  // namespace heed::io
