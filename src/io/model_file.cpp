// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/atomic_file.h>
#include <heed/io/model_file.h>
#include <heed/io/text_file.h>
#include <heed/io/tsv.h>
#include <io/json/json_object.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_name = "heed-model";

std::string_view kind_of(const Emission& emission) {
  if (const auto* gaussian = std::get_if<GaussianEmission>(&emission)) {
    return gaussian->fisher ? "fisher-gaussian" : "gaussian";
  }
  return std::holds_alternative<SoftmaxEmission>(emission) ? "softmax" : "log-likelihood";
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

Spread parse_spread(const std::string& name) {
  for (const Spread spread : {Spread::shared, Spread::separate, Spread::exchangeable}) {
    if (name == name_of(spread)) return spread;
  }
  throw Error(ErrorKind::unsupported,
              "key Emission.Spread is '" + name +
                  "'; this heed knows shared, separate and exchangeable. Update heed, or fit again");
}

// Why the emission makes no sense; empty if it does.
std::string fault_of(const GaussianEmission& gaussian) {
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

std::string fault_of(const SoftmaxEmission& softmax) {
  constexpr double tolerance = 1e-6;
  const auto& priors = softmax.class_priors;
  if (priors.empty()) return {};
  if (!std::ranges::all_of(priors, [](double prior) { return prior > 0 && prior <= 1; })) {
    return "Emission.ClassPriors must each be greater than 0 and at most 1";
  }
  const double sum = std::accumulate(priors.begin(), priors.end(), 0.0);
  if (std::abs(sum - 1) > tolerance) return "Emission.ClassPriors must sum to 1, not to " + number_text(sum);
  if (priors.size() < 2) return "Emission.ClassPriors must be empty (uniform) or one a speaker";
  return {};
}

std::string fault_of(const GivenLogLikelihoods&) { return {}; }

void check(const Model& model, ErrorKind kind) {
  std::string fault = std::visit([](const auto& emission) { return fault_of(emission); }, model.emission);
  if (!(model.window.value > 0) || !std::isfinite(model.window.value)) fault = "WindowLength must be greater than 0";
  if (!fault.empty()) throw Error(kind, "key " + fault);
}

Json to_json(const Emission& emission) {
  Json json{{"Kind", kind_of(emission)}};
  if (const auto* gaussian = std::get_if<GaussianEmission>(&emission)) {
    json["Spread"] = name_of(gaussian->spread);
    json["MuAttended"] = gaussian->mu_attended;
    json["MuUnattended"] = gaussian->mu_unattended;
    json["SigmaAttended"] = gaussian->sigma_attended;
    json["SigmaUnattended"] = gaussian->sigma_unattended;
    json["Correlation"] = gaussian->correlation;
  } else if (const auto* softmax = std::get_if<SoftmaxEmission>(&emission)) {
    json["ClassPriors"] = softmax->class_priors;
  }
  return json;
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
  if (kind == "log-likelihood") return GivenLogLikelihoods{};
  throw Error(
      ErrorKind::unsupported,
      "key Emission.Kind is '" + kind +
          "'; this heed knows fisher-gaussian, gaussian, softmax and log-likelihood. Update heed, or fit again");
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

}  // namespace

Model parse_model(std::string_view text) {
  const JsonObject json = JsonObject::parse(text);
  check_format(json);
  Model model{parse_emission(json.object("Emission")), Seconds{json.number("WindowLength")}, json.count("Participants"),
              json.text("Origin")};
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
  std::string text(kind_of(emission));
  if (const auto* gaussian = std::get_if<GaussianEmission>(&emission)) {
    text += ", " + std::string(name_of(gaussian->spread)) + " sigma: mu " + number_text(gaussian->mu_attended) + " / " +
            number_text(gaussian->mu_unattended) + ", sigma " + number_text(gaussian->sigma_attended);
    if (gaussian->spread == Spread::separate) text += " / " + number_text(gaussian->sigma_unattended);
    if (gaussian->spread == Spread::exchangeable) text += ", correlation " + number_text(gaussian->correlation);
  } else if (const auto* softmax = std::get_if<SoftmaxEmission>(&emission);
             softmax != nullptr && !softmax->class_priors.empty()) {
    text += ", class priors";
    for (const double prior : softmax->class_priors) text += " " + number_text(prior);
  }
  return text;
}

}  // namespace heed::io
