// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/model_file.h>
#include <io/atomic_file.h>
#include <io/decoders/decoder_json.h>
#include <io/json_object.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr FileFormat file_format{"heed-population", "population", population_format_version, "make"};
constexpr int float_digits = 9;             // bring every float back
constexpr float covariance_steps = 10'000;  // in one: covariances are kept as whole numbers of these

// ---- what must fit together ----

bool is_set(const std::vector<std::string>& names) {
  const std::set<std::string> different(names.begin(), names.end());
  return !names.empty() && different.size() == names.size() && !different.contains("");
}

std::string fault_of(const ScoreMoments& scores) {
  const std::array all{scores.windows,    scores.speakers,           scores.attended,   scores.attended_squares,
                       scores.unattended, scores.unattended_squares, scores.window_sum, scores.window_sum_squares};
  if (!std::ranges::all_of(all, [](double number) { return std::isfinite(number); })) return "Scores must be finite";
  if (!(scores.windows >= 0) || !(scores.speakers >= 2)) return "Scores.Windows and Scores.Speakers are not counts";
  const bool squares = scores.attended_squares >= 0 && scores.unattended_squares >= 0 && scores.window_sum_squares >= 0;
  return squares ? "" : "Scores holds a sum of squares below 0";
}

std::string fault_of(const PopulationEntry& entry, const Population& population) {
  if (entry.listener.empty()) return "Listener is empty";
  if (entry.run.empty()) return "Run is empty";
  if (entry.recording.empty()) return "Recording is empty";
  if (!is_set(entry.stimuli) || !std::ranges::is_sorted(entry.stimuli))
    return "Stimuli is not a sorted list of digests";
  if (!is_set(entry.channels)) return "Channels is not a list of different names";
  if (!(entry.samples > 0) || !std::isfinite(entry.samples)) return "Samples must be greater than 0";
  const Index rows = population.delays.count() * std::ssize(entry.channels);
  if (entry.products.rows() != rows || entry.products.cols() != std::ssize(population.targets)) {
    return "Products does not hold a number for each of " + std::to_string(population.delays.count()) + " delays, " +
           std::to_string(entry.channels.size()) + " channels and " + std::to_string(population.targets.size()) +
           " targets";
  }
  if (!entry.products.allFinite()) return "Products holds something that is not a number";
  const bool covers = entry.covariance.rows() == rows && entry.covariance.cols() == std::ssize(entry.channels);
  if (entry.covariance.size() > 0 && !covers) {
    return "Covariance does not hold a number for each of " + std::to_string(population.delays.count()) +
           " delays and " + std::to_string(entry.channels.size()) + " x " + std::to_string(entry.channels.size()) +
           " channels";
  }
  const bool within = entry.covariance.allFinite() && (entry.covariance.array().abs() <= 1.001F).all();
  if (!within) return "Covariance holds something beyond -1 ... 1, in standard deviations";
  return entry.scores ? fault_of(*entry.scores) : "";
}

std::string fault_of(const PopulationDecoder& decoder) {
  if (decoder.kind != "ls" && decoder.kind != "cca") return "Kind must be ls or cca";
  if (decoder.regularisation != "ridge" && decoder.regularisation != "ridge-cv" &&
      decoder.regularisation != "ledoit-wolf") {
    return "Regularisation must be ridge, ridge-cv or ledoit-wolf";
  }
  if (!(decoder.ridge >= 0) || !std::isfinite(decoder.ridge)) return "Ridge must not be negative";
  const double first = decoder.first_lag.value;
  const double last = decoder.longest_lag.value;
  if (!std::isfinite(first) || !std::isfinite(last) || first > last) return "LongestLag must not be below FirstLag";
  if (decoder.pairs < 1) return "Pairs must be at least 1";
  if (!(decoder.window.value > 0) || !std::isfinite(decoder.window.value)) return "WindowLength must be greater than 0";
  const std::string fault = heed::io::fault_of(decoder.rule);
  return fault.empty() ? "" : "ScoreRule." + fault;
}

std::string fault_of(const PopulationAdaptation& adaptation) {
  if (adaptation.seconds.empty()) return "Seconds is empty";
  for (const double seconds : adaptation.seconds) {
    if (!(seconds > 0) || !std::isfinite(seconds)) return "Seconds must be greater than 0";
  }
  std::set<std::string> seen;
  for (const AdaptationTrial& trial : adaptation.trials) {
    const std::string place = "Trials, listener '" + trial.listener + "': ";
    if (trial.listener.empty() || !seen.insert(trial.listener).second) return place + "is named twice, or has no name";
    if (trial.separations.size() != adaptation.seconds.size()) return place + "Separations must be as many as Seconds";
    if (const std::string fault = fault_of(trial.scores); !fault.empty()) return place + fault;
  }
  return {};
}

