// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/json_object.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace heed::io {

struct JsonObject::Content {
  nlohmann::json json;
  std::string place;  // "Emission." inside that object, for messages

  [[nodiscard]] Error error(std::string_view key, const std::string& problem) const {
    return {ErrorKind::bad_data, "key " + place + std::string(key) + " " + problem};
  }
  [[nodiscard]] const nlohmann::json& at(std::string_view key) const {
    const auto found = json.find(key);
    if (found == json.end()) throw error(key, "is missing");
    return *found;
  }
};

namespace {

// The library's texts begin with its own code in brackets, which tells a user nothing.
std::string plain_message(const nlohmann::json::exception& failure) {
  const std::string_view message = failure.what();
  const std::size_t bracket = message.find("] ");
  return std::string(bracket == std::string_view::npos ? message : message.substr(bracket + 2));
}

}  // namespace

JsonObject JsonObject::parse(std::string_view text) {
  // A table, a text or the empty file: where the parser stopped would tell nothing.
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string_view::npos || text[first] != '{') {
    throw Error(ErrorKind::bad_data, "not a JSON object; it must begin with {");
  }
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& failure) {
    throw Error(ErrorKind::bad_data, "not valid JSON: " + plain_message(failure));
  }
  return JsonObject(std::make_shared<Content>(Content{std::move(json), ""}));
}

bool JsonObject::has(std::string_view key) const { return content_->json.contains(key); }

bool JsonObject::has_text(std::string_view key) const { return has(key) && content_->at(key).is_string(); }

bool JsonObject::is_null(std::string_view key) const { return has(key) && content_->at(key).is_null(); }

// Always finite: JSON has no other numbers, and the parser refuses what a double cannot hold.
double JsonObject::number(std::string_view key) const {
  const auto& value = content_->at(key);
  if (!value.is_number()) throw content_->error(key, "is not a number");
  return value.get<double>();
}

double JsonObject::positive(std::string_view key) const {
  const double value = number(key);
  if (!(value > 0)) throw content_->error(key, "must be greater than 0");
  return value;
}

std::size_t JsonObject::count(std::string_view key) const {
  const auto& value = content_->at(key);
  if (!value.is_number_unsigned()) throw content_->error(key, "is not a whole number");
  return value.get<std::size_t>();
}

std::string JsonObject::text(std::string_view key) const {
  const auto& value = content_->at(key);
  if (!value.is_string()) throw content_->error(key, "is not a text");
  return value.get<std::string>();
}

std::vector<double> JsonObject::numbers(std::string_view key) const {
  const auto& value = content_->at(key);
  const auto is_number = [](const nlohmann::json& element) { return element.is_number(); };
  if (!value.is_array() || !std::ranges::all_of(value, is_number)) {
    throw content_->error(key, "is not a list of numbers");
  }
  return value.get<std::vector<double>>();
}

std::vector<std::string> JsonObject::texts(std::string_view key) const {
  const auto& value = content_->at(key);
  const auto is_text = [](const nlohmann::json& element) { return element.is_string(); };
  if (!value.is_array() || !std::ranges::all_of(value, is_text)) throw content_->error(key, "is not a list of texts");
  return value.get<std::vector<std::string>>();
}

JsonObject JsonObject::object(std::string_view key) const {
  const auto& value = content_->at(key);
  if (!value.is_object()) throw content_->error(key, "is not an object");
  return JsonObject(std::make_shared<Content>(Content{value, content_->place + std::string(key) + "."}));
}

std::vector<JsonObject> JsonObject::objects(std::string_view key) const {
  const auto& value = content_->at(key);
  const auto is_object = [](const nlohmann::json& element) { return element.is_object(); };
  if (!value.is_array() || !std::ranges::all_of(value, is_object)) {
    throw content_->error(key, "is not a list of objects");
  }
  std::vector<JsonObject> result;
  for (const auto& element : value) {
    result.push_back(JsonObject(std::make_shared<Content>(Content{element, content_->place + std::string(key) + "."})));
  }
  return result;
}

void check_format(const JsonObject& json, const FileFormat& format) {
  const std::string remedy(format.remedy);
  if (!json.has_text("Format") || json.text("Format") != format.name) {
    throw Error(ErrorKind::bad_data, "not a " + std::string(format.noun) + " of heed: key Format is not '" +
                                         std::string(format.name) + "'; " + remedy + " one");
  }
  const std::size_t written = json.count("FormatVersion");
  if (written >= 1 && written <= format.newest) return;
  const std::string writer = json.has_text("HeedVersion") ? " (written by heed " + json.text("HeedVersion") + ")" : "";
  const std::string newest = std::to_string(format.newest);
  throw Error(ErrorKind::unsupported, "key FormatVersion is " + std::to_string(written) + writer + "; this is heed " +
                                          std::string(version()) + ", which reads " +
                                          (format.newest == 1 ? "version 1" : "versions 1 to " + newest) +
                                          ". Update heed, or " + remedy + " it again");
}

}  // namespace heed::io
