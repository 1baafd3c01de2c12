// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/mat/mat5_guard.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

namespace heed::io {
namespace {

// Numbers of the format.
enum ElementType : std::uint32_t {
  type_int8 = 1,
  type_uint8 = 2,
  type_uint16 = 4,
  type_int32 = 5,
  type_uint32 = 6,
  type_matrix = 14,
  type_compressed = 15,
  type_utf8 = 16,
  type_utf16 = 17,
  type_utf32 = 18,
};
enum ArrayClass : int {
  class_cell = 1,
  class_struct = 2,
  class_old_object = 3,
  class_text = 4,
  class_double = 6,
  class_uint64 = 15,
  class_function = 16,
  class_object = 17,
};

constexpr std::uint64_t header_bytes = 128;
constexpr std::uint64_t tag_bytes = 8;
constexpr int deepest = 16;
constexpr std::uint32_t longest_field_name = 64;
constexpr std::uint32_t longest_name = 256;
constexpr std::uint32_t most_dimensions = 16;

// Bytes of one value of an element's type; 0: not a type of values.
std::uint64_t value_bytes(std::uint32_t type) {
  constexpr std::array<std::uint8_t, 19> sizes{0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4};
  return type < sizes.size() ? sizes[type] : 0;
}

struct Element {
  std::uint32_t type = 0;
  std::uint32_t bytes = 0;
  bool small = false;                     // the content lies in the tag itself
  std::array<unsigned char, 4> inside{};  // then
};

// What is inside a matrix and still to be read.
using Budget = std::uint64_t;

class Walker {
 public:
  Walker(Mat5Stream& stream, bool swapped, std::uint64_t& values_left)
      : stream_(stream), swapped_(swapped), values_left_(values_left) {}

  Mat5Variable matrix(Budget budget, int depth) {
    if (depth > deepest) throw broken("values are nested more than " + std::to_string(deepest) + " deep");
    if (values_left_ == 0) throw broken("there are more values in it than a file of its size can hold");
    --values_left_;
    Mat5Variable variable;
    if (budget == 0) return variable;  // an empty cell
    const std::uint32_t flags = array_flags(budget);
    constexpr std::uint32_t class_bits = 0xffU;
    constexpr std::uint32_t complex_bit = 0x800U;
    variable.array_class = static_cast<int>(flags & class_bits);
    if (variable.array_class < class_cell || variable.array_class > class_object) {
      throw broken("no class of arrays has the number " + std::to_string(variable.array_class));
    }
    if (variable.array_class == class_object) {
      object(budget, depth, variable);
      return variable;
    }
    const std::uint64_t count = dimensions(budget);
    variable.name = text(budget, "a name", longest_name);
    content(variable.array_class, count, budget, depth);
    const bool numbers = variable.array_class >= class_double && variable.array_class <= class_uint64;
    if (numbers && (flags & complex_bit) != 0) values(variable.array_class, count, budget);
    if (budget != 0) throw broken(std::to_string(budget) + " bytes too many in a value");
    return variable;
  }

  [[nodiscard]] Element tag(Budget& budget) {
    take(budget, tag_bytes);
    std::array<unsigned char, tag_bytes> bytes{};
    stream_.read(bytes);
    const std::uint32_t first = word(bytes.data());
    constexpr unsigned half = 16;
    constexpr std::uint32_t low = 0xffffU;
    Element element;
    if (first >> half == 0) {
      element.type = first;
      element.bytes = word(bytes.data() + 4);
      return element;
    }
    element.small = true;
    element.type = first & low;
    element.bytes = first >> half;
    if (element.bytes > element.inside.size()) throw broken("a short element of more than four bytes");
    std::copy_n(bytes.data() + 4, element.inside.size(), element.inside.data());
    return element;
  }

  [[nodiscard]] Error broken(const std::string& problem) const {
    return {ErrorKind::bad_data, stream_.place() + ": " + problem + "; the file is damaged, fetch it again"};
  }

 private:
  [[nodiscard]] std::uint32_t word(const unsigned char* bytes) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      value |= static_cast<std::uint32_t>(bytes[i])
               << (8U * (swapped_ ? 3U - static_cast<unsigned>(i) : static_cast<unsigned>(i)));
    }
    return value;
  }

