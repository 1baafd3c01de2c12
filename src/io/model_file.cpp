// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/model_file.h>
#include <io/atomic_file.h>
#include <io/json_object.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace heed::io {
namespace {

// ---- emissions ----

std::string_view kind_of(const Emission& emission) {
  constexpr std::array<std::string_view, std::variant_size_v<Emission>> kinds{
      "gaussian", "softmax", "log-likelihood", "hard-decision", "probability", "mixture"};
  const auto* gaussian = std::get_if<GaussianEmission>(&emission);
  return gaussian != nullptr && gaussian->fisher ? "fisher-gaussian" : kinds.at(emission.index());
}

std::string_view name_of(Spread spread) {
  switch (spread) {
    case Spread::shared:
      return "shared";
    case Spread::separate:
      return "separate";
    case Spread::exchangeable:
      return "exchangeable";
  }
  return {};
}

std::string_view name_of(CovarianceShape shape) { return shape == CovarianceShape::diagonal ? "diagonal" : "full"; }

constexpr double sum_tolerance = 1e-6;

Spread parse_spread(const std::string& name) {
  for (const Spread spread : {Spread::shared, Spread::separate, Spread::exchangeable}) {
    if (name == name_of(spread)) return spread;
  }
  throw Error(ErrorKind::unsupported,
              "key Emission.Spread is '" + name +
                  "'; this heed knows shared, separate and exchangeable. Update heed, or fit again");
}

CovarianceShape parse_shape(const std::string& name) {
  for (const CovarianceShape shape : {CovarianceShape::diagonal, CovarianceShape::full}) {
    if (name == name_of(shape)) return shape;
  }
  throw Error(ErrorKind::unsupported, "key Emission.Covariance is '" + name +
                                          "'; this heed knows diagonal and full. Update heed, or fit again");
}

std::string fault(const GaussianEmission& gaussian) {
  const auto positive = [](double sigma) { return sigma > 0 && std::isfinite(sigma); };
  if (!std::isfinite(gaussian.mu_attended)) return "Emission.MuAttended must be finite";
  if (!std::isfinite(gaussian.mu_unattended)) return "Emission.MuUnattended must be finite";
  if (!positive(gaussian.sigma_attended)) return "Emission.SigmaAttended must be greater than 0";
  if (!positive(gaussian.sigma_unattended)) return "Emission.SigmaUnattended must be greater than 0";
  if (gaussian.spread != Spread::separate && gaussian.sigma_attended != gaussian.sigma_unattended) {
    return "Emission.SigmaUnattended must equal SigmaAttended unless Spread is separate";
  }
  if (gaussian.spread != Spread::exchangeable && gaussian.correlation != 0) {
    return "Emission.Correlation must be 0 unless Spread is exchangeable";
  }
  if (!(gaussian.correlation >= -1 && gaussian.correlation < 1)) return "Emission.Correlation must lie in [-1, 1)";
  return {};
}

std::string fault(std::span<const double> priors) {
  if (priors.empty()) return {};
  if (!std::ranges::all_of(priors, [](double prior) { return prior > 0 && prior <= 1; })) {
    return "Emission.ClassPriors must each be greater than 0 and at most 1";
  }
  const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
  if (std::abs(sum - 1) > sum_tolerance) return "Emission.ClassPriors must sum to 1, not to " + number_text(sum);
  if (priors.size() < 2) return "Emission.ClassPriors must be empty (uniform) or have one per speaker";
  return {};
}

std::string fault(const SoftmaxEmission& softmax) { return fault(softmax.class_priors); }
std::string fault(const ProbabilityEmission& probability) { return fault(probability.class_priors); }
std::string fault(const GivenLogLikelihoods&) { return {}; }

std::string fault(const HardDecisionEmission& hard) {
  return hard.accuracy > 0 && hard.accuracy < 1 ? "" : "Emission.Accuracy must lie between chance, 1/N, and 1";
}

std::string fault(const std::vector<std::string>& names, const char* key, std::size_t least) {
  const std::set<std::string> different(names.begin(), names.end());
  if (names.size() < least || different.size() != names.size() || different.contains("")) {
    return std::string(key) + " must be a list of " + std::to_string(least) + " or more different names";
  }
  return {};
}

std::string fault(const GaussianComponent& component, CovarianceShape shape, Index features) {
  if (!(component.weight >= 0 && component.weight <= 1)) return "Weight must lie in [0, 1]";
  if (component.mean.size() != features || !component.mean.allFinite()) return "Mean must be one number per feature";
  const Matrix& covariance = component.covariance;
  const bool square = covariance.rows() == features && covariance.cols() == features && covariance.allFinite();
  if (!square) return "Covariance must be one number per feature if diagonal, a list of D x D numbers if full";
  const bool positive = (covariance.diagonal().array() > 0).all();
  if (!positive || covariance != covariance.transpose()) return "Covariance must be symmetric, its variances above 0";
  const bool diagonal = covariance.isDiagonal(0);
  if (shape == CovarianceShape::diagonal && !diagonal) return "Covariance must be diagonal";
  return {};
}

std::string fault(const MixtureEmission& mixture) {
  if (std::string why = fault(mixture.states, "Emission.States", 2); !why.empty()) return why;
  if (std::string why = fault(mixture.features, "Emission.Features", 1); !why.empty()) return why;
  if (mixture.mixtures.size() != mixture.states.size()) return "Emission.Components must have one list per state";
  for (std::size_t s = 0; s < mixture.states.size(); ++s) {
    const std::string place = "Emission.Components of state " + mixture.states[s] + ": ";
    double total = 0;
    for (const GaussianComponent& component : mixture.mixtures[s]) {
      const std::string why = fault(component, mixture.shape, std::ssize(mixture.features));
      if (!why.empty()) return place + why;
      total += component.weight;
    }
    if (!(std::abs(total - 1) <= sum_tolerance))
      return place + "the weights must sum to 1, not to " + number_text(total);
  }
  return {};
}

// Numbers that do not fit make an empty matrix, which fault() refuses with the state's name.
Matrix covariance_from(const std::vector<double>& numbers, CovarianceShape shape, Index features) {
  if (shape == CovarianceShape::diagonal && std::ssize(numbers) == features) {
    return Eigen::Map<const Eigen::VectorXd>(numbers.data(), features).asDiagonal();
  }
  if (shape == CovarianceShape::full && std::ssize(numbers) == features * features) {
    return Eigen::Map<const Matrix>(numbers.data(), features, features);
  }
  return {};
}

MixtureEmission parse_mixture(const JsonObject& json) {
  MixtureEmission mixture{.shape = parse_shape(json.text("Covariance")),
                          .states = json.texts("States"),
                          .features = json.texts("Features"),
                          .mixtures = std::vector<std::vector<GaussianComponent>>(json.texts("States").size())};
  for (const JsonObject& component : json.objects("Components")) {
    const std::string state = component.text("State");
    const auto found = std::ranges::find(mixture.states, state);
    if (found == mixture.states.end()) {
      throw Error(ErrorKind::bad_data,
                  "key Emission.Components names the state '" + state + "', which is not in States");
    }
    const std::vector<double> mean = component.numbers("Mean");
    mixture.mixtures[static_cast<std::size_t>(found - mixture.states.begin())].push_back(
        {.weight = component.number("Weight"),
         .mean = Eigen::Map<const Eigen::VectorXd>(mean.data(), std::ssize(mean)),
         .covariance = covariance_from(component.numbers("Covariance"), mixture.shape, std::ssize(mixture.features))});
  }
  return mixture;
}

// Why the emission makes no sense, beginning with the key; empty if it does.
std::string fault_of(const Emission& emission) {
  return std::visit([](const auto& one) { return fault(one); }, emission);
}

Emission parse_emission(const JsonObject& json) {
  const std::string kind = json.text("Kind");
  if (kind == "fisher-gaussian" || kind == "gaussian") {
    return GaussianEmission{kind == "fisher-gaussian",    parse_spread(json.text("Spread")),
                            json.number("MuAttended"),    json.number("MuUnattended"),
                            json.number("SigmaAttended"), json.number("SigmaUnattended"),
                            json.number("Correlation")};
  }
  if (kind == "softmax") return SoftmaxEmission{json.numbers("ClassPriors")};
  if (kind == "probability") return ProbabilityEmission{json.numbers("ClassPriors")};
  if (kind == "hard-decision") return HardDecisionEmission{json.number("Accuracy")};
  if (kind == "mixture") return parse_mixture(json);
  if (kind == "log-likelihood") return GivenLogLikelihoods{};
  throw Error(ErrorKind::unsupported,
              "key Emission.Kind is '" + kind +
                  "'; this heed knows fisher-gaussian, gaussian, softmax, probability, hard-decision, mixture and "
                  "log-likelihood. Update heed, or fit again");
}

// ---- models ----

using Json = nlohmann::ordered_json;

constexpr FileFormat file_format{"heed-model", "model", model_format_version, "fit"};

std::string fault_of(const Dependence& dependence, const Emission& emission, double temperature) {
  const auto* gaussian = std::get_if<GaussianEmission>(&emission);
  if (gaussian == nullptr || gaussian->spread == Spread::separate) {
    return "Dependence needs a Gaussian Emission whose Spread is shared or exchangeable";
  }
  if (!(dependence.autocorrelation >= 0 && dependence.autocorrelation < 1)) {
    return "Dependence.Autocorrelation must be at least 0 and below 1, not " + number_text(dependence.autocorrelation);
  }
  if (!(dependence.offset_sigma >= 0) || !std::isfinite(dependence.offset_sigma)) {
    return "Dependence.OffsetSigma must be at least 0";
  }
  return temperature == 1 ? "" : "Temperature must be 1 where there is a Dependence";
}

void check(const Model& model, ErrorKind kind) {
  std::string fault = fault_of(model.emission);
  if (model.dependence && fault.empty()) fault = fault_of(*model.dependence, model.emission, model.temperature);
  if (!(model.temperature > 0) || !std::isfinite(model.temperature)) fault = "Temperature must be greater than 0";
  if (!(model.window.value > 0) || !std::isfinite(model.window.value)) fault = "WindowLength must be greater than 0";
  if (!(model.hop.value > 0) || model.hop > model.window)
    fault = "HopLength must be greater than 0 and at most WindowLength";
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
  const auto counted = [](std::size_t n, const std::string& noun) {
    return ", " + std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
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

bool is_of_steps(const JsonObject& json) {
  if (!json.has("ScoreType")) return false;
  const std::string word = json.text("ScoreType");
  const auto type = data::score_type_named(word);
  if (type) return type == ScoreType::step_cosine;
  throw Error(ErrorKind::bad_data,
              "key ScoreType is '" + word + "'; write " + std::string(data::score_type_words) + ", or leave it out");
}

}  // namespace

Model parse_model(std::string_view text) {
  const JsonObject json = JsonObject::parse(text);
  check_format(json, file_format);
  const double window = json.number("WindowLength");
  Model model{.emission = parse_emission(json.object("Emission")),
              .window = Seconds{window},
              .hop = Seconds{json.has("HopLength") ? json.number("HopLength") : window},
              .steps = is_of_steps(json),
              .participants = json.count("Participants"),
              .origin = json.text("Origin"),
              .temperature = json.has("Temperature") ? json.number("Temperature") : 1};
  if (json.has("Dependence")) {
    const JsonObject dependence = json.object("Dependence");
    model.dependence = {.autocorrelation = dependence.number("Autocorrelation"),
                        .offset_sigma = dependence.number("OffsetSigma")};
  }
  check(model, ErrorKind::bad_data);
  return model;
}

std::string model_text(const Model& model) {
  check(model, ErrorKind::invalid_argument);
  Json json;
  json["Format"] = file_format.name;
  json["FormatVersion"] = model.dependence ? model_format_version : 1;
  json["HeedVersion"] = version();
  json["WindowLength"] = model.window.value;
  if (model.hop != model.window) json["HopLength"] = model.hop.value;
  if (model.steps) json["ScoreType"] = data::name_of(ScoreType::step_cosine);
  json["Participants"] = model.participants;
  json["Origin"] = model.origin;
  json["Temperature"] = model.temperature;
  json["Emission"] = to_json(model.emission);
  if (model.dependence) {
    json["Dependence"] = {{"Autocorrelation", model.dependence->autocorrelation},
                          {"OffsetSigma", model.dependence->offset_sigma}};
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Model read_model(const std::filesystem::path& path) { return parse_file(path, parse_model); }

void write_model(const std::filesystem::path& path, const Model& model) { write_text_file(path, model_text(model)); }

std::string describe(const Emission& emission) {
  return std::string(kind_of(emission)) + std::visit([](const auto& one) { return details(one); }, emission);
}

std::string describe(const Model& model) {
  std::string text = describe(model.emission);
  if (model.temperature != 1) text += ", temperature " + number_text(model.temperature);
  if (model.dependence) text += ", autocorrelation " + number_text(model.dependence->autocorrelation);
  if (model.dependence && model.dependence->offset_sigma > 0) {
    text += ", offset of sigma " + number_text(model.dependence->offset_sigma) + " per trial";
  }
  return text;
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

Matrix read_chain(const std::filesystem::path& path) { return parse_file(path, parse_chain); }

}  // namespace heed::io
