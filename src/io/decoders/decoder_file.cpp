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
#include <nlohmann/json.hpp>

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr FileFormat file_format{"heed-decoder", "decoder", decoder_format_version, "train"};
constexpr std::string_view least_squares = "least-squares";
constexpr std::string_view cca = "cca";

std::vector<double> list(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }
std::vector<double> list(const Eigen::VectorXd& vector) { return {vector.begin(), vector.end()}; }

Eigen::VectorXd vector_of(const std::vector<double>& numbers) {
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), std::ssize(numbers));
}

// ---- writing ----

Json json_of(const LeastSquaresDecoder& decoder) { return {{"Weights", list(decoder.weights)}}; }

Json json_of(const CcaDecoder& decoder) {
  Json pairs = Json::array();
  for (std::size_t k = 0; k < decoder.eeg_filters.size(); ++k) {
    pairs.push_back(
        {{"EegFilter", list(decoder.eeg_filters[k])}, {"StimulusFilter", list(decoder.stimulus_filters[k])}});
  }
  return {{"WindowLength", decoder.window.value},
          {"Discriminant", {{"Weights", list(decoder.discriminant.weights)}, {"Bias", decoder.discriminant.bias}}},
          {"Pairs", pairs}};
}

Json json_of(const SignalScales& scales) {
  return {{"Mean", list(scales.mean)}, {"Deviation", list(scales.deviation)}};
}

