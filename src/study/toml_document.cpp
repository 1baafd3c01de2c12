// SPDX-License-Identifier: MIT
#include "study/toml_document.h"

#include <data/text.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

// toml++ asserts, or with NDEBUG lets the compiler assume, what broken files violate ("[[="). The checks that follow in
// its own code are enough.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

namespace heed::study {
namespace {

Error at_line(const std::string& origin, std::size_t line, const std::string& message) {
  return {ErrorKind::bad_data, origin + ": line " + std::to_string(line) + ": " + message};
}

TomlNode plain(const toml::node& node, const std::string& origin);

// The library sorts keys by name; a grid is read in the order it was written in.
std::vector<TomlNode> entries_of(const toml::table& table, const std::string& origin) {
  std::vector<std::pair<toml::source_position, TomlNode>> found;
  for (const auto& [key, value] : table) {
    const toml::source_position place = key.source().begin;
    found.emplace_back(place, plain(value, origin));
    found.back().second.key = key.str();
    found.back().second.line = place.line;
  }
  const auto place = [](const auto& one) { return std::tuple(one.first.line, one.first.column); };
  std::ranges::sort(found, {}, place);
  std::vector<TomlNode> entries;
  entries.reserve(found.size());
  for (auto& [_, entry] : found) entries.push_back(std::move(entry));
  return entries;
}

TomlNode plain(const toml::node& node, const std::string& origin) {
  TomlNode result{.line = node.source().begin.line};
  if (const auto* table = node.as_table()) {
    result.parts = entries_of(*table, origin);
  } else if (const auto* array = node.as_array()) {
    result.kind = TomlKind::list;
    for (const toml::node& one : *array) result.parts.push_back(plain(one, origin));
  } else if (const auto* truth = node.as_boolean()) {
    result.kind = TomlKind::truth;
    result.truth = truth->get();
  } else if (const auto* text = node.as_string()) {
    result.kind = TomlKind::text;
    result.text = text->get();
  } else if (node.is_number()) {
    result.kind = TomlKind::number;
    result.number = node.value<double>().value_or(0);
  } else {
    throw at_line(origin, result.line, R"(dates and times mean nothing here; write a number or a "word")");
  }
  return result;
}

}  // namespace

TomlNode parse_toml(std::string_view text, const std::string& origin) {
  try {
    return plain(toml::parse(text, origin), origin);
  } catch (const toml::parse_error& error) {
    throw at_line(origin, error.source().begin.line,
                  "this is not TOML (" + std::string(error.description()) + "); see https://toml.io");
  }
}

TomlTable::TomlTable(const TomlNode& node, std::string origin, std::string name)
    : origin_(std::move(origin)), name_(std::move(name)), node_(&node) {
  if (node.kind != TomlKind::table)
    throw wrong("'" + name_ + "' is not a table; write [" + name_ + "] and its keys below");
}

Error TomlTable::wrong(std::size_t line, const std::string& message) const { return at_line(origin_, line, message); }

Error TomlTable::wrong_kind(const TomlNode& entry, std::string_view wanted) const {
  return wrong(entry.line, "'" + entry.key + "' is not " + std::string(wanted));
}

void TomlTable::allow_only(const std::vector<std::string_view>& keys) const {
  for (const TomlNode& entry : entries()) {
    if (std::ranges::find(keys, entry.key) != keys.end()) continue;
    std::string remedy = data::did_you_mean(entry.key, keys);
    if (remedy.empty()) {
      for (const std::string_view key : keys) remedy.append(remedy.empty() ? "; there are " : ", ").append(key);
    }
    throw wrong(entry.line, "no key '" + entry.key + "'" + (name_.empty() ? "" : " in " + name_) + remedy);
  }
}

const TomlNode* TomlTable::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(entries(), key, &TomlNode::key);
  return found != entries().end() ? &*found : nullptr;
}

std::optional<std::string> TomlTable::text(std::string_view key) const {
  const TomlNode* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->kind == TomlKind::text) return entry->text;
  throw wrong_kind(*entry, R"(a text; put it between "quotes")");
}

std::string TomlTable::needed_text(std::string_view key) const {
  std::string text = this->text(key).value_or("");
  if (!text.empty()) return text;
  throw wrong((name_.empty() ? "the study" : name_) + " has no '" + std::string(key) + "'; add " + std::string(key) +
              R"( = "...")");
}

std::optional<double> TomlTable::number(std::string_view key) const {
  const TomlNode* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->kind == TomlKind::number && std::isfinite(entry->number)) return entry->number;
  throw wrong_kind(*entry, "a number; write e.g. 0.5");
}

std::optional<bool> TomlTable::truth(std::string_view key) const {
  const TomlNode* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  if (entry->kind == TomlKind::truth) return entry->truth;
  throw wrong_kind(*entry, "a truth value; write true or false");
}

std::vector<std::string> TomlTable::texts(std::string_view key) const {
  const TomlNode* entry = find(key);
  if (entry == nullptr) return {};
  const auto is_text = [](const TomlNode& one) { return one.kind == TomlKind::text; };
  if (entry->kind == TomlKind::list && std::ranges::all_of(entry->parts, is_text)) {
    std::vector<std::string> texts;
    for (const TomlNode& one : entry->parts) texts.push_back(one.text);
    return texts;
  }
  throw wrong_kind(*entry, R"(a list of texts; write e.g. ["tracker"])");
}

std::optional<TomlTable> TomlTable::table(std::string_view key) const {
  const TomlNode* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  return TomlTable(*entry, origin_, entry->key);
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) const {
  const TomlNode* entry = find(key);
  if (entry == nullptr) return {};
  if (entry->kind != TomlKind::list) {
    throw wrong_kind(*entry, "a list of tables; write [[" + entry->key + "]] above each");
  }
  std::vector<TomlTable> tables;
  for (const TomlNode& one : entry->parts) tables.emplace_back(one, origin_, entry->key);
  return tables;
}

}  // namespace heed::study
