// SPDX-License-Identifier: MIT
// A TOML document as a plain tree that knows its lines, and readers of it whose errors name file, line and key. Keeps
// the TOML library out of headers.
#pragma once

#include <heed/data/error.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::study {

enum class TomlKind { truth, number, text, list, table };

struct TomlNode {
  std::string key{};  // in a table
  std::size_t line = 1;
  TomlKind kind = TomlKind::table;
  bool truth = false;
  double number = 0;
  std::string text{};
  std::vector<TomlNode> parts{};  // of a list, or of a table in the order of the file
};

// One table of the document. Refers to the tree it was made from.
class TomlTable {
 public:
  // Throws bad_data unless the node is a table. `origin` is the file, `name` the key of the table, empty of the
  // document itself.
  TomlTable(const TomlNode& node, std::string origin, std::string name);

  // Throws bad_data for a key that is none of these, with the nearest of them.
  void allow_only(const std::vector<std::string_view>& keys) const;

  [[nodiscard]] const std::vector<TomlNode>& entries() const noexcept { return node_->parts; }
  [[nodiscard]] const TomlNode* find(std::string_view key) const noexcept;

  // Nothing, or an empty list, where the key is not there; throws bad_data where it is of another kind.
  [[nodiscard]] std::optional<std::string> text(std::string_view key) const;
  [[nodiscard]] std::optional<double> number(std::string_view key) const;  // finite
  [[nodiscard]] std::optional<bool> truth(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  [[nodiscard]] std::optional<TomlTable> table(std::string_view key) const;
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key) const;  // [[key]]

  [[nodiscard]] std::string needed_text(std::string_view key) const;  // throws bad_data where there is none, or no word

  [[nodiscard]] std::size_t line() const noexcept { return node_->line; }

  // "FILE: line 12: message"
  [[nodiscard]] Error wrong(std::size_t line, const std::string& message) const;
  [[nodiscard]] Error wrong(const std::string& message) const { return wrong(line(), message); }

 private:
  [[nodiscard]] Error wrong_kind(const TomlNode& entry, std::string_view wanted) const;

  std::string origin_;
  std::string name_;
  const TomlNode* node_;
};

// The tree of a document. Throws bad_data with file and line where the text is not TOML.
[[nodiscard]] TomlNode parse_toml(std::string_view text, const std::string& origin);

}  // namespace heed::study
