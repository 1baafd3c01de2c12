// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/model_file.h>
#include <io/atomic_file.h>
#include <io/emission_json.h>
#include <io/json_object.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_name = "heed-model";

void check(const Model& model, ErrorKind kind) {
  std::string fault = fault_of(model.emission);
  if (!(model.temperature > 0) || !std::isfinite(model.temperature)) fault = "Temperature must be greater than 0";
  if (!(model.window.value > 0) || !std::isfinite(model.window.value)) fault = "WindowLength must be greater than 0";
  if (!fault.empty()) throw Error(kind, "key " + fault);
}

Json json_of(const GaussianEmission& gaussian) {
  return {{"Spread", name_of(gaussian.spread)},           {"MuAttended", gaussian.mu_attended},
          {"MuUnattended", gaussian.mu_unattended},       {"SigmaAttended", gaussian.sigma_attended},
          {"SigmaUnattended", gaussian.sigma_unattended}, {"Correlation", gaussian.correlation}};
}

Json json_of(const SoftmaxEmission& softmax) { return {{"ClassPriors", softmax.class_priors}}; }
Json json_of(const ProbabilityEmission& probability) { return {{"ClassPriors", probability.class_priors}}; }
Json json_of(const HardDecisionEmission& hard) { return {{"Accuracy", hard.accuracy}}; }
Json json_of(const GivenLogLikelihoods&) { return Json::object(); }

Json json_of(const MixtureEmission& mixture) {
  Json components = Json::array();
  for (std::size_t s = 0; s < mixture.states.size(); ++s) {
    for (const GaussianComponent& one : mixture.mixtures[s]) {
      const Matrix& all = one.covariance;
      const Eigen::VectorXd variances = all.diagonal();
      const auto covariance = mixture.shape == CovarianceShape::diagonal
                                  ? std::vector<double>(variances.begin(), variances.end())
                                  : std::vector<double>(all.data(), all.data() + all.size());
      components.push_back({{"State", mixture.states[s]},
                            {"Weight", one.weight},
                            {"Mean", std::vector<double>(one.mean.begin(), one.mean.end())},
                            {"Covariance", covariance}});
    }
  }
  return {{"Covariance", name_of(mixture.shape)},
          {"States", mixture.states},
          {"Features", mixture.features},
          {"Components", components}};
}

Json to_json(const Emission& emission) {
  Json json{{"Kind", kind_of(emission)}};
  json.update(std::visit([](const auto& one) { return json_of(one); }, emission));
  return json;
}

void check_format(const JsonObject& json) {
  if (!json.has_text("Format") || json.text("Format") != format_name) {
    throw Error(ErrorKind::bad_data, "not a model of heed: key Format is not '" + std::string(format_name) + "'");
  }
  const std::size_t format_version = json.count("FormatVersion");
  if (format_version == model_format_version) return;
  const std::string writer = json.has_text("HeedVersion") ? " (written by heed " + json.text("HeedVersion") + ")" : "";
  throw Error(ErrorKind::unsupported, "key FormatVersion is " + std::to_string(format_version) + writer +
                                          "; this is heed " + std::string(version()) + ", which reads version " +
                                          std::to_string(model_format_version) + ". Update heed, or fit again");
}

std::string details(const GaussianEmission& gaussian) {
  std::string text = ", " + std::string(name_of(gaussian.spread)) + " sigma: mu " + number_text(gaussian.mu_attended) +
                     " / " + number_text(gaussian.mu_unattended) + ", sigma " + number_text(gaussian.sigma_attended);
  if (gaussian.spread == Spread::separate) text += " / " + number_text(gaussian.sigma_unattended);
  if (gaussian.spread == Spread::exchangeable) text += ", correlation " + number_text(gaussian.correlation);
  return text;
}

std::string details(const std::vector<double>& class_priors) {
  std::string text = class_priors.empty() ? "" : ", class priors";
  for (const double prior : class_priors) text += " " + number_text(prior);
  return text;
}

