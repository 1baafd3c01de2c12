// SPDX-License-Identifier: MIT
// A fingerprint of contents: equal contents, equal digest; different contents differ for all practical purposes. Not
// meant against somebody who wants two contents to collide.
#pragma once

#include <data/fields.h>
#include <heed/data/matrix.h>
#include <heed/data/recording.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace heed::io {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  // Parts are told apart: ("ab", "c") is not ("a", "bc").
  Digest& add(std::string_view part);
  // The bytes of a file, its name left out. Throws not_found or io, naming it.
  Digest& add_file(const std::filesystem::path& path);

  [[nodiscard]] std::string hex() const;  // 32 characters, the same on every machine

 private:
  struct State;
  void add_bytes(std::span<const char> bytes);
  std::unique_ptr<State> state_;
};

// A value by what it holds: numbers by their bits, structs field by field (data/fields.h), so that a field that is
// added is part of every key from then on.
inline void add_value(Digest& digest, std::string_view text) { digest.add(text); }
inline void add_value(Digest& digest, const std::string& text) { digest.add(text); }
inline void add_value(Digest& digest, const std::filesystem::path& path) { digest.add(path.native()); }
inline void add_value(Digest& digest, double value) { digest.add(std::to_string(std::bit_cast<std::uint64_t>(value))); }
inline void add_value(Digest& digest, std::integral auto value) { digest.add(std::to_string(value)); }

template <typename Value>
requires std::is_enum_v<Value>
void add_value(Digest& digest, Value value) { add_value(digest, static_cast<std::underlying_type_t<Value>>(value)); }

inline void add_value(Digest& digest, const Matrix& matrix) {
  add_value(digest, matrix.rows());
  add_value(digest, matrix.cols());
  for (Index k = 0; k < matrix.size(); ++k) add_value(digest, matrix.data()[k]);
}

inline void add_value(Digest& digest, const SampleMatrix& matrix) {
  add_value(digest, matrix.rows());
  add_value(digest, matrix.cols());
  for (Index k = 0; k < matrix.size(); ++k) add_value(digest, static_cast<double>(matrix.data()[k]));
}

template <typename... Values>
void add_value(Digest& digest, const std::tuple<Values...>& values);
template <typename Value>
requires std::is_aggregate_v<Value>
void add_value(Digest& digest, const Value& value);
template <typename Value>
void add_value(Digest& digest, const std::optional<Value>& value);
template <typename... Values>
void add_value(Digest& digest, const std::variant<Values...>& value);
template <typename Key, typename Value, typename Order>
void add_value(Digest& digest, const std::map<Key, Value, Order>& values);

template <typename Value>
void add_value(Digest& digest, const std::vector<Value>& values) {
  add_value(digest, values.size());
  for (const auto& value : values) add_value(digest, value);
}

template <typename First, typename Second>
void add_value(Digest& digest, const std::pair<First, Second>& values) {
  add_value(digest, values.first);
  add_value(digest, values.second);
}

template <typename... Values>
void add_value(Digest& digest, const std::tuple<Values...>& values) {
  add_value(digest, sizeof...(Values));
  std::apply([&](const auto&... value) { (add_value(digest, value), ...); }, values);
}

template <typename Value>
requires std::is_aggregate_v<Value>
void add_value(Digest& digest, const Value& value) { add_value(digest, data::fields_of(value)); }

template <typename Value>
void add_value(Digest& digest, const std::optional<Value>& value) {
  add_value(digest, value.has_value());
  if (value) add_value(digest, *value);
}

template <typename... Values>
void add_value(Digest& digest, const std::variant<Values...>& value) {
  add_value(digest, value.index());
  std::visit([&](const auto& held) { add_value(digest, held); }, value);
}

template <typename Key, typename Value, typename Order>
void add_value(Digest& digest, const std::map<Key, Value, Order>& values) {
  add_value(digest, values.size());
  for (const auto& entry : values) add_value(digest, entry);
}

template <typename Value>
[[nodiscard]] std::string digest_of(const Value& value) {
  Digest digest;
  add_value(digest, value);
  return digest.hex();
}

}  // namespace heed::io
