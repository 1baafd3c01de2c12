// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/mat/mat5_guard.h>
#include <io/mat/mat_node.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace heed::io {
namespace {

// What a cell, a structure or a handle of a function holds; matio keeps them alike.
std::span<matvar_t*> parts_of(const matvar_t& value) {
  const bool has_parts =
      value.class_type == MAT_C_CELL || value.class_type == MAT_C_STRUCT || value.class_type == MAT_C_FUNCTION;
  if (!has_parts || value.data == nullptr) return {};
  return {static_cast<matvar_t**>(value.data), value.nbytes / sizeof(matvar_t*)};
}

// matio 1.5 forgets what handles of functions hold, wherever they stand.
void free_functions(const matvar_t& value) {
  for (matvar_t*& part : parts_of(value)) {
    if (part == nullptr) continue;
    free_functions(*part);
    if (value.class_type == MAT_C_FUNCTION) Mat_VarFree(std::exchange(part, nullptr));
  }
}

struct FreeVariable {
  void operator()(matvar_t* variable) const {
    free_functions(*variable);
    Mat_VarFree(variable);
  }
};

// The file and one of its variables; nodes inside point into it.
struct Root {
  std::shared_ptr<mat_t> file;
  std::unique_ptr<matvar_t, FreeVariable> variable;
};

MatKind kind_of(const matvar_t& value) {
  if (value.isComplex != 0) return MatKind::foreign;
  switch (value.class_type) {
    case MAT_C_CELL:
      return MatKind::cell;
    case MAT_C_STRUCT:
      return MatKind::structure;
    case MAT_C_CHAR:
      return MatKind::text;
    case MAT_C_DOUBLE:
    case MAT_C_SINGLE:
    case MAT_C_INT8:
    case MAT_C_UINT8:
    case MAT_C_INT16:
    case MAT_C_UINT16:
    case MAT_C_INT32:
    case MAT_C_UINT32:
    case MAT_C_INT64:
    case MAT_C_UINT64:
      return MatKind::number;
    default:
      return MatKind::foreign;
  }
}

std::string class_name(const matvar_t& value) {
  constexpr std::array<std::string_view, 18> names{
      "",      "cell",  "struct", "",      "char",   "sparse", "double", "single",          "int8",
      "uint8", "int16", "uint16", "int32", "uint32", "int64",  "uint64", "function_handle", ""};
  const auto number = static_cast<std::size_t>(value.class_type);
  const std::string name(number < names.size() ? names[number] : names.back());
  if (value.isLogical != 0) return "logical";
  return value.isComplex != 0 ? "complex " + name : name;
}

std::vector<std::size_t> dimensions_of(const matvar_t& value) {
  if (value.dims == nullptr || value.rank < 1) return {0, 0};  // objects have none
  return {value.dims, value.dims + value.rank};
}

class Mat5Node final : public MatNode {
 public:
  Mat5Node(std::shared_ptr<const Root> root, matvar_t& value)
      : MatNode(kind_of(value), io::class_name(value), dimensions_of(value)), root_(std::move(root)), value_(value) {}

  [[nodiscard]] std::vector<std::string> fields() const override {
    if (kind() != MatKind::structure) return {};
    char* const* names = Mat_VarGetStructFieldnames(&value_);
    if (names == nullptr) return {};
    return {names, names + Mat_VarGetNumberOfFields(&value_)};
  }

  [[nodiscard]] std::shared_ptr<const MatNode> field(const std::string& name, std::size_t index) const override {
    return node(Mat_VarGetStructFieldByName(&value_, name.c_str(), index));
  }

  [[nodiscard]] std::shared_ptr<const MatNode> cell(std::size_t index) const override {
    return node(Mat_VarGetCell(&value_, static_cast<int>(index)));
  }

  [[nodiscard]] bool read(std::span<float> values) const override { return read_numbers(values); }
  [[nodiscard]] bool read(std::span<double> values) const override { return read_numbers(values); }

  [[nodiscard]] bool read(std::string& text) const override {
    text.clear();
    if (size() == 0) return true;
    if (value_.data == nullptr && Mat_VarReadDataAll(root_->file.get(), &value_) != 0) return false;
    if (value_.data == nullptr) return false;
    const std::string_view bytes(static_cast<const char*>(value_.data), value_.nbytes);
    text = value_.data_size == 2 ? utf8_from_utf16(bytes) : std::string(bytes);
    return true;
  }

 private:
  [[nodiscard]] std::shared_ptr<const MatNode> node(matvar_t* value) const {
    return value == nullptr ? nullptr : std::make_shared<Mat5Node>(root_, *value);
  }

