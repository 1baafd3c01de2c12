// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/json_object.h>
#include <io/score_tables/sidecar.h>
#include <io/text_file.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view whole_trial = "end of trial";

ScoreType parse_type(const std::string& name) {
  if (const auto type = data::score_type_named(name)) return *type;
  throw Error(ErrorKind::bad_data, "key ScoreType is '" + name + "'; write " + std::string(data::score_type_words));
}

Seconds parse_look_ahead(const JsonObject& json) {
  if (json.has_text("LookAhead") && json.text("LookAhead") == whole_trial) {
    return {std::numeric_limits<double>::infinity()};
  }
  const double seconds = json.number("LookAhead");
  if (seconds < 0) throw Error(ErrorKind::bad_data, "key LookAhead must not be negative");
  return {seconds};
}

int parse_digits(const JsonObject& json) {
  const std::size_t digits = json.count("Digits");
  if (digits < 1 || digits > 17) throw Error(ErrorKind::bad_data, "key Digits must be from 1 to 17");
  return static_cast<int>(digits);
}

Json column(const std::string& description, const std::string& units = {}) {
  Json json{{"Description", description}};
  if (!units.empty()) json["Units"] = units;
  return json;
}

// File names may not be UTF-8: such bytes are replaced rather than refused.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

// A speaker called like a key of heed's loses the description, not the key.
void describe(Json& json, const std::string& name, const Json& description) {
  if (!json.contains(name)) json[name] = description;
}

template <typename Series>
void add_lengths(Json& json, const Series& series) {
  json["WindowLength"] = series.window.value;
  if (series.hop != series.window) json["HopLength"] = series.hop.value;
}

void describe_time(Json& json, bool named_trials) {
  describe(json, "onset", column("Start of the window", "s"));
  if (named_trials) describe(json, "trial", column("Name of the trial; onsets may restart with each"));
}

std::string score_description(ScoreType type, const std::string& speaker) {
  return type == ScoreType::log_odds ? "Log-odds that " + speaker + " is attended"
                                     : "How well the decoded signal agrees with the speech of " + speaker;
}

}  // namespace

Sidecar parse_sidecar(std::optional<std::string_view> text) {
  Sidecar result;
  if (!text) return result;
  try {
    const JsonObject json = JsonObject::parse(*text);
    if (json.has("WindowLength")) result.lengths.window = Seconds{json.positive("WindowLength")};
    if (json.has("HopLength")) result.lengths.hop = Seconds{json.positive("HopLength")};
    if (json.has("LookAhead")) result.look_ahead = parse_look_ahead(json);
    if (json.has("Digits")) result.digits = parse_digits(json);
    if (json.has("ScoreType")) result.type = parse_type(json.text("ScoreType"));
  } catch (const Error& error) {
    throw error.within("sidecar");
  }
  return result;
}

std::optional<std::filesystem::path> sidecar_path(const std::filesystem::path& table) {
  if (is_standard_stream(table) || table.extension() == ".json") return std::nullopt;
  return std::filesystem::path(table).replace_extension(".json");
}

std::optional<std::string> read_sidecar_of(const std::filesystem::path& table) {
  const auto beside = sidecar_path(table);
  std::error_code failure;
  if (!beside || !std::filesystem::exists(*beside, failure)) return std::nullopt;
  return read_text_file(*beside);
}

void write_with_sidecar(const std::filesystem::path& path, std::string_view table, std::string_view sidecar) {
  if (is_output_stream(path)) {
    write_text_file(path, table);
    return;
  }
  const auto beside = sidecar_path(path);
  if (!beside) {
    throw Error(ErrorKind::invalid_argument, path.string() + ": the sidecar would have this name; end it with .tsv");
  }
  StagedFile staged_table(path, table);
  StagedFile staged_sidecar(*beside, sidecar);
  staged_sidecar.commit();
  staged_table.commit();
}

std::string score_sidecar(const ScoredParticipant& participant, const ScoreWriteOptions& options) {
  Json json;
  add_lengths(json, participant.trials.front().scores);
  json["ScoreType"] = data::name_of(participant.type);
  const auto& [decoder, preprocessing, recipe, population, kernels] = participant.origin;
  if (!decoder.empty()) json["Decoder"] = decoder;
  if (!preprocessing.empty()) json["Preprocessing"] = preprocessing;
  if (!recipe.empty()) json["Recipe"] = recipe;
  if (!population.empty()) json["Population"] = population;
  if (!kernels.empty()) json["Kernels"] = kernels;
  if (!options.sources.empty()) json["Sources"] = options.sources;
  json["HeedVersion"] = version();
  describe_time(json, !participant.trials.front().name.empty());
  for (const std::string& speaker : participant.speakers) {
    describe(json, speaker, column(score_description(participant.type, speaker), "arbitrary"));
  }
  describe(json, "attended", column("Speaker the listener was asked to attend to"));
  return dumped(json);
}

std::string posterior_sidecar(const TrackedParticipant& participant, const PosteriorWriteOptions& options) {
  const double evidence =
      std::accumulate(participant.trials.begin(), participant.trials.end(), 0.0,
                      [](double sum, const TrackedTrial& trial) { return sum + trial.posteriors.log_evidence; });
  Json json;
  json["Method"] = options.method;
  add_lengths(json, participant.trials.front().posteriors);
  json["LookAhead"] =
      std::isfinite(participant.look_ahead.value) ? Json(participant.look_ahead.value) : Json(whole_trial);
  if (options.switch_probability) json["SwitchProbability"] = *options.switch_probability;
  if (options.unknown_switch_probability) json["SwitchProbability"] = "auto";
  if (const auto& found = participant.switching) {
    json["SwitchPosterior"] = {
        {"PerSecond", found->per_second}, {"PerWindow", found->per_window}, {"Probability", found->weights}};
  }
  if (!options.emission.empty()) json["Emission"] = options.emission;
  json["LogEvidence"] = evidence;  // null if it is not finite
  json["Digits"] = options.digits;
  json["Sources"] = options.sources;
  json["HeedVersion"] = version();
  describe_time(json, !participant.trials.front().name.empty());
  for (const std::string& speaker : participant.speakers) {
    describe(json, speaker, column("Probability that " + speaker + " is attended", "1"));
  }
  describe(json, "decision", column("Speaker decided for; a tie keeps the previous decision"));
  describe(json, "attended", column("Speaker the listener was asked to attend to"));
  return dumped(json);
}

}  // namespace heed::io
