// SPDX-License-Identifier: MIT
// A TOML document as a plain tree that knows its lines, and readers of it whose errors name file, line and key. Keeps
// the TOML library out of headers.
#pragma once

#include <heed/data/error.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heed::study {

struct TomlEntry;

struct TomlValue {
  std::size_t line = 0;
  std::variant<bool, double, std::string, std::vector<TomlValue>, std::vector<TomlEntry>> content{};
};

struct TomlEntry {
  std::string key{};
  std::size_t line = 0;
  TomlValue value{};
};

// One table of the document. Refers to the tree it was made from.
class TomlTable {
 public:
  // Throws bad_data unless the value is a table. `origin` is the file, `name` the key of the table, empty of the
  // document itself.
  TomlTable(const TomlValue& value, std::string origin, std::string name);

  // Throws bad_data for a key that is none of these, with the nearest of them.
  void allow_only(const std::vector<std::string_view>& keys) const;

  // In the order of the file.
  [[nodiscard]] const std::vector<TomlEntry>& entries() const noexcept { return *entries_; }
  [[nodiscard]] const TomlEntry* find(std::string_view key) const noexcept;

  // Nothing, or an empty list, where the key is not there; throws bad_data where it is of another kind.
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  [[nodiscard]] std::optional<double> number(std::string_view key) const;  // finite
  [[nodiscard]] std::optional<bool> truth(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  [[nodiscard]] std::optional<TomlTable> table(std::string_view key) const;
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key) const;  // [[key]]

  [[nodiscard]] std::string needed_text(std::string_view key) const;  // throws bad_data where there is none, or no word

  [[nodiscard]] std::size_t line() const noexcept { return line_; }

  // "FILE: line 12: message"
  [[nodiscard]] Error wrong(std::size_t line, const std::string& message) const;
  [[nodiscard]] Error wrong(const std::string& message) const { return wrong(line_, message); }

 private:
  [[nodiscard]] Error wrong_kind(const TomlEntry& entry, std::string_view wanted) const;

  std::string origin_;
  std::string name_;
  std::size_t line_ = 1;
  const std::vector<TomlEntry>* entries_ = nullptr;
};

// The tree of a document. Throws bad_data with file and line where the text is not TOML.
[[nodiscard]] TomlValue parse_toml(std::string_view text, const std::string& origin);

}  // namespace heed::study
