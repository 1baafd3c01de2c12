// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/npy_file.h>
#include <io/open_file.h>
#include <io/text_file.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace heed::io {
namespace {

static_assert(std::endian::native == std::endian::little);

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::bad_data, why + "; write it again with numpy.save");
}

// ---- the header: a dictionary as Python writes it ----

struct Header {
  std::optional<std::string> type{};  // descr
  std::optional<bool> by_columns{};   // fortran_order
  std::optional<std::vector<std::uint64_t>> shape{};
};

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : rest_(text) {}

  Header read() {
    Header header;
    expect('{');
    while (!take('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !header.type) {
        header.type = quoted();
      } else if (key == "fortran_order" && !header.by_columns) {
        header.by_columns = truth();
      } else if (key == "shape" && !header.shape) {
        header.shape = shape();
      } else {
        broken();
      }
      if (!take(',') && next() != '}') broken();
    }
    if (next() != '\0' || !header.type || !header.by_columns || !header.shape) broken();
    return header;
  }

 private:
  [[noreturn]] static void broken() { refuse("the header is not one of numpy (descr, fortran_order, shape)"); }

  // The next character that is no blank; NUL at the end.
  char next() {
    const auto at = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(std::min(at, rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  bool take(char wanted) {
    if (next() != wanted || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) broken();
  }

  std::string quoted() {
    const char mark = next();
    if (mark != '\'' && mark != '"') broken();
    const auto end = rest_.find(mark, 1);
    if (end == std::string_view::npos) broken();
    std::string text(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool truth() {
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (next() == word.front() && rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    broken();
  }

  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> sizes;
    expect('(');
    while (!take(')')) {
      (void)next();
      std::uint64_t size = 0;
      const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (failure != std::errc{}) broken();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      sizes.push_back(size);
      if (!take(',') && next() != ')') broken();
    }
    return sizes;
  }

  std::string_view rest_;
};

// ---- the file ----

struct Parts {
  std::string_view header{};
  std::string_view data{};
};

Parts split(std::string_view bytes) {
  constexpr std::string_view magic = "\x93NUMPY";
  constexpr std::size_t version_end = 8;
  if (!bytes.starts_with(magic) || bytes.size() < version_end) refuse("is not a file of numpy (.npy)");
  const auto version = static_cast<unsigned char>(bytes[magic.size()]);
  if (version != 1 && version != 2) {
    throw Error(ErrorKind::unsupported, "is of version " + std::to_string(version) +
                                            " of numpy's format; heed reads 1 and 2, which numpy.save writes");
  }
  const std::size_t width = version == 1 ? 2 : 4;
  if (bytes.size() < version_end + width) refuse("ends within its header");
  std::size_t length = 0;
  for (std::size_t k = width; k-- > 0;) {
    length = (length << 8U) | static_cast<unsigned char>(bytes[version_end + k]);
  }
  bytes.remove_prefix(version_end + width);
  if (length > bytes.size()) refuse("ends within its header");
  return {bytes.substr(0, length), bytes.substr(length)};
}

std::uint64_t rows_of(const Header& header) {
  const auto& shape = *header.shape;
  if (shape.empty() || shape.size() > 2 || (shape.size() == 2 && shape[1] != 1)) {
    throw Error(ErrorKind::unsupported,
                "is not one column: its shape must be (n,) or (n, 1); save one signal per file, x[:, k]");
  }
  if (*header.by_columns) {
    throw Error(ErrorKind::unsupported, "is in Fortran order; save numpy.ascontiguousarray(x)");
  }
  if (shape[0] == 0) throw Error(ErrorKind::bad_data, "holds no samples; write some");
  return shape[0];
}

template <typename Number>
Eigen::VectorXd numbers(std::string_view data, std::uint64_t rows) {
  if (data.size() % sizeof(Number) != 0 || data.size() / sizeof(Number) != rows) {
    refuse("its header says " + std::to_string(rows) + " numbers, but there are bytes of " +
           std::to_string(data.size() / sizeof(Number)));
  }
  Eigen::VectorXd values(static_cast<Index>(rows));
  for (Index k = 0; k < values.size(); ++k) {
    Number number{};
    std::memcpy(&number, data.data() + (static_cast<std::size_t>(k) * sizeof(Number)), sizeof(Number));
    if (!std::isfinite(number)) {
      throw Error(ErrorKind::bad_data,
                  "row " + std::to_string(k + 1) + " is not a finite number; a signal has no gaps: write numbers");
    }
    values[k] = static_cast<double>(number);
  }
  return values;
}

}  // namespace

Eigen::VectorXd parse_npy(std::string_view bytes) {
  const Parts parts = split(bytes);
  const Header header = HeaderReader(parts.header).read();
  const std::uint64_t rows = rows_of(header);
  if (*header.type == "<f8") return numbers<double>(parts.data, rows);
  if (*header.type == "<f4") return numbers<float>(parts.data, rows);
  throw Error(ErrorKind::unsupported, "holds numbers of another kind than float32 and float64, little-endian; save " +
                                          std::string("x.astype('<f8')"));
}

Eigen::VectorXd read_npy(const std::filesystem::path& path) {
  const SampleFile file(path);
  if (file.size() > static_cast<std::int64_t>(largest_text_file)) {
    throw Error(ErrorKind::unsupported, file.name() + ": holds more than 1 GiB; resample or split it");
  }
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  file.read(0, bytes);
  try {
    return parse_npy(bytes);
  } catch (const Error& error) {
    throw error.within(file.name());
  }
}

}  // namespace heed::io
