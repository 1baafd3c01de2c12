// SPDX-License-Identifier: MIT
#include "hdf5_recipe.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <utility>

namespace heed::fuzz {
namespace {

constexpr std::size_t most_lines = 64;
constexpr std::size_t most_words = 64;
constexpr std::size_t most_values = 4096;  // of a dataset that is written
constexpr std::size_t longest_name = 1000;

// Closed at the end.
class Id {
 public:
  Id(hid_t id, herr_t (*close)(hid_t)) noexcept : id_(id), close_(close) {}
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id& operator=(Id&&) = delete;

  operator hid_t() const noexcept { return id_; }  // NOLINT(*-explicit-*): as HDF5 takes it
  [[nodiscard]] bool good() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// HDF5 says nothing of what cannot be made.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, report_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  Silence(Silence&&) = delete;
  Silence& operator=(Silence&&) = delete;

 private:
  H5E_auto2_t report_ = nullptr;
  void* data_ = nullptr;
};

// ---- what a line says ----

template <typename Number>
bool parse(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char separator, std::size_t most) {
  std::vector<std::string_view> parts;
  while (parts.size() < most) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

// "a*3" is "aaa".
std::string expanded(std::string_view word) {
  const std::size_t star = word.rfind('*');
  std::size_t count = 0;
  if (star == std::string_view::npos || star == 0 || !parse(word.substr(star + 1), count)) return std::string(word);
  return std::string(word.substr(0, star - 1)) + std::string(std::min(count, longest_name), word[star - 1]);
}

// HDF5's names end at a zero.
std::string named(std::string_view word) { return expanded(word.substr(0, word.find('\0'))); }

std::vector<hsize_t> sizes_in(std::string_view text) {
  std::vector<hsize_t> sizes;
  for (const std::string_view part : split(text, 'x', most_words)) {
    hsize_t size = 0;
    if (parse(part, size)) sizes.push_back(size);
  }
  return sizes;
}

// Too many are most_values + 1.
std::size_t count_of(const std::vector<hsize_t>& sizes) {
  std::size_t count = 1;
  for (const hsize_t size : sizes) {
    if (size == 0) return 0;
    if (size > most_values / count) return most_values + 1;
    count *= static_cast<std::size_t>(size);
  }
  return count;
}

struct Line {
  explicit Line(std::string_view text) {
    for (const std::string_view word : split(text, ' ', most_words)) {
      double number = 0;
      if (kind.empty()) {
        kind = word;
      } else if (word.front() == '/' && path.empty()) {
        path = named(word);
      } else if (word.front() == '@') {
        targets.push_back(named(word.substr(1)));
      } else if (parse(word, number)) {
        numbers.push_back(number);
      } else {
        const std::size_t end = word.find('=');
        options.emplace_back(word.substr(0, end), end == std::string_view::npos ? "" : expanded(word.substr(end + 1)));
      }
    }
  }

  [[nodiscard]] const std::string* option(std::string_view name) const {
    const auto found = std::ranges::find(options, name, [](const auto& each) { return each.first; });
    return found == options.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool has(std::string_view name) const { return option(name) != nullptr; }

  std::string kind{};
  std::string path{};
  std::vector<double> numbers{};
  std::vector<std::string> targets{};
  std::vector<std::pair<std::string, std::string>> options{};
};

Id complex_type() {
  Id type(H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)), H5Tclose);
  H5Tinsert(type, "real", 0, H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "imag", sizeof(double), H5T_NATIVE_DOUBLE);
  return type;
}

// As h5py writes booleans.
Id enumeration() {
  Id type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  const std::int8_t no = 0;
  const std::int8_t yes = 1;
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, "TRUE", &yes);
  return type;
}

Id text_type(std::size_t bytes) {
  Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, bytes);
  return type;
}

// Of the first word that names one.
Id type_of(const Line& line) {
  const std::map<std::string_view, hid_t> plain{
      {"f8", H5T_IEEE_F64LE}, {"f4", H5T_IEEE_F32LE},      {"i1", H5T_STD_I8LE},
      {"u1", H5T_STD_U8LE},   {"i2", H5T_STD_I16LE},       {"u2", H5T_STD_U16LE},
      {"i4", H5T_STD_I32LE},  {"u4", H5T_STD_U32LE},       {"i8", H5T_STD_I64LE},
      {"u8", H5T_STD_U64LE},  {"F8", H5T_IEEE_F64BE},      {"U2", H5T_STD_U16BE},
      {"I4", H5T_STD_I32BE},  {"ref", H5T_STD_REF_OBJ},    {"region", H5T_STD_REF_DSETREG},
      {"bits", H5T_STD_B8LE}, {"long", H5T_NATIVE_LDOUBLE}};
  for (const auto& [word, value] : line.options) {
    if (const auto found = plain.find(word); found != plain.end()) return {H5Tcopy(found->second), H5Tclose};
    if (word == "complex") return complex_type();
    if (word == "enum") return enumeration();
    if (word == "letters") return text_type(8);
    if (word == "string") return text_type(H5T_VARIABLE);
    if (word == "opaque") return {H5Tcreate(H5T_OPAQUE, 300), H5Tclose};
    if (word == "list") return {H5Tvlen_create(H5T_NATIVE_DOUBLE), H5Tclose};
    if (word == "row") {
      const hsize_t three = 3;
      return {H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three), H5Tclose};
    }
  }
  return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
}

