// SPDX-License-Identifier: MIT
#include "study/toml_document.h"

#include <heed/data/text.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include <toml++/toml.h>

namespace heed::study {
namespace {

Error at_line(const std::string& origin, std::size_t line, const std::string& message) {
  return {ErrorKind::bad_data, origin + ": line " + std::to_string(line) + ": " + message};
}

TomlValue plain(const toml::node& node, const std::string& origin);

// The library sorts keys by name; a grid is read in the order it was written in.
std::vector<TomlEntry> entries_of(const toml::table& table, const std::string& origin) {
  std::vector<std::pair<toml::source_position, TomlEntry>> found;
  for (const auto& [key, value] : table) {
    const toml::source_position place = key.source().begin;
    found.emplace_back(place, TomlEntry{std::string(key.str()), place.line, plain(value, origin)});
  }
  const auto place = [](const auto& one) { return std::tuple(one.first.line, one.first.column); };
  std::ranges::sort(found, {}, place);
  std::vector<TomlEntry> entries;
  for (auto& [_, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

TomlValue plain(const toml::node& node, const std::string& origin) {
  TomlValue result{.line = node.source().begin.line};
  if (const auto* table = node.as_table()) {
    result.content = entries_of(*table, origin);
  } else if (const auto* array = node.as_array()) {
    std::vector<TomlValue> values;
    for (const toml::node& one : *array) values.push_back(plain(one, origin));
    result.content = std::move(values);
  } else if (const auto* truth = node.as_boolean()) {
    result.content = truth->get();
  } else if (const auto* text = node.as_string()) {
    result.content = text->get();
  } else if (node.is_number()) {
    result.content = node.value<double>().value_or(0);
  } else {
    throw at_line(origin, result.line, "dates and times mean nothing here; write a number or a \"word\"");
  }
  return result;
}

}  // namespace

TomlValue parse_toml(std::string_view text, const std::string& origin) {
  try {
    return plain(toml::parse(text, origin), origin);
  } catch (const toml::parse_error& error) {
    throw at_line(origin, error.source().begin.line,
                  "this is not TOML (" + std::string(error.description()) + "); see https://toml.io");
  }
}

TomlTable::TomlTable(const TomlValue& value, std::string origin, std::string name)
    : origin_(std::move(origin)),
      name_(std::move(name)),
      line_(value.line),
      entries_(std::get_if<std::vector<TomlEntry>>(&value.content)) {
  if (entries_ == nullptr) throw wrong("'" + name_ + "' is not a table; write [" + name_ + "] and its keys below");
}

Error TomlTable::wrong(std::size_t line, const std::string& message) const { return at_line(origin_, line, message); }

Error TomlTable::wrong_kind(const TomlEntry& entry, std::string_view wanted) const {
  return wrong(entry.line, "'" + entry.key + "' is not " + std::string(wanted));
}

void TomlTable::allow_only(const std::vector<std::string_view>& keys) const {
  for (const TomlEntry& entry : *entries_) {
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    std::string remedy = data::did_you_mean(entry.key, keys);
    if (remedy.empty()) {
      for (const std::string_view key : keys) remedy.append(remedy.empty() ? "; there are " : ", ").append(key);
    }
    throw wrong(entry.line, "no key '" + entry.key + "'" + (name_.empty() ? "" : " in " + name_) + remedy);
  }
}

const TomlEntry* TomlTable::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(*entries_, key, &TomlEntry::key);
  return found != entries_->end() ? &*found : nullptr;
}

std::optional<std::string> TomlTable::text(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&entry->value.content)) return *text;
  throw wrong_kind(*entry, "a text; put it between \"quotes\"");
}

std::string TomlTable::needed_text(std::string_view key) const {
  const std::string text = this->text(key).value_or("");
  if (!text.empty()) return text;
  throw wrong((name_.empty() ? "the study" : name_) + " has no '" + std::string(key) + "'; add " + std::string(key) +
              " = \"...\"");
}

std::optional<double> TomlTable::number(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const auto* number = std::get_if<double>(&entry->value.content);
  if (number != nullptr && std::isfinite(*number)) return *number;
  throw wrong_kind(*entry, "a number; write e.g. 0.5");
}

std::optional<bool> TomlTable::truth(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  if (const auto* truth = std::get_if<bool>(&entry->value.content)) return *truth;
  throw wrong_kind(*entry, "a truth value; write true or false");
}

std::vector<std::string> TomlTable::texts(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return {};
  std::vector<std::string> texts;
  if (const auto* values = std::get_if<std::vector<TomlValue>>(&entry->value.content)) {
    for (const TomlValue& value : *values) {
      if (const auto* text = std::get_if<std::string>(&value.content)) texts.push_back(*text);
    }
    if (texts.size() == values->size()) return texts;
  }
  throw wrong_kind(*entry, "a list of texts; write e.g. [\"tracker\"]");
}

std::optional<TomlTable> TomlTable::table(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  return TomlTable(entry->value, origin_, entry->key);
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return {};
  const auto* values = std::get_if<std::vector<TomlValue>>(&entry->value.content);
  if (values == nullptr) throw wrong_kind(*entry, "a list of tables; write [[" + entry->key + "]] above each");
  std::vector<TomlTable> tables;
  for (const TomlValue& value : *values) tables.emplace_back(value, origin_, entry->key);
  return tables;
}

}  // namespace heed::study
