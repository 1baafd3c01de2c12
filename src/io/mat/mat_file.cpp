// SPDX-License-Identifier: MIT
#include <io/mat/mat_file.h>
#include <io/mat/mat_node.h>
#include <io/recording/header_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace heed::io {
namespace {

constexpr std::string_view foreign_remedy =
    "only MATLAB can read it: turn it into a struct, cell or char array there (table2struct, char) and save again";

std::string kind_name(const MatNode& node) {
  switch (node.kind()) {
    case MatKind::number:
    case MatKind::foreign:
      return node.class_name();
    case MatKind::text:
      return "char";
    case MatKind::cell:
      return "cell";
    case MatKind::structure:
      return "struct";
  }
  return "";
}

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < most; ++k) text += (k == 0 ? "" : ", ") + names[k];
  return names.size() > most ? text + " ..." : text;
}

std::string indexed(const std::string& path, std::size_t index, std::string_view brackets) {
  return path + brackets.front() + std::to_string(index + 1) + brackets.back();
}

// Where the format is told: the last bytes of the header, and for 7.3 the signature of HDF5 behind it.
enum class MatVersion { five, seven_three };

MatVersion version_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::array<char, 520> bytes{};
  stream.read(bytes.data(), bytes.size());
  const auto count = static_cast<std::size_t>(stream.gcount());
  constexpr std::size_t header_bytes = 128;
  constexpr std::size_t hdf5_begins = 512;
  constexpr std::string_view hdf5{"\x89HDF\r\n\x1a\n", 8};
  const std::string_view text(bytes.data(), count);
  if (count >= header_bytes) {
    const std::string_view end = text.substr(header_bytes - 4, 4);
    using namespace std::string_view_literals;
    if (end == "\x00\x01IM"sv || end == "\x01\x00MI"sv) return MatVersion::five;
    const bool says_so = end == "\x00\x02IM"sv || end == "\x02\x00MI"sv;
    if (says_so && text.size() > hdf5_begins && text.substr(hdf5_begins) == hdf5) return MatVersion::seven_three;
    if (says_so) throw Error(ErrorKind::bad_data, "byte 512: a MAT 7.3 file without HDF5 inside; download it again");
  }
  throw Error(
      ErrorKind::bad_data,
      "not a MAT file of MATLAB 5 or later: its header is missing; if it is of MATLAB 4, save it again with -v7");
}

void append(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  const auto follow = [&](unsigned shift) { byte(0x80U | ((code >> shift) & 0x3fU)); };
  if (code < 0x80U) {
    byte(code);
  } else if (code < 0x800U) {
    byte(0xc0U | (code >> 6U));
    follow(0);
  } else if (code < 0x10000U) {
    byte(0xe0U | (code >> 12U));
    follow(6);
    follow(0);
  } else {
    byte(0xf0U | (code >> 18U));
    follow(12);
    follow(6);
    follow(0);
  }
}

}  // namespace

// Names in a file may be of any bytes; messages are shown by terminals and Python.
Error MatValue::error(std::string_view problem) const {
  return {ErrorKind::bad_data, file_ + ": " + clean_text(path_ + ": " + std::string(problem))};
}

std::string MatValue::described() const {
  const std::string name = clean_text(kind_name(*node_));
  if (is(MatKind::foreign)) return name.empty() ? "an object of a MATLAB class" : "an object of class " + name;
  if (single_) return "a " + name;
  if (node_->size() == 0) return "an empty " + name;
  std::string shape;
  for (const std::size_t dimension : node_->dimensions()) {
    shape += (shape.empty() ? "" : " x ") + std::to_string(dimension);
  }
  return shape + " " + name;
}

Error MatValue::not_a(std::string_view wanted) const {
  std::string problem = "is " + described() + ", not " + std::string(wanted);
  if (is(MatKind::foreign)) problem += "; " + std::string(foreign_remedy);
  return error(problem);
}

void MatValue::need(MatKind kind, std::string_view wanted) const {
  if (!is(kind)) throw not_a(wanted);
}

bool MatValue::has(std::string_view name) const {
  if (!is(MatKind::structure) || size() != 1) return false;
  const auto fields = node_->fields();
  return std::ranges::find(fields, name) != fields.end();
}