  void take(Budget& budget, std::uint64_t bytes) const {
    if (bytes > budget) {
      throw broken(std::to_string(bytes) + " bytes are needed where " + std::to_string(budget) + " are left");
    }
    budget -= bytes;
  }

  // With the padding behind it.
  static std::uint64_t padded(const Element& element) {
    return element.small ? 0 : (static_cast<std::uint64_t>(element.bytes) + 7U) / 8U * 8U;
  }

  void skip_content(const Element& element, Budget& budget) {
    take(budget, padded(element));
    stream_.skip(padded(element));
  }

  [[nodiscard]] std::vector<unsigned char> small_content(const Element& element, Budget& budget) {
    std::vector<unsigned char> bytes(element.inside.begin(),
                                     element.inside.begin() + (element.small ? element.bytes : 0));
    if (!element.small) {
      take(budget, padded(element));
      bytes.resize(element.bytes);
      stream_.read(bytes);
      stream_.skip(padded(element) - element.bytes);
    }
    return bytes;
  }

  std::uint32_t array_flags(Budget& budget) {
    const Element element = tag(budget);
    if (element.type != type_uint32 || element.bytes != tag_bytes || element.small) {
      throw broken("a value without its class");
    }
    return word(small_content(element, budget).data());
  }

  // The number of values they make.
  std::uint64_t dimensions(Budget& budget) {
    const Element element = tag(budget);
    const std::uint32_t rank = element.bytes / 4;
    if (element.type != type_int32 || element.bytes % 4 != 0 || rank < 2 || rank > most_dimensions || element.small) {
      throw broken("a value without its dimensions");
    }
    const auto bytes = small_content(element, budget);
    std::uint64_t count = 1;
    for (std::size_t k = 0; k < rank; ++k) {
      const std::uint32_t dimension = word(bytes.data() + 4 * k);
      if (dimension > std::numeric_limits<std::int32_t>::max()) throw broken("a negative dimension");
      if (dimension != 0 && count > std::numeric_limits<std::int32_t>::max() / dimension) {
        throw broken("an array of more than 2 147 483 647 values");
      }
      count *= dimension;
    }
    return count;
  }

  std::string text(Budget& budget, const std::string& noun, std::uint32_t longest) {
    const Element element = tag(budget);
    if (element.type != type_int8 || element.bytes > longest) throw broken(noun + " that is not one");
    const auto bytes = small_content(element, budget);
    return {bytes.begin(), std::find(bytes.begin(), bytes.end(), 0)};
  }

  void content(int array_class, std::uint64_t count, Budget& budget, int depth) {
    // Handles of functions and old objects are never read, but matio makes room for as many as their dimensions say.
    if (array_class == class_cell || array_class == class_function) {
      matrices(count, budget, depth);
    } else if (array_class == class_struct || array_class == class_old_object) {
      if (array_class == class_old_object) text(budget, "a class of objects", longest_name);
      matrices(count * fields(budget), budget, depth);
    } else if (array_class == class_text || (array_class >= class_double && array_class <= class_uint64)) {
      values(array_class, count, budget);
    } else {
      elements(budget, depth);
    }
  }

  void matrices(std::uint64_t count, Budget& budget, int depth) {
    for (std::uint64_t k = 0; k < count; ++k) {
      const Element element = tag(budget);
      if (element.type != type_matrix || element.small) throw broken("a cell or field that holds no value");
      take(budget, element.bytes);
      matrix(element.bytes, depth + 1);
    }
  }

  // How many a struct has.
  std::uint64_t fields(Budget& budget) {
    const Element length = tag(budget);
    if (length.type != type_int32 || length.bytes != 4) throw broken("a struct that does not say how long names are");
    const std::uint32_t each = word(small_content(length, budget).data());
    const Element names = tag(budget);
    if (each < 1 || each > longest_field_name || names.type != type_int8 || names.bytes % each != 0) {
      throw broken("a struct whose names cannot be told apart");
    }
    skip_content(names, budget);
    return names.bytes / each;
  }