  // matio gives numbers in the class they have in MATLAB, however they are stored.
  template <typename Class, typename Real>
  [[nodiscard]] bool read_class(std::span<Real> values) const {
    if constexpr (std::is_same_v<Class, Real>) {
      return read_linear(values.data());
    } else {
      std::vector<Class> stored(values.size());
      if (!read_linear(stored.data())) return false;
      std::ranges::transform(stored, values.begin(), [](Class value) { return static_cast<Real>(value); });
      return true;
    }
  }

  [[nodiscard]] bool read_linear(void* values) const {
    return Mat_VarReadDataLinear(root_->file.get(), &value_, values, 0, 1, static_cast<int>(size())) == 0;
  }

  template <typename Real>
  [[nodiscard]] bool read_numbers(std::span<Real> values) const {
    if (values.empty()) return true;
    switch (value_.class_type) {
      case MAT_C_DOUBLE:
        return read_class<double>(values);
      case MAT_C_SINGLE:
        return read_class<float>(values);
      case MAT_C_INT8:
        return read_class<std::int8_t>(values);
      case MAT_C_UINT8:
        return read_class<std::uint8_t>(values);
      case MAT_C_INT16:
        return read_class<std::int16_t>(values);
      case MAT_C_UINT16:
        return read_class<std::uint16_t>(values);
      case MAT_C_INT32:
        return read_class<std::int32_t>(values);
      case MAT_C_UINT32:
        return read_class<std::uint32_t>(values);
      case MAT_C_INT64:
        return read_class<std::int64_t>(values);
      case MAT_C_UINT64:
        return read_class<std::uint64_t>(values);
      default:
        return false;
    }
  }

  std::shared_ptr<const Root> root_;
  matvar_t& value_;  // of root_; matio's functions take no const
};

// An object of a MATLAB class, which matio has no name for.
class ObjectNode final : public MatNode {
 public:
  explicit ObjectNode(std::string class_name) : MatNode(MatKind::foreign, std::move(class_name), {0, 0}) {}
  [[nodiscard]] std::vector<std::string> fields() const override { return {}; }
  [[nodiscard]] std::shared_ptr<const MatNode> field(const std::string&, std::size_t) const override { return {}; }
  [[nodiscard]] std::shared_ptr<const MatNode> cell(std::size_t) const override { return {}; }
  [[nodiscard]] bool read(std::span<float>) const override { return false; }
  [[nodiscard]] bool read(std::span<double>) const override { return false; }
  [[nodiscard]] bool read(std::string&) const override { return false; }
};

class Mat5Content final : public MatContent {
 public:
  // All variables in one go, without their data: by name matio would inflate the file again for each.
  Mat5Content(const std::shared_ptr<mat_t>& file, std::vector<Mat5Variable> variables)
      : variables_(std::move(variables)) {
    while (matvar_t* value = Mat_VarReadNextInfo(file.get())) {
      std::unique_ptr<matvar_t, FreeVariable> owned(value);
      if (value->name == nullptr) continue;
      const std::string name = value->name;
      roots_.emplace(name, std::make_shared<Root>(Root{file, std::move(owned)}));
    }
  }

  [[nodiscard]] std::vector<std::string> names() const override {
    std::vector<std::string> result;
    for (const Mat5Variable& variable : variables_) {
      if (!variable.name.empty()) result.push_back(variable.name);  // MATLAB's own notes have none
    }
    return result;
  }

  [[nodiscard]] std::shared_ptr<const MatNode> variable(const std::string& name) const override {
    const auto known = std::ranges::find(variables_, name, &Mat5Variable::name);
    if (known == variables_.end() || name.empty()) return nullptr;
    if (!known->object_class.empty()) return std::make_shared<ObjectNode>(known->object_class);
    const auto read = roots_.find(name);
    if (read == roots_.end()) return nullptr;
    return std::make_shared<Mat5Node>(read->second, *read->second->variable);
  }

 private:
  std::vector<Mat5Variable> variables_;
  std::map<std::string, std::shared_ptr<const Root>> roots_;
};

}  // namespace

std::shared_ptr<const MatContent> open_mat5(const std::filesystem::path& path) {
  std::vector<Mat5Variable> variables = check_mat5(path);
  const std::shared_ptr<mat_t> file(Mat_Open(path.c_str(), MAT_ACC_RDONLY), [](mat_t* open) {
    if (open != nullptr) Mat_Close(open);
  });
  if (!file) throw Error(ErrorKind::bad_data, "cannot be opened as a MAT file");
  return std::make_shared<Mat5Content>(file, std::move(variables));
}

}  // namespace heed::io