MatValue MatValue::field(std::string_view name) const {
  const std::string wanted(name);
  if (!is(MatKind::structure) || size() != 1) throw not_a("a struct with the field " + wanted);
  if (!has(name)) {
    const auto fields = node_->fields();
    throw error("has no field " + wanted + (fields.empty() ? "" : "; it has " + joined(fields)));
  }
  MatValue value(file_, path_ + "." + wanted, node_->field(wanted, index_));
  if (!value.node_) throw value.error("the file is damaged there");
  return value;
}

MatValue MatValue::cell(std::size_t index) const {
  need(MatKind::cell, "a cell array");
  if (index >= size()) throw error("has " + std::to_string(size()) + " cells, no number " + std::to_string(index + 1));
  MatValue value(file_, indexed(path_, index, "{}"), node_->cell(index));
  if (!value.node_) throw value.error("the file is damaged there");
  return value;
}

MatValue MatValue::element(std::size_t index) const {
  need(MatKind::structure, "an array of structs");
  if (index >= size())
    throw error("has " + std::to_string(size()) + " elements, no number " + std::to_string(index + 1));
  MatValue value(file_, indexed(path_, index, "()"), node_);
  value.index_ = single_ ? index_ : index;
  value.single_ = true;
  return value;
}

MatValue MatValue::at(std::string_view path) const {
  MatValue value = *this;
  while (!path.empty()) {
    if (path.front() == '{' || path.front() == '(') {
      const bool cell = path.front() == '{';
      const std::size_t end = path.find(cell ? '}' : ')');
      std::size_t number = 0;
      const std::string_view digits = path.substr(1, end == std::string_view::npos ? 0 : end - 1);
      const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      if (parsed.ec != std::errc{} || parsed.ptr != digits.data() + digits.size() || number == 0) {
        throw Error(ErrorKind::invalid_argument, "'" + std::string(path) + "' is not a place in a MAT value");
      }
      value = cell ? value.cell(number - 1) : value.element(number - 1);
      path.remove_prefix(end + 1);
    } else {
      if (path.front() == '.') path.remove_prefix(1);
      const std::size_t end = std::min(path.find_first_of(".{("), path.size());
      value = value.field(path.substr(0, end));
      path.remove_prefix(end);
    }
  }
  return value;
}

void MatValue::check_array(std::size_t bytes_each) const {
  if (node_->size() > largest_mat_array / bytes_each) {
    throw Error(ErrorKind::unsupported, error(described() + " is more than heed reads at once").what());
  }
}

std::vector<double> MatValue::numbers() const {
  need(MatKind::number, "numbers");
  check_array(sizeof(double));
  std::vector<double> values(node_->size());
  if (!node_->read(std::span(values))) throw error("the numbers cannot be read: the file is damaged there");
  const auto bad = std::ranges::find_if_not(values, [](double value) { return std::isfinite(value); });
  if (bad != values.end()) {
    throw error("number " + std::to_string(bad - values.begin() + 1) + " is not finite");
  }
  return values;
}

double MatValue::number() const {
  if (!is(MatKind::number) || size() != 1) throw not_a("a number");
  return numbers().front();
}

double MatValue::positive() const {
  const double value = number();
  if (!(value > 0)) throw error("must be greater than 0");
  return value;
}

std::string MatValue::text() const {
  const auto& dimensions = node_->dimensions();
  if (!is(MatKind::text) || (size() > 0 && dimensions.front() != 1)) throw not_a("a row of text");
  constexpr std::size_t longest = 4096;
  if (size() > longest) throw error("is a text of " + std::to_string(size()) + " letters");
  std::string text;
  if (!node_->read(text)) throw error("the text cannot be read: the file is damaged there");
  return std::string(trimmed(clean_text(text)));
}

SampleMatrix MatValue::samples() const {
  const auto& dimensions = node_->dimensions();
  if (!is(MatKind::number) || dimensions.size() != 2) throw not_a("a matrix of numbers");
  if (size() == 0) throw error("is empty");
  check_array(2 * sizeof(float));
  std::vector<float> columns(node_->size());
  if (!node_->read(std::span(columns))) throw error("the numbers cannot be read: the file is damaged there");
  using ColumnMajor = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic>>;
  const ColumnMajor stored(columns.data(), static_cast<Eigen::Index>(dimensions[0]),
                           static_cast<Eigen::Index>(dimensions[1]));
  for (Eigen::Index channel = 0; channel < stored.cols(); ++channel) {
    for (Eigen::Index row = 0; row < stored.rows(); ++row) {
      if (std::isfinite(stored(row, channel))) continue;
      throw error("row " + std::to_string(row + 1) + ", column " + std::to_string(channel + 1) + " is not finite");
    }
  }
  SampleMatrix result(stored.rows(), stored.cols());
  // By blocks of rows: both sides then stay in the cache.
  constexpr Eigen::Index block = 256;
  for (Eigen::Index row = 0; row < stored.rows(); row += block) {
    const Eigen::Index rows = std::min(block, stored.rows() - row);
    result.middleRows(row, rows) = stored.middleRows(row, rows);
  }
  return result;
}

