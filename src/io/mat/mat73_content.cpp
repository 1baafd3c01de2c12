// SPDX-License-Identifier: MIT
#include <hdf5.h>
#include <heed/data/error.h>
#include <io/mat/mat_node.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace heed::io {
namespace {

// What HDF5 lends, given back when its holder goes.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*close)(hid_t)) noexcept : id_(id), close_(close) {}
  ~Hdf5Handle() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}

  [[nodiscard]] hid_t get() const noexcept { return id_; }
  [[nodiscard]] explicit operator bool() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// While it lives HDF5 is quiet; then it is as it was.
class QuietHdf5 {
 public:
  QuietHdf5() noexcept {
    H5Eget_auto2(H5E_DEFAULT, &report_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, report_, data_); }
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t report_ = nullptr;
  void* data_ = nullptr;
};

constexpr std::size_t longest_name = 256;
constexpr hsize_t most_fields = 4096;
constexpr int most_dimensions = 16;
constexpr std::uint64_t most_values = std::uint64_t{1} << 31U;
constexpr std::uint64_t most_deflation = 1032;  // zlib makes a byte of at most so many

using Dimensions = std::vector<std::size_t>;

// MATLAB's class of a group or dataset; empty where it has none.
std::string class_of(hid_t object) {
  if (H5Aexists(object, "MATLAB_class") <= 0) return "";
  const Hdf5Handle attribute(H5Aopen(object, "MATLAB_class", H5P_DEFAULT), H5Aclose);
  if (!attribute) return "";
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (!type || !space || H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0) return "";
  const std::size_t bytes = H5Tget_size(type.get());
  if (bytes == 0 || bytes > longest_name || H5Sget_simple_extent_npoints(space.get()) != 1) return "";
  std::string name(bytes, '\0');
  if (H5Aread(attribute.get(), type.get(), name.data()) < 0) return "";
  return name.substr(0, name.find('\0'));
}

bool is_numeric(std::string_view name) {
  constexpr std::array<std::string_view, 11> names{"double", "single", "int8",  "uint8",  "int16",  "uint16",
                                                   "int32",  "uint32", "int64", "uint64", "logical"};
  return std::ranges::find(names, name) != names.end();
}

// In MATLAB's order, which is the reverse of HDF5's. Nothing: broken, or too many values.
std::optional<Dimensions> extent(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space || H5Sget_simple_extent_type(space.get()) != H5S_SIMPLE) return std::nullopt;
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 1 || rank > most_dimensions) return std::nullopt;
  std::array<hsize_t, most_dimensions> sizes{};
  if (H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr) != rank) return std::nullopt;
  Dimensions result;
  std::uint64_t count = 1;
  for (int k = rank - 1; k >= 0; --k) {
    const hsize_t size = sizes.at(static_cast<std::size_t>(k));
    if (size != 0 && count > most_values / size) return std::nullopt;
    count *= size;
    result.push_back(static_cast<std::size_t>(size));
  }
  return result;
}

std::uint64_t count_of(const Dimensions& dimensions) {
  std::uint64_t count = 1;
  for (const std::size_t dimension : dimensions) count *= dimension;
  return count;
}

// So much the file really holds, or could by deflation: HDF5 would fill up the rest with zeros. What lies in another
// file is not held: whoever made this one could name any file there is.
bool is_stored(hid_t dataset, std::uint64_t values) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  const Hdf5Handle list(H5Dget_create_plist(dataset), H5Pclose);
  const Hdf5Handle file(H5Iget_file_id(dataset), H5Fclose);
  hsize_t file_bytes = 0;
  if (!type || !list || !file || H5Fget_filesize(file.get(), &file_bytes) < 0) return false;
  const std::uint64_t each = H5Tget_size(type.get());
  const std::uint64_t stored = H5Dget_storage_size(dataset);
  if (each == 0 || each > longest_name || stored > file_bytes) return false;
  const H5D_layout_t layout = H5Pget_layout(list.get());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(list.get()) != 0) return false;
  if (layout != H5D_CHUNKED) return values * each <= stored;
  const std::uint64_t most = stored * (H5Pget_nfilters(list.get()) > 0 ? most_deflation : 1);
  std::array<hsize_t, most_dimensions> sizes{};
  const int rank = H5Pget_chunk(list.get(), most_dimensions, sizes.data());
  std::uint64_t chunk = each;
  for (int k = 0; k < rank; ++k) {
    const hsize_t size = sizes.at(static_cast<std::size_t>(k));
    if (size == 0 || size > most / chunk) return false;
    chunk *= size;
  }
  return rank > 0 && values * each <= most;
}

