// SPDX-License-Identifier: MIT
// A JSON object to read from, with errors that name the key. Keeps the JSON library out of headers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

class JsonObject {
 public:
  // Throws Error(bad_data) if the text is not JSON, or not an object.
  [[nodiscard]] static JsonObject parse(std::string_view text);

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] bool has_text(std::string_view key) const;
  [[nodiscard]] bool is_null(std::string_view key) const;  // there, and null

  // Each throws Error(bad_data) with the key's name if it is missing or of another type.
  [[nodiscard]] double number(std::string_view key) const;  // finite
  [[nodiscard]] double positive(std::string_view key) const;
  [[nodiscard]] std::size_t count(std::string_view key) const;  // a whole number, not negative
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;
  [[nodiscard]] JsonObject object(std::string_view key) const;
  [[nodiscard]] std::vector<JsonObject> objects(std::string_view key) const;

 private:
  struct Content;
  explicit JsonObject(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

  std::shared_ptr<const Content> content_;
};

// The kind of a file of heed's, and the versions of it that are read.
struct FileFormat {
  std::string_view name{};    // "heed-decoder", the key Format
  std::string_view noun{};    // "decoder"
  std::size_t newest = 1;     // FormatVersion; the oldest is 1
  std::string_view remedy{};  // "train": what makes another
};
// Throws bad_data for another kind of file, unsupported for a version that this heed does not know.
void check_format(const JsonObject& json, const FileFormat& format);

}  // namespace heed::io