// Columns one after the other are rows of the transposed matrix one after the other.
SampleMatrix MatValue::samples_across() const {
  const auto& dimensions = node_->dimensions();
  if (!is(MatKind::number) || dimensions.size() != 2) throw not_a("a matrix of numbers");
  if (size() == 0) throw error("is empty");
  check_array(sizeof(float));
  SampleMatrix result(static_cast<Eigen::Index>(dimensions[1]), static_cast<Eigen::Index>(dimensions[0]));
  if (!node_->read(std::span(result.data(), node_->size()))) {
    throw error("the numbers cannot be read: the file is damaged there");
  }
  for (Eigen::Index row = 0; row < result.rows(); ++row) {
    if (result.row(row).allFinite()) continue;
    throw error("column " + std::to_string(row + 1) + " has a number that is not finite");
  }
  return result;
}

MatFile MatFile::open(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) throw Error(ErrorKind::not_found, name + ": no such file");
  if (!std::filesystem::is_regular_file(path, failure)) throw Error(ErrorKind::io, name + ": is not a file");
  if (!std::ifstream(path)) throw Error(ErrorKind::io, name + ": cannot be opened");
  try {
    if (version_of(path) == MatVersion::five) return {name, open_mat5(path)};
    return {name, open_apart([&] { return open_mat73(path); })};
  } catch (const Error& error) {
    throw error.within(name);
  }
}

bool MatFile::has(std::string_view name) const {
  const auto known = names();
  return std::ranges::find(known, name) != known.end();
}

MatValue MatFile::variable(std::string_view name) const {
  const std::string wanted(name);
  if (!has(name)) {
    const auto known = names();
    const std::string others = known.empty() ? "; it has none at all" : "; it has " + joined(known);
    throw Error(ErrorKind::bad_data, file_ + ": has no variable " + clean_text(wanted + others));
  }
  MatValue value(file_, wanted, content_->variable(wanted));
  if (!value.node_) throw value.error("the file is damaged there");
  return value;
}

namespace {

std::size_t read_all_below(const MatValue& value, int depth) {
  constexpr int deepest = 16;
  if (depth > deepest) throw value.error("values are nested too deeply");
  std::size_t count = 1;
  if (value.is(MatKind::cell)) {
    for (std::size_t k = 0; k < value.size(); ++k) count += read_all_below(value.cell(k), depth + 1);
  } else if (value.is(MatKind::structure)) {
    for (std::size_t k = 0; k < value.size(); ++k) {
      const MatValue element = value.element(k);
      for (const std::string& name : element.field_names()) count += read_all_below(element.field(name), depth + 1);
    }
  } else if (value.is(MatKind::text)) {
    (void)value.text();
  } else if (value.is(MatKind::number)) {
    (void)value.numbers();
  }
  return count;
}

}  // namespace

std::size_t read_all_of(const MatFile& file) {
  std::size_t count = 0;
  for (const std::string& name : file.names()) count += read_all_below(file.variable(name), 1);
  return count;
}

std::string utf8_from_utf16(std::string_view bytes) {
  const std::size_t units = bytes.size() / 2;
  const auto unit = [&](std::size_t k) -> std::uint32_t {
    std::uint16_t value = 0;
    std::memcpy(&value, bytes.data() + 2 * k, sizeof value);
    return value;
  };
  const auto is_first = [](std::uint32_t value) { return value >= 0xd800U && value < 0xdc00U; };
  const auto is_second = [](std::uint32_t value) { return value >= 0xdc00U && value < 0xe000U; };
  constexpr std::uint32_t replacement = 0xfffdU;
  std::string text;
  for (std::size_t k = 0; k < units; ++k) {
    const std::uint32_t code = unit(k);
    if (is_first(code) && k + 1 < units && is_second(unit(k + 1))) {
      append(text, 0x10000U + ((code - 0xd800U) << 10U) + (unit(k + 1) - 0xdc00U));
      ++k;
    } else {
      append(text, is_first(code) || is_second(code) ? replacement : code);
    }
  }
  return text;
}

}  // namespace heed::io