// An empty array holds its dimensions instead of data.
std::optional<Dimensions> empty_extent(hid_t dataset) {
  const auto stored = extent(dataset);
  if (!stored || count_of(*stored) < 2 || count_of(*stored) > most_dimensions) return std::nullopt;
  if (!is_stored(dataset, count_of(*stored))) return std::nullopt;
  std::array<std::uint64_t, most_dimensions> sizes{};
  if (H5Dread(dataset, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sizes.data()) < 0) return std::nullopt;
  Dimensions result(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count_of(*stored)));
  if (std::ranges::find(result, 0U) == result.end()) return std::nullopt;
  return result;
}

std::optional<Dimensions> dimensions_of(hid_t dataset) {
  return H5Aexists(dataset, "MATLAB_empty") > 0 ? empty_extent(dataset) : extent(dataset);
}

bool holds_references(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  return type && H5Tequal(type.get(), H5T_STD_REF_OBJ) > 0;
}

// Of groups and datasets that are there themselves, not elsewhere by a link.
std::vector<std::string> names_in(hid_t group) {
  H5G_info_t info{};
  std::vector<std::string> names;
  if (H5Gget_info(group, &info) < 0) return names;
  for (hsize_t k = 0; k < std::min(info.nlinks, most_fields); ++k) {
    std::string name(longest_name, '\0');
    const ssize_t length =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size(), H5P_DEFAULT);
    if (length < 1 || static_cast<std::size_t>(length) >= longest_name) continue;
    name.resize(static_cast<std::size_t>(length));
    H5L_info_t link{};
    if (name.front() == '#' || H5Lget_info(group, name.c_str(), &link, H5P_DEFAULT) < 0) continue;
    if (link.type == H5L_TYPE_HARD) names.push_back(std::move(name));
  }
  return names;
}

// One alone: whoever asks for each of many would otherwise read all of them as often.
bool read_reference(hid_t dataset, const Dimensions& dimensions, std::size_t index, hobj_ref_t& reference) {
  std::array<hsize_t, most_dimensions> place{};
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    place.at(dimensions.size() - 1 - k) = index % dimensions[k];
    index /= dimensions[k];
  }
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const Hdf5Handle single(H5Screate(H5S_SCALAR), H5Sclose);
  return space && single && H5Sselect_elements(space.get(), H5S_SELECT_SET, 1, place.data()) >= 0 &&
         H5Dread(dataset, H5T_STD_REF_OBJ, single.get(), space.get(), H5P_DEFAULT, &reference) >= 0;
}

std::shared_ptr<const MatNode> make_node(Hdf5Handle object, std::shared_ptr<const Hdf5Handle> file);

class Mat73Node final : public MatNode {
 public:
  struct Parts {
    MatKind kind = MatKind::foreign;
    std::string class_name{};
    Dimensions dimensions{};
    std::vector<std::string> fields{};
    bool is_array = false;  // of structs: each field holds references
  };
  Mat73Node(Parts parts, Hdf5Handle object, std::shared_ptr<const Hdf5Handle> file)
      : MatNode(parts.kind, std::move(parts.class_name), std::move(parts.dimensions)),
        fields_(std::move(parts.fields)),
        is_array_(parts.is_array),
        file_(std::move(file)),
        object_(std::move(object)) {}

  [[nodiscard]] std::vector<std::string> fields() const override { return fields_; }