std::string fault_of(const Population& population) {
  if (std::string fault = heed::io::fault_of(population.preprocessing); !fault.empty()) {
    return "Preprocessing." + fault;
  }
  if (!is_set(population.targets)) return "Targets is not a list of different names";
  if (population.delays.count() < 1) return "Delays ends before it begins";
  if (std::string fault = fault_of(population.decoder); !fault.empty()) return "Decoder." + fault;
  if (population.entries.empty()) return "Entries is empty";
  std::set<std::tuple<std::string, std::string, std::vector<std::string>>> seen;
  for (std::size_t k = 0; k < population.entries.size(); ++k) {
    const PopulationEntry& entry = population.entries[k];
    std::string fault = fault_of(entry, population);
    if (fault.empty() && !seen.emplace(entry.listener, entry.run, entry.stimuli).second)
      fault = "Run appears twice with these sounds";
    if (!fault.empty()) return "Entries, entry " + std::to_string(k + 1) + " (" + entry.run + "): " + fault;
  }
  const std::string fault = population.adaptation ? fault_of(*population.adaptation) : "";
  return fault.empty() ? "" : "Adaptation." + fault;
}

// ---- writing ----

Json json_of(const PopulationDecoder& decoder) {
  return {{"Kind", decoder.kind},
          {"Regularisation", decoder.regularisation},
          {"Ridge", decoder.ridge},
          {"FirstLag", decoder.first_lag.value},
          {"LongestLag", decoder.longest_lag.value},
          {"Pairs", decoder.pairs},
          {"ScoreRule", Json::parse(score_rule_text(decoder.rule))},
          {"WindowLength", decoder.window.value}};
}

Json json_of(const std::optional<ScoreMoments>& scores) {
  if (!scores) return nullptr;
  return {{"Windows", scores->windows},       {"Speakers", scores->speakers},
          {"Attended", scores->attended},     {"AttendedSquares", scores->attended_squares},
          {"Unattended", scores->unattended}, {"UnattendedSquares", scores->unattended_squares},
          {"WindowSum", scores->window_sum},  {"WindowSumSquares", scores->window_sum_squares}};
}

std::string compact(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string entry_line(const PopulationEntry& entry) {
  std::string text = compact({{"Listener", entry.listener},
                              {"Run", entry.run},
                              {"Recording", entry.recording},
                              {"Stimuli", entry.stimuli},
                              {"Samples", entry.samples},
                              {"Scores", json_of(entry.scores)},
                              {"Channels", entry.channels}});
  text.back() = ',';
  text += "\"Products\":[";
  for (Index i = 0; i < entry.products.size(); ++i) {
    text += (i == 0 ? "" : ",") + number_text(static_cast<double>(entry.products.data()[i]), float_digits);
  }
  text += "]";
  if (entry.covariance.size() > 0) text += ",\"Covariance\":[";
  for (Index i = 0; i < entry.covariance.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(std::lround(entry.covariance.data()[i] * covariance_steps));
  }
  return text + (entry.covariance.size() > 0 ? "]}" : "}");
}

Json json_of(const PopulationAdaptation& adaptation) {
  Json trials = Json::array();
  for (const AdaptationTrial& trial : adaptation.trials) {
    trials.push_back({{"Listener", trial.listener},
                      {"Scores", json_of(std::optional(trial.scores))},
                      {"Separations", trial.separations}});
  }
  return {{"Seconds", adaptation.seconds}, {"Trials", trials}};
}

bool needs_newest(const Population& population) {
  return population.adaptation || std::ranges::any_of(population.entries, [](const PopulationEntry& entry) {
           return entry.covariance.size() > 0;
         });
}

// ---- reading ----

PopulationDecoder parse_decoder_words(const JsonObject& json) {
  return {.kind = json.text("Kind"),
          .regularisation = json.text("Regularisation"),
          .ridge = json.number("Ridge"),
          .first_lag = Seconds{json.number("FirstLag")},
          .longest_lag = Seconds{json.number("LongestLag")},
          .pairs = static_cast<Index>(json.count("Pairs")),
          .rule = parse_score_rule(json.object("ScoreRule")),
          .window = Seconds{json.positive("WindowLength")}};
}

ScoreMoments parse_scores(const JsonObject& json) {
  return {.windows = json.number("Windows"),
          .speakers = json.number("Speakers"),
          .attended = json.number("Attended"),
          .attended_squares = json.number("AttendedSquares"),
          .unattended = json.number("Unattended"),
          .unattended_squares = json.number("UnattendedSquares"),
          .window_sum = json.number("WindowSum"),
          .window_sum_squares = json.number("WindowSumSquares")};
}

PopulationEntry parse_entry(const JsonObject& json, Index targets) {
  PopulationEntry entry{.listener = json.text("Listener"),
                        .run = json.text("Run"),
                        .recording = json.text("Recording"),
                        .stimuli = json.texts("Stimuli"),
                        .channels = json.texts("Channels"),
                        .samples = json.positive("Samples")};
  if (!json.is_null("Scores")) entry.scores = parse_scores(json.object("Scores"));
  const std::vector<double> numbers = json.numbers("Products");
  // Numbers that do not fit leave a shape that fault_of refuses.
  const Index rows = std::ssize(numbers) % targets == 0 ? std::ssize(numbers) / targets : 0;
  entry.products = Eigen::Map<const Matrix>(numbers.data(), rows, targets).cast<float>();
  if (!json.has("Covariance")) return entry;
  const std::vector<double> steps = json.numbers("Covariance");
  const Index channels = std::ssize(entry.channels);
  const Index height = channels > 0 && std::ssize(steps) % channels == 0 ? std::ssize(steps) / channels : 0;
  if (height == 0) throw Error(ErrorKind::bad_data, "key Covariance does not fit the channels");
  entry.covariance = Eigen::Map<const Matrix>(steps.data(), height, channels).cast<float>() / covariance_steps;
  return entry;
}

PopulationAdaptation parse_adaptation(const JsonObject& json) {
  PopulationAdaptation adaptation{.seconds = json.numbers("Seconds")};
  for (const JsonObject& one : json.objects("Trials")) {
    adaptation.trials.push_back({one.text("Listener"), parse_scores(one.object("Scores")), one.numbers("Separations")});
  }
  return adaptation;
}

std::vector<PopulationEntry> parse_entries(const JsonObject& json, Index targets) {
  std::vector<PopulationEntry> entries;
  for (const JsonObject& one : json.objects("Entries")) {
    try {
      entries.push_back(parse_entry(one, targets));
    } catch (const Error& error) {
      throw error.within("entry " + std::to_string(entries.size() + 1));
    }
  }
  return entries;
}

}  // namespace