std::string compact(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// A key per line, a pair per line: a number per line would make files of ten thousand lines.
std::string a_key_a_line(const Json& json) {
  std::string text = "{";
  for (const auto& [key, value] : json.items()) {
    text += std::string(text.size() == 1 ? "" : ",") + "\n  " + compact(key) + ": ";
    if (!value.is_array() || value.empty() || !value.front().is_object()) {
      text += compact(value);
      continue;
    }
    for (std::size_t k = 0; k < value.size(); ++k) text += (k == 0 ? "[\n    " : ",\n    ") + compact(value[k]);
    text += "\n  ]";
  }
  return text + "\n}\n";
}

std::string_view kind_of(const Decoder& decoder) {
  return std::holds_alternative<LeastSquaresDecoder>(decoder.filters) ? least_squares : cca;
}

// Version 1 knows envelopes and Pearson's correlation alone.
std::size_t version_of(const Decoder& decoder) {
  const bool as_ever =
      decoder.preprocessing.targets == Preprocessing{}.targets && decoder.rule.measure == WindowMeasure::pearson;
  return as_ever ? 1 : decoder_format_version;
}

// ---- what must fit together ----

struct Shape {
  Index lags = 0;
  Index columns = 0;
  Index targets = 1;  // one below the other
  [[nodiscard]] Index rows() const { return targets * lags; }
  [[nodiscard]] std::string text() const {
    return (targets == 1 ? "" : std::to_string(targets) + " targets x ") + std::to_string(lags) + " lags x " +
           std::to_string(columns) + " columns";
  }
};

Shape eeg_shape(const Decoder& decoder) { return {decoder.eeg_lags.count(), std::ssize(decoder.channels)}; }
Shape weights_shape(const Decoder& decoder) {
  return {decoder.eeg_lags.count(), std::ssize(decoder.channels), std::ssize(decoder.targets)};
}
Shape stimulus_shape(const Decoder& decoder) { return {decoder.stimulus_lags.count(), std::ssize(decoder.targets)}; }

bool fits(const Matrix& matrix, Shape shape) {
  return matrix.rows() == shape.rows() && matrix.cols() == shape.columns && matrix.allFinite();
}

bool fits(const SignalScales& scales, Index count) {
  return scales.mean.size() == count && scales.deviation.size() == count && scales.mean.allFinite() &&
         scales.deviation.allFinite() && (scales.deviation.array() > 0).all();
}

std::string fault_of(const LeastSquaresDecoder& filters, const Decoder& decoder) {
  return fits(filters.weights, weights_shape(decoder)) ? "" : "Weights is not " + weights_shape(decoder).text();
}

std::string fault_of(const CcaDecoder& filters, const Decoder& decoder) {
  if (filters.eeg_filters.empty()) return "Pairs is empty";
  if (filters.eeg_filters.size() != filters.stimulus_filters.size()) return "Pairs is not complete";
  if (filters.discriminant.weights.size() != std::ssize(filters.eeg_filters) ||
      !filters.discriminant.weights.allFinite()) {
    return "Discriminant.Weights does not hold one number per pair";
  }
  if (!(filters.window.value > 0)) return "WindowLength must be greater than 0";
  const auto wrong = [](const auto& filter, Shape shape) { return !fits(filter, shape); };
  if (std::ranges::any_of(filters.eeg_filters, [&](const Matrix& one) { return wrong(one, eeg_shape(decoder)); })) {
    return "Pairs.EegFilter is not " + eeg_shape(decoder).text();
  }
  if (std::ranges::any_of(filters.stimulus_filters,
                          [&](const Matrix& one) { return wrong(one, stimulus_shape(decoder)); })) {
    return "Pairs.StimulusFilter is not " + stimulus_shape(decoder).text();
  }
  return {};
}

std::string fault_of(const Decoder& decoder) {
  if (decoder.channels.empty()) return "Channels is empty";
  if (decoder.targets.empty()) return "Targets is empty";
  if (decoder.eeg_lags.count() < 1) return "EegLags ends before it begins";
  if (decoder.stimulus_lags.count() < 1) return "StimulusLags ends before it begins";
  if (!fits(decoder.eeg_scales, std::ssize(decoder.channels))) return "EegScales does not hold one scale per channel";
  if (!fits(decoder.stimulus_scales, std::ssize(decoder.targets))) {
    return "StimulusScales does not hold one scale per target";
  }
  if (std::string fault = heed::io::fault_of(decoder.preprocessing); !fault.empty()) return "Preprocessing." + fault;
  if (std::string fault = heed::io::fault_of(decoder.rule); !fault.empty()) return "ScoreRule." + fault;
  return std::visit([&](const auto& filters) { return fault_of(filters, decoder); }, decoder.filters);
}

// ---- reading ----

Matrix matrix_of(const std::vector<double>& numbers, Shape shape, const std::string& key) {
  if (std::ssize(numbers) != shape.rows() * shape.columns) {
    throw Error(ErrorKind::bad_data,
                "key " + key + " holds " + std::to_string(numbers.size()) + " numbers, not " + shape.text());
  }
  return Eigen::Map<const Matrix>(numbers.data(), shape.rows(), shape.columns);
}

SignalScales parse_scales(const JsonObject& json) {
  return {vector_of(json.numbers("Mean")), vector_of(json.numbers("Deviation"))};
}

CcaDecoder parse_cca(const JsonObject& json, const Decoder& decoder) {
  CcaDecoder result;
  result.window = Seconds{json.positive("WindowLength")};
  const JsonObject discriminant = json.object("Discriminant");
  result.discriminant = {vector_of(discriminant.numbers("Weights")), discriminant.number("Bias")};
  for (const JsonObject& pair : json.objects("Pairs")) {
    result.eeg_filters.push_back(matrix_of(pair.numbers("EegFilter"), eeg_shape(decoder), "Pairs.EegFilter"));
    result.stimulus_filters.push_back(
        matrix_of(pair.numbers("StimulusFilter"), stimulus_shape(decoder), "Pairs.StimulusFilter"));
  }
  return result;
}

void parse_filters(const JsonObject& json, Decoder& decoder) {
  const std::string kind = json.text("Kind");
  if (kind == least_squares) {
    decoder.filters = LeastSquaresDecoder{matrix_of(json.numbers("Weights"), weights_shape(decoder), "Weights")};
  } else if (kind == cca) {
    decoder.filters = parse_cca(json, decoder);
  } else {
    throw Error(ErrorKind::unsupported, "key Kind is '" + kind + "'; this heed knows least-squares and cca");
  }
}

}  // namespace

