// SPDX-License-Identifier: MIT
#include "decoding/participant_record.h"

#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/text_file.h>

#include <nlohmann/json.hpp>

namespace heed::app {

using nlohmann::ordered_json;

std::filesystem::path record_path(const std::filesystem::path& folder, const std::string& id) {
  return folder / ("sub-" + id) / ("sub-" + id + "_heed.json");
}

std::optional<ParticipantRecord> read_record(const std::filesystem::path& folder, const std::string& id) {
  const auto path = record_path(folder, id);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto json = ordered_json::parse(io::read_text_file(path), nullptr, false);
  const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
  try {
    ParticipantRecord record{text("Key"), text("DataDigest"), text("Decoder"), text("Method"), std::nullopt};
    if (!json.at("Failure").is_null()) record.failure = text("Failure");
    return record;
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  }
}

void write_record(const std::filesystem::path& folder, const std::string& id, const ParticipantRecord& record) {
  const auto path = record_path(folder, id);
  std::filesystem::create_directories(path.parent_path());
  const ordered_json json{{"Key", record.key},
                          {"DataDigest", record.data_digest},
                          {"Decoder", record.decoder},
                          {"Method", record.method},
                          {"Failure", record.failure ? ordered_json(*record.failure) : ordered_json(nullptr)},
                          {"HeedVersion", version()}};
  io::write_text_file(path, json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace heed::app