  void values(int array_class, std::uint64_t count, Budget& budget) {
    if (count == 0 && budget == 0) return;  // some writers leave the data of an empty array out
    const Element element = tag(budget);
    const std::uint64_t each = value_bytes(element.type);
    const bool is_text = array_class == class_text;
    const bool letters = element.type == type_utf8 || element.type == type_utf16 || element.type == type_utf32 ||
                         element.type == type_int8 || element.type == type_uint8 || element.type == type_uint16;
    if (each == 0 || (is_text ? !letters : element.type >= type_utf8)) throw broken("an array without data");
    // A letter takes one to four bytes in UTF-8.
    const bool enough = is_text && element.type == type_utf8 ? element.bytes >= count && element.bytes <= 4 * count
                                                             : element.bytes == count * each;
    if (!enough) {
      throw broken("an array of " + std::to_string(count) + " values with " + std::to_string(element.bytes) +
                   " bytes of data");
    }
    skip_content(element, budget);
  }

  // Of classes that are never read: well-formed, no more.
  void elements(Budget& budget, int depth) {
    while (budget > 0) {
      const Element element = tag(budget);
      if (element.type == type_matrix && !element.small) {
        take(budget, element.bytes);
        matrix(element.bytes, depth + 1);
      } else if (value_bytes(element.type) != 0) {
        skip_content(element, budget);
      } else {
        throw broken("no element has the type " + std::to_string(element.type));
      }
    }
  }

  // No dimensions; the names of variable, kind of system and class instead.
  void object(Budget& budget, int depth, Mat5Variable& variable) {
    variable.name = text(budget, "a name", longest_name);
    text(budget, "a kind of object", longest_name);
    variable.object_class = text(budget, "a class of objects", longest_name);
    elements(budget, depth);
  }

  Mat5Stream& stream_;
  bool swapped_;
  std::uint64_t& values_left_;
};

FileDescriptor open_file(const std::filesystem::path& path, std::uint64_t& bytes) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    throw Error(ErrorKind::io, "cannot be opened (" + reason(errno) + ")");
  }
  bytes = static_cast<std::uint64_t>(status.st_size);
  return file;
}

bool is_swapped(const FileDescriptor& file) {
  std::array<unsigned char, header_bytes> header{};
  Mat5Stream(file, {0, header_bytes}, false).read(header);
  return header[header_bytes - 2] == 'M';  // MI: written by a machine that puts the large end first
}

}  // namespace

std::vector<Mat5Variable> check_mat5(const std::filesystem::path& path) {
  std::uint64_t size = 0;
  const FileDescriptor file = open_file(path, size);
  const bool swapped = is_swapped(file);
  constexpr std::uint64_t few_values = 100'000;
  constexpr std::uint64_t bytes_a_value = 64;
  std::uint64_t values_left = few_values + size / bytes_a_value;
  std::vector<Mat5Variable> variables;
  for (std::uint64_t at = header_bytes; at < size;) {
    Mat5Stream outer(file, {at, size - at}, false);
    Budget rest = size - at;
    Walker walker(outer, swapped, values_left);
    const Element element = walker.tag(rest);
    if (element.small || (element.type != type_matrix && element.type != type_compressed)) {
      throw walker.broken("no variable begins here");
    }
    if (element.bytes > rest)
      throw walker.broken("a variable of " + std::to_string(element.bytes) + " bytes, of which " +
                          std::to_string(rest) + " are there");
    const bool compressed = element.type == type_compressed;
    Mat5Stream inner(file, {at + tag_bytes, element.bytes}, compressed);
    Walker inside(inner, swapped, values_left);
    Budget budget = element.bytes;
    if (compressed) {
      Budget tag_only = tag_bytes;
      const Element packed = inside.tag(tag_only);
      if (packed.type != type_matrix || packed.small) throw inside.broken("compressed data that hold no variable");
      budget = packed.bytes;
    }
    variables.push_back(inside.matrix(budget, 1));
    if (!inner.at_end()) throw inside.broken("more data than the variable has");
    at += tag_bytes + element.bytes;
  }
  return variables;
}

}  // namespace heed::io
