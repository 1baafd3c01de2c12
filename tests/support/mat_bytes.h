// SPDX-License-Identifier: MIT
// MAT 5 files put together byte by byte, so that each can be broken where a test wants it.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::test {

template <typename Value>
std::string mat_numbers(const std::vector<Value>& values) {
  std::string bytes(values.size() * sizeof(Value), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

inline std::string mat_element(std::uint32_t type, const std::string& content) {
  const auto size = static_cast<std::uint32_t>(content.size());
  return mat_numbers<std::uint32_t>({type, size}) + content + std::string((8 - content.size() % 8) % 8, '\0');
}

inline std::string mat_head(std::uint32_t flags, const std::vector<std::int32_t>& dimensions, const std::string& name) {
  return mat_element(6, mat_numbers<std::uint32_t>({flags, 0})) + mat_element(5, mat_numbers(dimensions)) +
         mat_element(1, name);
}

inline std::string mat_doubles(const std::vector<std::int32_t>& dimensions, const std::vector<double>& values,
                               const std::string& name = "") {
  return mat_element(14, mat_head(6, dimensions, name) + mat_element(9, mat_numbers(values)));
}

inline std::string mat_text(const std::string& text, const std::string& name = "") {
  return mat_element(14, mat_head(4, {1, static_cast<std::int32_t>(text.size())}, name) + mat_element(16, text));
}

// A row.
inline std::string mat_cell(const std::vector<std::string>& values, const std::string& name = "") {
  std::string content = mat_head(1, {1, static_cast<std::int32_t>(values.size())}, name);
  for (const std::string& value : values) content += value;
  return mat_element(14, content);
}

inline std::string mat_struct(const std::vector<std::pair<std::string, std::string>>& fields,
                              const std::string& name = "") {
  constexpr std::size_t name_bytes = 32;
  std::string names;
  std::string values;
  for (const auto& [field, value] : fields) {
    names += field + std::string(name_bytes - field.size(), '\0');
    values += value;
  }
  const std::string length = mat_numbers<std::uint32_t>({0x00040005U, name_bytes});  // a short element
  return mat_element(14, mat_head(2, {1, 1}, name) + length + mat_element(1, names) + values);
}

inline std::string mat_compressed(const std::string& variable) {
  uLongf size = compressBound(static_cast<uLong>(variable.size()));
  std::string packed(size, '\0');
  if (compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(variable.data()),
               static_cast<uLong>(variable.size())) != Z_OK) {
    throw std::runtime_error("zlib failed");
  }
  packed.resize(size);
  return mat_numbers<std::uint32_t>({15, static_cast<std::uint32_t>(packed.size())}) + packed;
}

inline std::string mat_file(const std::vector<std::string>& variables) {
  std::string bytes = "MATLAB 5.0 MAT-file";
  bytes.resize(124, ' ');
  bytes += std::string("\x00\x01IM", 4);
  for (const std::string& variable : variables) bytes += variable;
  return bytes;
}

}  // namespace heed::test