std::string details(const SoftmaxEmission& softmax) { return details(softmax.class_priors); }
std::string details(const ProbabilityEmission& probability) { return details(probability.class_priors); }
std::string details(const HardDecisionEmission& hard) { return ", accuracy " + number_text(hard.accuracy); }
std::string details(const GivenLogLikelihoods&) { return {}; }

std::string details(const MixtureEmission& mixture) {
  std::size_t most = 0;
  for (const auto& components : mixture.mixtures) most = std::max(most, components.size());
  const auto counted = [](std::size_t n, const std::string& thing) {
    return ", " + std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
  };
  return counted(mixture.states.size(), "state") + counted(mixture.features.size(), "feature") +
         counted(most, "component") + " each, " + std::string(name_of(mixture.shape)) + " covariance";
}

// The numbers of a row, appended; how many there were.
std::size_t append_row(const LineReader& lines, std::vector<double>& numbers) {
  std::size_t count = 0;
  const std::string_view line = lines.line();
  for (std::size_t begin = 0; begin <= line.size(); ++count) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    const std::string_view cell = line.substr(begin, end - begin);
    const auto value = parse_number(cell);
    if (!value) {
      throw Error(ErrorKind::bad_data, "row " + std::to_string(lines.row()) + ", column " + std::to_string(count + 1) +
                                           ": " + in_quotes(cell) +
                                           " is not a number; a chain is N x N probabilities, tabs, no header");
    }
    numbers.push_back(*value);
    begin = end + 1;
  }
  return count;
}

}  // namespace

Model parse_model(std::string_view text) {
  const JsonObject json = JsonObject::parse(text);
  check_format(json);
  Model model{parse_emission(json.object("Emission")), Seconds{json.number("WindowLength")}, json.count("Participants"),
              json.text("Origin"), json.has("Temperature") ? json.number("Temperature") : 1};
  check(model, ErrorKind::bad_data);
  return model;
}

std::string model_text(const Model& model) {
  check(model, ErrorKind::invalid_argument);
  Json json;
  json["Format"] = format_name;
  json["FormatVersion"] = model_format_version;
  json["HeedVersion"] = version();
  json["WindowLength"] = model.window.value;
  json["Participants"] = model.participants;
  json["Origin"] = model.origin;
  json["Temperature"] = model.temperature;
  json["Emission"] = to_json(model.emission);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Model read_model(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  try {
    return parse_model(text);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
}

void write_model(const std::filesystem::path& path, const Model& model) { write_text_file(path, model_text(model)); }

std::string describe(const Emission& emission) {
  return std::string(kind_of(emission)) + std::visit([](const auto& one) { return details(one); }, emission);
}

std::string describe(const Model& model) {
  return describe(model.emission) + (model.temperature == 1 ? "" : ", temperature " + number_text(model.temperature));
}

Matrix parse_chain(std::string_view text) {
  LineReader lines(text);
  std::vector<double> numbers;
  std::size_t columns = 0;
  while (lines.next()) {
    const std::size_t count = append_row(lines, numbers);
    if (columns == 0) columns = count;
    if (count != columns) {
      throw Error(ErrorKind::bad_data, "row " + std::to_string(lines.row()) + " has " + std::to_string(count) +
                                           " numbers, row 1 has " + std::to_string(columns));
    }
  }
  if (numbers.empty()) throw Error(ErrorKind::bad_data, "the file is empty; N x N probabilities are needed");
  if (lines.row() != columns) {
    throw Error(ErrorKind::bad_data, "row " + std::to_string(lines.row()) + " is the last, but there are " +
                                         std::to_string(columns) + " columns; a chain has as many rows as columns");
  }
  const auto states = static_cast<Index>(columns);
  return Eigen::Map<const Matrix>(numbers.data(), states, states);
}

Matrix read_chain(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  try {
    return parse_chain(text);
  } catch (const Error& error) {
    throw error.within(input_name(path));
  }
}

}  // namespace heed::io