Decoder parse_decoder(std::string_view text) {
  const JsonObject json = JsonObject::parse(text);
  check_format(json, file_format);
  Decoder decoder;
  decoder.channels = json.texts("Channels");
  decoder.targets = json.texts("Targets");
  decoder.eeg_lags = parse_lags(json, "EegLags");
  decoder.stimulus_lags = parse_lags(json, "StimulusLags");
  decoder.preprocessing = parse_preprocessing(json.object("Preprocessing"));
  if (json.count("FormatVersion") > 1) decoder.rule = parse_score_rule(json.object("ScoreRule"));
  decoder.eeg_scales = parse_scales(json.object("EegScales"));
  decoder.stimulus_scales = parse_scales(json.object("StimulusScales"));
  decoder.participants = json.count("Participants");
  decoder.origin = json.text("Origin");
  decoder.runs = json.texts("Runs");
  parse_filters(json, decoder);
  if (const std::string fault = fault_of(decoder); !fault.empty()) throw Error(ErrorKind::bad_data, "key " + fault);
  return decoder;
}

std::string decoder_text(const Decoder& decoder) {
  if (const std::string fault = fault_of(decoder); !fault.empty()) {
    throw Error(ErrorKind::invalid_argument, "key " + fault);
  }
  Json json{{"Format", file_format.name},
            {"FormatVersion", version_of(decoder)},
            {"HeedVersion", version()},
            {"Kind", kind_of(decoder)},
            {"Participants", decoder.participants},
            {"Origin", decoder.origin},
            {"Runs", decoder.runs},
            {"Preprocessing", Json::parse(preprocessing_text(decoder.preprocessing))},
            {"Channels", decoder.channels},
            {"Targets", decoder.targets},
            {"EegLags", {decoder.eeg_lags.first, decoder.eeg_lags.last}},
            {"StimulusLags", {decoder.stimulus_lags.first, decoder.stimulus_lags.last}},
            {"EegScales", json_of(decoder.eeg_scales)},
            {"StimulusScales", json_of(decoder.stimulus_scales)}};
  if (version_of(decoder) > 1) json["ScoreRule"] = Json::parse(score_rule_text(decoder.rule));
  json.update(std::visit([](const auto& filters) { return json_of(filters); }, decoder.filters));
  return a_key_a_line(json);
}

Decoder read_decoder(const std::filesystem::path& path) { return parse_file(path, parse_decoder); }

void write_decoder(const std::filesystem::path& path, const Decoder& decoder) {
  write_text_file(path, decoder_text(decoder));
}

std::string describe(const Preprocessing& preprocessing) {
  std::string text = number_text(preprocessing.low.value) + " ... " + number_text(preprocessing.high.value) + " Hz, " +
                     std::string(name_of(preprocessing.filters)) + ", " +
                     number_text(preprocessing.sampling_frequency.value) + " Hz, ";
  switch (preprocessing.reference.kind) {
    case ReferenceKind::none:
      text += "reference as recorded";
      break;
    case ReferenceKind::average:
      text += "average reference";
      break;
    case ReferenceKind::channels:
      text += "reference";
      for (const std::string& name : preprocessing.reference.channels) text += " " + name;
      break;
  }
  if (preprocessing.clip > 0) text += ", artefacts clipped at " + number_text(preprocessing.clip) + " deviations";
  if (preprocessing.targets == Preprocessing{}.targets) return text;
  const auto targets = names_of(preprocessing.targets);
  text += targets.size() == 1 ? ", target " : ", targets ";
  for (std::size_t k = 0; k < targets.size(); ++k) text += (k == 0 ? "" : " and ") + targets[k];
  return text;
}

std::string describe(const ScoreRule& rule) {
  if (rule.measure == WindowMeasure::pearson) return "Pearson's correlation";
  return "shrunk cosine " + number_text(rule.shrinkage) +
         (rule.memory ? " with a memory of " + number_text(rule.memory->value) + " s" : "");
}

std::string describe(const Decoder& decoder) {
  const auto* pairs = std::get_if<CcaDecoder>(&decoder.filters);
  const bool pearson = decoder.rule.measure == WindowMeasure::pearson;
  return (pairs == nullptr ? "least squares" : "CCA, " + std::to_string(pairs->eeg_filters.size()) + " pairs") + ", " +
         std::to_string(decoder.channels.size()) + " channels, lags " + std::to_string(decoder.eeg_lags.first) +
         " ... " + std::to_string(decoder.eeg_lags.last) + (pearson ? "" : ", " + describe(decoder.rule)) + "; " +
         describe(decoder.preprocessing);
}

}  // namespace heed::io
