// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/atomic_file.h>
#include <io/mat/mat5_writer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace heed::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the file says so");

// As the format numbers them.
enum Type : std::uint32_t { int8 = 1, int32 = 5, uint32 = 6, float64 = 9, matrix = 14, utf16 = 17 };
enum Class { cell_class = 1, struct_class = 2, char_class = 4, double_class = 6 };

template <typename T>
void append(std::string& bytes, T value) {
  const auto raw = std::bit_cast<std::array<char, sizeof value>>(value);
  bytes.append(raw.data(), raw.size());
}

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

void append_tag(std::string& bytes, Type type, std::uint64_t size) {
  append(bytes, static_cast<std::uint32_t>(type));
  append(bytes, static_cast<std::uint32_t>(size));
}

void append_element(std::string& bytes, Type type, std::string_view content) {
  append_tag(bytes, type, content.size());
  bytes.append(content);
  bytes.append(padded(content.size()) - content.size(), '\0');
}

// What is no UTF-8 becomes U+FFFD.
std::u16string utf16_from_utf8(std::string_view text) {
  std::u16string result;
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80U ? 1 : lead >= 0xf0U ? 4 : lead >= 0xe0U ? 3 : lead >= 0xc2U ? 2 : 0;
    std::uint32_t code = length == 1 ? lead : lead & (0x7fU >> length);
    bool good = length > 0 && length <= text.size();
    for (std::size_t k = 1; good && k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[k]);
      good = (byte & 0xc0U) == 0x80U;
      code = (code << 6U) | (byte & 0x3fU);
    }
    text.remove_prefix(good ? length : 1);
    if (!good || code > 0x10ffffU) {
      result += u'\ufffd';
    } else if (code < 0x10000U) {
      result += static_cast<char16_t>(code);
    } else {
      result += static_cast<char16_t>(0xd800U + ((code - 0x10000U) >> 10U));
      result += static_cast<char16_t>(0xdc00U + (code & 0x3ffU));
    }
  }
  return result;
}

std::string head(int array_class, Index rows, Index columns, std::string_view name) {
  std::string bytes;
  append_tag(bytes, uint32, 8);
  append(bytes, static_cast<std::uint32_t>(array_class));
  append(bytes, std::uint32_t{0});
  append_tag(bytes, int32, 8);
  append(bytes, static_cast<std::int32_t>(rows));
  append(bytes, static_cast<std::int32_t>(columns));
  append_element(bytes, int8, name);
  return bytes;
}

}  // namespace

Mat5Value Mat5Value::numbers(Index rows, Index columns, std::function<Eigen::MatrixXd()> values) {
  Mat5Value value(double_class, rows, columns);
  value.numbers_ = std::move(values);
  return value;
}

Mat5Value Mat5Value::row(std::vector<double> values) {
  const Index columns = std::ssize(values);
  return numbers(1, columns, [values = std::move(values)] {
    return Eigen::MatrixXd(Eigen::Map<const Eigen::RowVectorXd>(values.data(), std::ssize(values)));
  });
}

Mat5Value Mat5Value::text(std::string_view utf8) {
  const std::u16string units = utf16_from_utf8(utf8);
  Mat5Value value(char_class, units.empty() ? 0 : 1, std::ssize(units));
  std::string bytes;
  for (const char16_t unit : units) append(bytes, unit);
  append_element(value.body_, utf16, bytes);
  return value;
}

Mat5Value Mat5Value::cell(Index rows, Index columns, std::vector<Mat5Value> items) {
  Mat5Value value(cell_class, rows, columns);
  value.items_ = std::move(items);
  return value;
}

// The fields of the first struct, then those of the second.
Mat5Value Mat5Value::structs(std::vector<Field> fields) {
  constexpr std::size_t name_length = 32;
  const std::size_t count = fields.empty() ? 1 : fields.front().second.size();
  Mat5Value value(struct_class, 1, static_cast<Index>(count));
  append(value.body_, std::uint16_t{int32});  // a small element: tag and content in eight bytes
  append(value.body_, std::uint16_t{4});
  append(value.body_, static_cast<std::uint32_t>(name_length));
  std::string names;
  for (const Field& field : fields) {
    names += field.first;
    names.append(name_length - field.first.size(), '\0');
  }
  append_element(value.body_, int8, names);
  for (std::size_t k = 0; k < count; ++k) {
    for (Field& field : fields) value.items_.push_back(std::move(field.second[k]));
  }
  return value;
}

std::uint64_t Mat5Value::bytes(std::string_view name) const {
  constexpr std::uint64_t tag = 8;
  std::uint64_t content = head(array_class_, rows_, columns_, name).size() + body_.size();
  for (const Mat5Value& item : items_) content += item.bytes("");
  if (numbers_) content += tag + (static_cast<std::uint64_t>(rows_ * columns_) * sizeof(double));
  return tag + content;
}

void Mat5Value::write(std::string_view name, const std::function<void(std::string_view)>& sink) const {
  std::string first;
  append_tag(first, matrix, bytes(name) - 8);
  first += head(array_class_, rows_, columns_, name) + body_;
  if (numbers_) append_tag(first, float64, static_cast<std::uint64_t>(rows_ * columns_) * sizeof(double));
  sink(first);
  for (const Mat5Value& item : items_) item.write("", sink);
  if (!numbers_) return;
  const Eigen::MatrixXd values = numbers_();
  if (values.rows() != rows_ || values.cols() != columns_) {
    throw Error(ErrorKind::io, "a matrix of " + std::to_string(rows_) + " x " + std::to_string(columns_) + " came as " +
                                   std::to_string(values.rows()) + " x " + std::to_string(values.cols()) +
                                   "; did a file change while it was read?");
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the bytes of numbers
  sink({reinterpret_cast<const char*>(values.data()), static_cast<std::size_t>(values.size()) * sizeof(double)});
}

void write_mat5(const std::filesystem::path& path, const std::vector<std::pair<std::string, Mat5Value>>& variables) {
  constexpr std::size_t text_length = 124;
  for (const auto& [name, value] : variables) {
    if (value.bytes(name) <= std::numeric_limits<std::int32_t>::max()) continue;
    throw Error(ErrorKind::unsupported, path.string() + ": " + name +
                                            " would have more than 2 GB, which a MAT file of MATLAB 5 to 7 cannot "
                                            "hold; preprocess the recordings to a lower rate first");
  }
  StagedFile file(path);
  std::string header = "MATLAB 5.0 MAT-file, written by heed";
  header.resize(text_length, ' ');
  append(header, std::uint16_t{0x0100});
  header += "IM";
  file.append(header);
  for (const auto& [name, value] : variables) {
    value.write(name, [&](std::string_view bytes) { file.append(bytes); });
  }
  file.commit();
}

}  // namespace heed::io
