// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/model_file.h>
#include <io/atomic_file.h>
#include <io/decoders/decoder_json.h>
#include <io/json_object.h>
#include <io/text_file.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr FileFormat file_format{"heed-listener", "learnt listener", 1, "learn"};
constexpr std::size_t sums_of_scores = 5;

std::vector<double> list(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }
std::vector<double> list(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

bool is_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

// What makes no sense, beginning with the key; empty: nothing.
std::string fault_of(const LearntListener& one) {
  if (std::string fault = heed::io::fault_of(one.preprocessing); !fault.empty()) return "Preprocessing." + fault;
  const std::set<std::string> different(one.channels.begin(), one.channels.end());
  if (one.channels.empty() || different.size() != one.channels.size()) return "Channels is not a list of names";
  if (one.lags.count() < 1) return "Lags ends before it begins";
  if (!(one.window.value > 0) || !std::isfinite(one.window.value)) return "WindowLength must be greater than 0";
  const Index channels = std::ssize(one.channels);
  const Index rows = one.lags.count() * channels;
  const auto is_shaped = [&](const Matrix& covariance, const Eigen::VectorXd& cross) {
    return covariance.rows() == rows && covariance.cols() == channels && cross.size() == rows &&
           covariance.allFinite() && cross.allFinite();
  };
  if (!is_shaped(one.learnt.covariance, one.learnt.cross)) return "Learnt does not fit Channels and Lags";
  const bool started = one.population_cross.size() > 0 || one.population_covariance.size() > 0;
  if (started && !is_shaped(one.population_covariance, one.population_cross)) {
    return "Population does not fit Channels and Lags";
  }
  if (!(one.population_seconds >= 0) || !std::isfinite(one.population_seconds)) return "Population.Seconds is negative";
  const GaussianEmission& emission = one.emission;
  if (!(emission.mu_attended > emission.mu_unattended) || !(emission.sigma_attended > 0)) {
    return "Emission must have a higher mean for attended speech, and a Sigma above 0";
  }
  const LearntSums& learnt = one.learnt;
  const bool counts = learnt.eeg_windows >= 0 && learnt.labelled_windows >= 0 && std::isfinite(learnt.eeg_windows) &&
                      std::isfinite(learnt.labelled_windows);
  if (!counts) return "Learnt.EegWindows and Learnt.LabelledWindows are not counts";
  if (learnt.scores.size() != sums_of_scores || !is_finite(learnt.scores)) return "Learnt.Scores must be five numbers";
  return {};
}

Json json_of(const GaussianEmission& emission) {
  return {
      {"Attended", emission.mu_attended}, {"Unattended", emission.mu_unattended}, {"Sigma", emission.sigma_attended}};
}

Matrix matrix_of(const std::vector<double>& numbers, std::size_t channels) {
  const auto columns = static_cast<Index>(channels);
  const Index rows = columns > 0 && std::ssize(numbers) % columns == 0 ? std::ssize(numbers) / columns : 0;
  return rows == 0 ? Matrix{} : Matrix(Eigen::Map<const Matrix>(numbers.data(), rows, columns));
}

Eigen::VectorXd vector_of(const std::vector<double>& numbers) {
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), std::ssize(numbers));
}

}  // namespace

LearntListener parse_listener(std::string_view text) {
  const JsonObject json = JsonObject::parse(text);
  check_format(json, file_format);
  LearntListener one{.listener = json.text("Listener"),
                     .origin = json.text("Origin"),
                     .channels = json.texts("Channels"),
                     .preprocessing = parse_preprocessing(json.object("Preprocessing")),
                     .lags = parse_lags(json, "Lags"),
                     .window = Seconds{json.positive("WindowLength")}};
  const JsonObject emission = json.object("Emission");
  one.emission.mu_attended = emission.number("Attended");
  one.emission.mu_unattended = emission.number("Unattended");
  one.emission.sigma_attended = one.emission.sigma_unattended = emission.positive("Sigma");
  if (!json.is_null("Population")) {
    const JsonObject population = json.object("Population");
    one.population_seconds = population.number("Seconds");
    one.population_covariance = matrix_of(population.numbers("Covariance"), one.channels.size());
    one.population_cross = vector_of(population.numbers("Products"));
  }
  const JsonObject learnt = json.object("Learnt");
  one.learnt = {.covariance = matrix_of(learnt.numbers("Covariance"), one.channels.size()),
                .eeg_windows = learnt.number("EegWindows"),
                .cross = vector_of(learnt.numbers("Products")),
                .labelled_windows = learnt.number("LabelledWindows"),
                .scores = learnt.numbers("Scores")};
  if (const std::string fault = fault_of(one); !fault.empty()) throw Error(ErrorKind::bad_data, "key " + fault);
  return one;
}

std::string listener_text(const LearntListener& listener) {
  if (const std::string fault = fault_of(listener); !fault.empty()) {
    throw Error(ErrorKind::invalid_argument, "key " + fault);
  }
  Json population = nullptr;
  if (listener.population_cross.size() > 0) {
    population = {{"Seconds", listener.population_seconds},
                  {"Products", list(listener.population_cross)},
                  {"Covariance", list(listener.population_covariance)}};
  }
  const Json json{{"Format", file_format.name},
                  {"FormatVersion", file_format.newest},
                  {"HeedVersion", version()},
                  {"Listener", listener.listener},
                  {"Origin", listener.origin},
                  {"Channels", listener.channels},
                  {"Preprocessing", Json::parse(preprocessing_text(listener.preprocessing))},
                  {"Lags", {listener.lags.first, listener.lags.last}},
                  {"WindowLength", listener.window.value},
                  {"Emission", json_of(listener.emission)},
                  {"Learnt",
                   {{"EegWindows", listener.learnt.eeg_windows},
                    {"LabelledWindows", listener.learnt.labelled_windows},
                    {"Scores", listener.learnt.scores},
                    {"Products", list(listener.learnt.cross)},
                    {"Covariance", list(listener.learnt.covariance)}}},
                  {"Population", population}};
  std::string text = "{";
  for (const auto& [key, value] : json.items()) {
    text += std::string(text.size() == 1 ? "" : ",") + "\n  " + Json(key).dump() + ": " +
            value.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text + "\n}\n";
}

LearntListener read_listener(const std::filesystem::path& path) { return parse_file(path, parse_listener); }

void write_listener(const std::filesystem::path& path, const LearntListener& listener) {
  write_text_file(path, listener_text(listener));
}

}  // namespace heed::io