  [[nodiscard]] std::shared_ptr<const MatNode> field(const std::string& name, std::size_t index) const override {
    const QuietHdf5 quiet;
    if (std::ranges::find(fields_, name) == fields_.end()) return nullptr;
    Hdf5Handle object(H5Oopen(object_.get(), name.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object) return nullptr;
    return is_array_ ? referenced(object.get(), index) : make_node(std::move(object), file_);
  }

  [[nodiscard]] std::shared_ptr<const MatNode> cell(std::size_t index) const override {
    const QuietHdf5 quiet;
    return referenced(object_.get(), index);
  }

  [[nodiscard]] bool read(std::span<float> values) const override { return read_as(H5T_NATIVE_FLOAT, values); }
  [[nodiscard]] bool read(std::span<double> values) const override { return read_as(H5T_NATIVE_DOUBLE, values); }

  [[nodiscard]] bool read(std::string& text) const override {
    std::vector<std::uint16_t> codes(size());
    if (!read_as(H5T_NATIVE_UINT16, std::span(codes))) return false;
    text.assign(2 * codes.size(), '\0');
    std::copy_n(codes.data(), codes.size(), reinterpret_cast<std::uint16_t*>(text.data()));
    text = utf8_from_utf16(text);
    return true;
  }

 private:
  template <typename Value>
  [[nodiscard]] bool read_as(hid_t type, std::span<Value> values) const {
    const QuietHdf5 quiet;
    if (values.empty()) return true;
    return H5Dread(object_.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
  }

  // What the index-th reference of a dataset leads to.
  [[nodiscard]] std::shared_ptr<const MatNode> referenced(hid_t dataset, std::size_t index) const {
    const auto dimensions = H5Iget_type(dataset) == H5I_DATASET ? extent(dataset) : std::nullopt;
    if (!dimensions || !holds_references(dataset) || index >= count_of(*dimensions)) return nullptr;
    if (!is_stored(dataset, count_of(*dimensions))) return nullptr;
    hobj_ref_t reference = 0;
    if (!read_reference(dataset, *dimensions, index, reference)) return nullptr;
    Hdf5Handle object(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, &reference), H5Oclose);
    return object ? make_node(std::move(object), file_) : nullptr;
  }

  std::vector<std::string> fields_;
  bool is_array_;
  std::shared_ptr<const Hdf5Handle> file_;  // closed after the object
  Hdf5Handle object_;
};

// A struct is a group. Where its fields are lists of references that have no class of their own, it is an array.
std::optional<Mat73Node::Parts> group_parts(hid_t group) {
  Mat73Node::Parts parts{MatKind::structure, "struct", {1, 1}, names_in(group), false};
  const std::string name = class_of(group);
  if (!name.empty() && name != "struct") return Mat73Node::Parts{MatKind::foreign, name, {0, 0}, {}, false};
  if (H5Aexists(group, "MATLAB_sparse") > 0) return Mat73Node::Parts{MatKind::foreign, "sparse", {0, 0}, {}, false};
  if (parts.fields.empty()) return parts;
  const Hdf5Handle first(H5Oopen(group, parts.fields.front().c_str(), H5P_DEFAULT), H5Oclose);
  if (!first || H5Iget_type(first.get()) != H5I_DATASET) return parts;
  if (class_of(first.get()).empty() && holds_references(first.get())) {
    const auto dimensions = extent(first.get());
    if (!dimensions) return std::nullopt;
    parts.dimensions = *dimensions;
    parts.is_array = true;
  }
  return parts;
}

std::optional<Mat73Node::Parts> dataset_parts(hid_t dataset) {
  const std::string name = class_of(dataset);
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type) return std::nullopt;
  const bool complex = H5Tget_class(type.get()) == H5T_COMPOUND;
  const bool foreign = H5Aexists(dataset, "MATLAB_object_decode") > 0 || complex;
  MatKind kind = MatKind::foreign;
  if (name == "cell") kind = MatKind::cell;
  if (name == "char") kind = MatKind::text;
  if (name == "struct") kind = MatKind::structure;  // an empty one
  if (is_numeric(name)) kind = MatKind::number;
  if (foreign || kind == MatKind::foreign) {
    const std::string shown = name.empty() ? "unknown" : (complex && is_numeric(name) ? "complex " : "") + name;
    return Mat73Node::Parts{MatKind::foreign, shown, {0, 0}, {}, false};
  }
  const auto dimensions = dimensions_of(dataset);
  if (!dimensions || (kind == MatKind::structure && count_of(*dimensions) != 0)) return std::nullopt;
  if (count_of(*dimensions) != 0 && !is_stored(dataset, count_of(*dimensions))) return std::nullopt;
  return Mat73Node::Parts{kind, name, *dimensions, {}, false};
}

std::shared_ptr<const MatNode> make_node(Hdf5Handle object, std::shared_ptr<const Hdf5Handle> file) {
  const H5I_type_t type = H5Iget_type(object.get());
  if (type != H5I_GROUP && type != H5I_DATASET) return nullptr;
  auto parts = type == H5I_GROUP ? group_parts(object.get()) : dataset_parts(object.get());
  if (!parts) return nullptr;
  return std::make_shared<Mat73Node>(std::move(*parts), std::move(object), std::move(file));
}

class Mat73Content final : public MatContent {
 public:
  explicit Mat73Content(std::shared_ptr<const Hdf5Handle> file) : file_(std::move(file)) {}

  [[nodiscard]] std::vector<std::string> names() const override {
    const QuietHdf5 quiet;
    const Hdf5Handle root(H5Gopen2(file_->get(), "/", H5P_DEFAULT), H5Gclose);
    return root ? names_in(root.get()) : std::vector<std::string>{};
  }

  [[nodiscard]] std::shared_ptr<const MatNode> variable(const std::string& name) const override {
    const QuietHdf5 quiet;
    const auto known = names();
    if (std::ranges::find(known, name) == known.end()) return nullptr;
    Hdf5Handle object(H5Oopen(file_->get(), name.c_str(), H5P_DEFAULT), H5Oclose);
    return object ? make_node(std::move(object), file_) : nullptr;
  }

 private:
  std::shared_ptr<const Hdf5Handle> file_;
};

}  // namespace

std::shared_ptr<const MatContent> open_mat73(const std::filesystem::path& path) {
  const QuietHdf5 quiet;
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file) throw Error(ErrorKind::bad_data, "the HDF5 inside is damaged or truncated; download the file again");
  return std::make_shared<Mat73Content>(std::make_shared<const Hdf5Handle>(std::move(file)));
}

}  // namespace heed::io