std::vector<hsize_t> size_of(const Line& line) {
  if (const auto* given = line.option("size")) return sizes_in(*given);
  if (const auto* text = line.option("text")) return {text->size(), 1};
  const std::size_t count = std::max(line.numbers.size(), line.targets.size());
  return {std::max<hsize_t>(count, 1), 1};
}

bool is_number(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

bool is_reference(hid_t type) { return H5Tequal(type, H5T_STD_REF_OBJ) > 0; }

// ---- what is made of it ----

struct Attribute {
  hid_t type;
  hid_t space;
  const void* value;
};

void add(hid_t object, const std::string& name, const Attribute& given) {
  if (name.empty()) return;
  const Id made(H5Acreate2(object, name.c_str(), given.type, given.space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (made.good()) H5Awrite(made, given.type, given.value);
}

void attributes(hid_t object, const Line& line) {
  const Id single(H5Screate(H5S_SCALAR), H5Sclose);
  const hsize_t two = 2;
  const Id pair(H5Screate_simple(1, &two, nullptr), H5Sclose);
  const std::string called = "MATLAB_class";
  for (const auto& [option, value] : line.options) {
    const std::int32_t one = 1;
    if (option == "with") add(object, value, {H5T_NATIVE_INT32, single, &one});
    if (option == "class-number") add(object, called, {H5T_NATIVE_INT32, single, &one});
    if (value.empty()) continue;
    const char* text = value.c_str();
    const std::string twice = value + value;
    if (option == "class") add(object, called, {text_type(value.size()), single, text});
    if (option == "class-two") add(object, called, {text_type(value.size()), pair, twice.c_str()});
    if (option == "class-long") add(object, called, {text_type(H5T_VARIABLE), single, &text});
  }
}

// How a dataset is stored; `each` is the size of a value.
Id storage(const Line& line, std::size_t each, const std::filesystem::path& file, hid_t space) {
  Id list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  constexpr std::size_t largest_chunk = 1U << 20U;  // bytes
  if (const auto* chunk = line.option("chunk")) {
    const auto sizes = sizes_in(*chunk);
    if (count_of(sizes) > 0 && count_of(sizes) * each <= largest_chunk) {
      H5Pset_chunk(list, static_cast<int>(sizes.size()), sizes.data());
    }
  }
  if (line.has("shuffle")) H5Pset_shuffle(list);
  if (line.has("deflate")) H5Pset_deflate(list, 6);
  if (line.has("sums")) H5Pset_fletcher32(list);
  if (line.has("compact")) H5Pset_layout(list, H5D_COMPACT);
  if (line.has("early")) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  if (line.has("outside")) H5Pset_external(list, file.c_str(), 0, H5F_UNLIMITED);
  if (line.has("virtual")) H5Pset_virtual(list, space, file.c_str(), "/x", space);
  return list;
}

class Builder {
 public:
  Builder(const std::filesystem::path& path, bool newest)
      : path_(path), links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose), file_(create(path, newest), H5Fclose) {
    H5Pset_create_intermediate_group(links_, 1);
  }

  void add(const Line& line) {
    if (line.path.size() < 2) return;
    const char* const name = line.path.c_str();
    if (line.kind == "group") {
      const Id group(H5Gcreate2(file_, name, links_, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
      if (group.good()) attributes(group, line);
    } else if (line.kind == "data") {
      add_dataset(line);
    } else if (line.kind == "type") {
      H5Tcommit2(file_, name, type_of(line), links_, H5P_DEFAULT, H5P_DEFAULT);
    } else if (line.kind == "other") {
      H5Lcreate_external(path_.c_str(), "/", file_, name, links_, H5P_DEFAULT);
    } else if (!line.targets.empty()) {
      const char* const target = line.targets.front().c_str();
      if (line.kind == "soft") H5Lcreate_soft(target, file_, name, links_, H5P_DEFAULT);
      if (line.kind == "hard") H5Lcreate_hard(file_, target, file_, name, links_, H5P_DEFAULT);
    }
  }

  // References may lead to what comes later.
  std::map<std::string, MadeDataset> finish() {
    for (const auto& [path, targets] : references_) refer(path, targets);
    return std::move(made_);
  }

 private:
  static hid_t create(const std::filesystem::path& path, bool newest) {
    const Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    const Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_userblock(creation, 512);
    if (newest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
  }

  void add_dataset(const Line& line) {
    const auto sizes = size_of(line);
    const Id type = type_of(line);
    const Id space(line.has("scalar") || line.has("null")
                       ? H5Screate(line.has("null") ? H5S_NULL : H5S_SCALAR)
                       : H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr),
                   H5Sclose);
    const std::size_t count = line.has("null") ? 0 : line.has("scalar") ? 1 : count_of(sizes);
    const bool at_once = line.has("early") || line.has("compact") || (line.has("partly") && !line.has("chunk"));
    if (!space.good() || (count > most_values && at_once)) return;  // would be as large on the disk
    const Id list = storage(line, H5Tget_size(type), path_, space);
    const Id dataset(H5Dcreate2(file_, line.path.c_str(), type, space, links_, list, H5P_DEFAULT), H5Dclose);
    if (!dataset.good()) return;
    attributes(dataset, line);
    const bool elsewhere = line.has("outside") || line.has("virtual");
    if (!line.has("unwritten") && !elsewhere) write(dataset, type, line, count);
    describe(dataset, type, line, {sizes.rbegin(), sizes.rend()});
  }

  // Values, or of another type zeros; in part, the first alone.
  static void write(hid_t dataset, hid_t type, const Line& line, std::size_t count) {
    if (count == 0 || (count > most_values && !line.has("partly"))) return;
    const bool whole = !line.has("partly");
    const Id memory(whole ? H5S_ALL : H5Screate(H5S_SCALAR), whole ? nothing : H5Sclose);
    const Id place(whole ? H5S_ALL : H5Dget_space(dataset), whole ? nothing : H5Sclose);
    if (!whole) {
      const std::vector<hsize_t> origin(H5S_MAX_RANK, 0);
      if (H5Sselect_elements(place, H5S_SELECT_SET, 1, origin.data()) < 0) return;
    }
    const std::size_t values = whole ? count : 1;
    if (is_number(type)) {
      H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, place, H5P_DEFAULT, numbers(line, values).data());
    } else {
      const std::vector<char> zeros(values * std::max<std::size_t>(H5Tget_size(type), 1));
      H5Dwrite(dataset, type, memory, place, H5P_DEFAULT, zeros.data());
    }
  }

  static herr_t nothing(hid_t /*id*/) { return 0; }

  static std::vector<double> numbers(const Line& line, std::size_t count) {
    const std::string* const text = line.option("text");
    std::vector<double> values(count);
    for (std::size_t k = 0; k < count; ++k) {
      values[k] = static_cast<double>(k);
      if (text != nullptr && !text->empty()) values[k] = static_cast<unsigned char>((*text)[k % text->size()]);
      if (!line.numbers.empty()) values[k] = line.numbers[k % line.numbers.size()];
    }
    return values;
  }

  void describe(hid_t dataset, hid_t type, const Line& line, std::vector<std::size_t> dimensions) {
    MadeDataset made;
    if (const auto* name = line.option("class")) made.class_name = name->substr(0, name->find('\0'));
    const std::size_t count = count_of({dimensions.begin(), dimensions.end()});
    const bool simple = !line.has("null") && !line.has("scalar") && !dimensions.empty() && count <= most_values;
    made.dimensions = std::move(dimensions);
    made.elsewhere = line.has("outside") || line.has("virtual");
    const auto here = [&](auto... odd) { return simple && (!line.has(odd) && ...); };
    if (is_number(type) && here("outside", "virtual")) {
      made.values.resize(count);
      const bool read =
          count == 0 || H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, made.values.data()) >= 0;
      made.as_matlab = read && here("with", "unwritten", "partly");
    }
    if (is_reference(type) && here("outside", "virtual", "unwritten", "partly")) {
      references_[line.path] = line.targets;
      made.leads_to.resize(count);
    }
    made_[line.path] = std::move(made);
  }

  void refer(const std::string& path, const std::vector<std::string>& targets) {
    auto& leads_to = made_[path].leads_to;
    std::vector<hobj_ref_t> references(leads_to.size());
    for (std::size_t k = 0; k < references.size() && !targets.empty(); ++k) {
      const std::string& target = targets[k % targets.size()];
      if (target.starts_with('?')) {
        (void)parse(std::string_view(target).substr(1), references[k]);
      } else if (H5Rcreate(&references[k], file_, target.c_str(), H5R_OBJECT, -1) >= 0) {
        leads_to[k] = target;
      }
    }
    const Id dataset(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!dataset.good() || references.empty()) return;
    H5Dwrite(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, references.data());
  }

  std::filesystem::path path_;
  Id links_;
  Id file_;
  std::map<std::string, std::vector<std::string>> references_{};
  std::map<std::string, MadeDataset> made_{};
};

}  // namespace

std::map<std::string, MadeDataset> make_hdf5(std::string_view recipe, const std::filesystem::path& path) {
  std::map<std::string, MadeDataset> made;
  {
    const Silence silence;
    const auto lines = split(recipe, '\n', most_lines);
    Builder builder(path, !lines.empty() && lines.front() == "newest");
    for (const std::string_view line : lines) builder.add(Line(line));
    made = builder.finish();
  }
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const std::string name = "MATLAB 7.3 MAT-file";
  file << name << std::string(116 - name.size(), ' ') << std::string(8, '\0') << std::string("\0\2IM", 4);
  return made;
}

}  // namespace heed::fuzz