Population parse_population(std::string_view text) {
  const JsonObject json = JsonObject::parse(text);
  check_format(json, file_format);
  Population population;
  population.origin = json.text("Origin");
  population.preprocessing = parse_preprocessing(json.object("Preprocessing"));
  population.targets = json.texts("Targets");
  population.delays = parse_lags(json, "Delays");
  population.decoder = parse_decoder_words(json.object("Decoder"));
  population.entries = parse_entries(json, std::max<Index>(1, std::ssize(population.targets)));
  if (json.has("Adaptation")) population.adaptation = parse_adaptation(json.object("Adaptation"));
  if (const std::string fault = fault_of(population); !fault.empty()) {
    throw Error(ErrorKind::bad_data, "key " + fault);
  }
  return population;
}

std::string population_text(const Population& population) {
  if (const std::string fault = fault_of(population); !fault.empty()) {
    throw Error(ErrorKind::invalid_argument, "key " + fault);
  }
  const std::size_t written = needs_newest(population) ? population_format_version : 1;
  const Json head{{"Format", file_format.name},
                  {"FormatVersion", written},
                  {"HeedVersion", version()},
                  {"Origin", population.origin},
                  {"Preprocessing", Json::parse(preprocessing_text(population.preprocessing))},
                  {"Targets", population.targets},
                  {"Delays", {population.delays.first, population.delays.last}},
                  {"Decoder", json_of(population.decoder)}};
  std::string text = "{";
  for (const auto& [key, value] : head.items()) text += "\n  " + compact(key) + ": " + compact(value) + ",";
  if (population.adaptation) text += "\n  \"Adaptation\": " + compact(json_of(*population.adaptation)) + ",";
  text += "\n  \"Entries\": [";
  for (std::size_t k = 0; k < population.entries.size(); ++k) {
    text += (k == 0 ? "\n    " : ",\n    ") + entry_line(population.entries[k]);
  }
  return text + "\n  ]\n}\n";
}

Population read_population(const std::filesystem::path& path) { return parse_file(path, parse_population); }

void write_population(const std::filesystem::path& path, const Population& population) {
  write_text_file(path, population_text(population));
}

std::size_t listeners_in(const Population& population) {
  std::set<std::string> listeners;
  for (const PopulationEntry& entry : population.entries) listeners.insert(entry.listener);
  return listeners.size();
}

std::string describe(const Population& population) {
  const PopulationDecoder& decoder = population.decoder;
  const std::size_t listeners = listeners_in(population);
  const auto milliseconds = [](Seconds lag) { return number_text(1000 * lag.value); };
  const std::string strength =
      decoder.regularisation == "ridge" ? "ridge " + number_text(decoder.ridge) : decoder.regularisation;
  return std::to_string(listeners) + (listeners == 1 ? " listener, " : " listeners, ") +
         std::to_string(population.entries.size()) + (population.entries.size() == 1 ? " entry; " : " entries; ") +
         decoder.kind + ", " + strength + ", lags " + milliseconds(decoder.first_lag) + " ... " +
         milliseconds(decoder.longest_lag) + " ms, " + std::string(name_of(decoder.rule.measure)) + "; " +
         describe(population.preprocessing);
}

}  // namespace heed::io
