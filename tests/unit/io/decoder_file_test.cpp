// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/model_file.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "support/expect_error.h"
#include "support/io_temporary_folder.h"

namespace heed::io {
namespace {

using Json = nlohmann::ordered_json;

Decoder common_part() {
  Decoder decoder;
  decoder.channels = {"Fz", "Cz", "Pz"};
  decoder.eeg_lags = {0, 1};
  decoder.preprocessing.filters = FilterMode::causal;
  decoder.preprocessing.low = Hertz{0.1};  // no finite binary fraction
  decoder.preprocessing.reference = {ReferenceKind::channels, {"TP9", "TP10"}};
  decoder.eeg_scales = {Eigen::Vector3d(0, 1e-3, -2.0 / 3), Eigen::Vector3d(1, 2, 1.0 / 3)};
  decoder.stimulus_scales = {Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 0.7)};
  decoder.participants = 2;
  decoder.origin = "two listeners";
  decoder.runs = {"sub-01_task-attend_run-01", "sub-02_task-attend_run-01"};
  return decoder;
}

Decoder least_squares() {
  Decoder decoder = common_part();
  decoder.filters = LeastSquaresDecoder{Matrix{{0.1, 1.0 / 3, -1e-300}, {2, 3, 4}}};
  return decoder;
}

Decoder cca() {
  Decoder decoder = common_part();
  decoder.stimulus_lags = {-1, 0};
  CcaDecoder filters;
  filters.eeg_filters = {Matrix::Constant(2, 3, 1.0 / 3), Matrix::Constant(2, 3, -0.25)};
  filters.stimulus_filters = {Matrix::Constant(2, 1, 0.1), Matrix::Constant(2, 1, 0.3)};
  filters.discriminant = {Eigen::Vector2d(3.5, -0.1), -0.7};
  filters.window = Seconds{2.5};
  decoder.filters = filters;
  return decoder;
}

void expect_same_common_part(const Decoder& a, const Decoder& b) {
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.eeg_lags, b.eeg_lags);
  EXPECT_EQ(a.stimulus_lags, b.stimulus_lags);
  EXPECT_EQ(a.preprocessing.low, b.preprocessing.low);
  EXPECT_EQ(a.preprocessing.filters, b.preprocessing.filters);
  EXPECT_EQ(a.preprocessing.reference.kind, b.preprocessing.reference.kind);
  EXPECT_EQ(a.preprocessing.reference.channels, b.preprocessing.reference.channels);
  EXPECT_EQ(a.eeg_scales.mean, b.eeg_scales.mean);
  EXPECT_EQ(a.eeg_scales.deviation, b.eeg_scales.deviation);
  EXPECT_EQ(a.stimulus_scales.deviation, b.stimulus_scales.deviation);
  EXPECT_EQ(a.participants, b.participants);
  EXPECT_EQ(a.origin, b.origin);
  EXPECT_EQ(a.runs, b.runs);
}

void expect_refused(const Decoder& good, const std::string& key, const Json& value, const std::string& named) {
  Json json = Json::parse(decoder_text(good));
  json[Json::json_pointer(key)] = value;
  test::expect_error(ErrorKind::bad_data, {named}, [&] { (void)parse_decoder(json.dump()); });
}

TEST(DecoderFile, ReadsBackLeastSquaresToTheBit) {
  const Decoder written = least_squares();
  const Decoder read = parse_decoder(decoder_text(written));
  expect_same_common_part(read, written);
  EXPECT_EQ(std::get<LeastSquaresDecoder>(read.filters).weights,
            std::get<LeastSquaresDecoder>(written.filters).weights);
}

TEST(DecoderFile, ReadsBackCcaToTheBit) {
  const Decoder written = cca();
  const Decoder read = parse_decoder(decoder_text(written));
  expect_same_common_part(read, written);
  const auto& a = std::get<CcaDecoder>(read.filters);
  const auto& b = std::get<CcaDecoder>(written.filters);
  EXPECT_EQ(a.eeg_filters, b.eeg_filters);
  EXPECT_EQ(a.stimulus_filters, b.stimulus_filters);
  EXPECT_EQ(a.discriminant.weights, b.discriminant.weights);
  EXPECT_EQ(a.discriminant.bias, b.discriminant.bias);
  EXPECT_EQ(a.window, b.window);
}

TEST(DecoderFile, KeepsTargetsInAVersionThatOlderReadersRefuse) {
  Decoder written = cca();
  EXPECT_EQ(Json::parse(decoder_text(written))["FormatVersion"], 1) << "of envelopes it is what it always was";
  EXPECT_FALSE(Json::parse(decoder_text(written))["Preprocessing"].contains("Targets"));
  EXPECT_EQ(parse_decoder(decoder_text(written)).preprocessing.targets, std::vector{SpeechTarget::envelope});
  written.preprocessing.targets = {SpeechTarget::onset};
  written.targets = {"onset"};
  EXPECT_EQ(Json::parse(decoder_text(written))["FormatVersion"], 2);
  const Decoder read = parse_decoder(decoder_text(written));
  EXPECT_EQ(read.preprocessing.targets, written.preprocessing.targets);
  expect_same_common_part(read, written);
}

TEST(DecoderFile, KeepsTheRuleOfScoresInAVersionThatOlderReadersRefuse) {
  Decoder written = least_squares();
  EXPECT_FALSE(Json::parse(decoder_text(written)).contains("ScoreRule")) << "by Pearson's it is what it always was";
  written.rule = {WindowMeasure::cosine, 1.0 / 3, std::nullopt};
  EXPECT_EQ(Json::parse(decoder_text(written))["FormatVersion"], 2);
  EXPECT_EQ(parse_decoder(decoder_text(written)).rule, written.rule);
  written.rule.memory = Seconds{0.1};
  EXPECT_EQ(parse_decoder(decoder_text(written)).rule, written.rule);
  EXPECT_EQ(describe(written).find(", shrunk cosine 0.333"),
            std::string("least squares, 3 channels, lags 0 ... 1").size());
  expect_refused(written, "/ScoreRule/Measure", "sine", "'sine', none of pearson, cosine");
  expect_refused(written, "/ScoreRule/Shrinkage", -1, "Shrinkage");
  expect_refused(written, "/ScoreRule/Memory", 0, "Memory");
  Json without = Json::parse(decoder_text(written));
  without.erase("ScoreRule");
  test::expect_error(ErrorKind::bad_data, {"ScoreRule"}, [&] { (void)parse_decoder(without.dump()); });
  written.rule.shrinkage = std::numeric_limits<double>::infinity();
  test::expect_error(ErrorKind::invalid_argument, {"ScoreRule.Shrinkage"}, [&] { (void)decoder_text(written); });
}

TEST(DecoderFile, KeepsWeightsOfSeveralTargetsOneBelowTheOther) {
  Decoder written = least_squares();
  written.targets = {"envelope", "onset"};
  written.preprocessing.targets = {SpeechTarget::envelope, SpeechTarget::onset};
  written.stimulus_scales = {Eigen::Vector2d(0, 0), Eigen::Vector2d(1, 2)};
  test::expect_error(ErrorKind::invalid_argument, {"Weights is not 2 targets x 2 lags x 3 columns"},
                     [&] { (void)decoder_text(written); });
  written.filters = LeastSquaresDecoder{Matrix{{1, 2, 3}, {4, 5, 6}, {0.1, 0.2, 0.3}, {-1, -2, 1.0 / 3}}};
  const Decoder read = parse_decoder(decoder_text(written));
  EXPECT_EQ(read.targets, written.targets);
  EXPECT_EQ(std::get<LeastSquaresDecoder>(read.filters).weights,
            std::get<LeastSquaresDecoder>(written.filters).weights);
}

TEST(DecoderFile, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "decoder.json";
  write_decoder(path, cca());
  EXPECT_EQ(read_decoder(path).channels.size(), 3U);
  test::expect_error(ErrorKind::not_found, {"other.json"}, [&] { (void)read_decoder(folder.path() / "other.json"); });
  folder.write("decoder.json", R"({"Format": "heed-model"})");
  test::expect_error(ErrorKind::bad_data, {"decoder.json", "train one"}, [&] { (void)read_decoder(path); });
}

TEST(DecoderFile, EveryMissingKeyIsNamed) {
  const Json whole = Json::parse(decoder_text(cca()));
  for (const auto& [key, value] : whole.items()) {
    if (key == "HeedVersion") continue;
    Json without = whole;
    without.erase(key);
    test::expect_error(ErrorKind::bad_data, {key}, [&] { (void)parse_decoder(without.dump()); });
  }
}

TEST(DecoderFile, SizesMustFitTogether) {
  expect_refused(least_squares(), "/Weights", {1, 2, 3}, "2 lags x 3 columns");
  expect_refused(least_squares(), "/Channels", Json::array(), "0 columns");
  expect_refused(least_squares(), "/EegLags", {0, 1e12}, "EegLags");
  expect_refused(least_squares(), "/EegLags", {1, 0}, "EegLags");
  expect_refused(least_squares(), "/EegScales/Deviation", {1, 2, 0}, "EegScales");
  expect_refused(cca(), "/Pairs", Json::array(), "Pairs");
  expect_refused(cca(), "/Pairs/1/StimulusFilter", {1}, "StimulusFilter");
  expect_refused(cca(), "/Discriminant/Weights", {1}, "Discriminant.Weights");
}

TEST(DecoderFile, PreprocessingMustMakeSense) {
  expect_refused(cca(), "/Preprocessing/HighEdge", 40, "half the SamplingFrequency");
  expect_refused(cca(), "/Preprocessing/LowEdge", 9, "HighEdge");
  expect_refused(cca(), "/Preprocessing/Filters", "magic", "zero-phase, causal");
  expect_refused(cca(), "/Preprocessing/ReferenceChannels", Json::array(), "ReferenceChannels");
  expect_refused(cca(), "/Preprocessing/Clip", -1, "Clip");
  expect_refused(cca(), "/Preprocessing/Targets", Json::array(), "Targets names none");
  expect_refused(cca(), "/Preprocessing/Targets", {"onset", "onset"}, "twice");
  expect_refused(cca(), "/Preprocessing/Targets", {"pitch"}, "'pitch', none of envelope, onset");
  expect_refused(cca(), "/Preprocessing/Targets", "onset", "Targets");
}

TEST(DecoderFile, NewerVersionsAndUnknownKindsAreUnsupported) {
  Json json = Json::parse(decoder_text(cca()));
  for (const std::size_t version : {std::size_t{0}, decoder_format_version + 1}) {
    json["FormatVersion"] = version;
    test::expect_error(ErrorKind::unsupported, {"train it again"}, [&] { (void)parse_decoder(json.dump()); });
  }
  json["FormatVersion"] = 1;
  json["Kind"] = "forest";
  test::expect_error(ErrorKind::unsupported, {"forest", "least-squares"}, [&] { (void)parse_decoder(json.dump()); });
}

TEST(DecoderFile, WhatCannotBeReadBackIsNotWritten) {
  Decoder decoder = least_squares();
  std::get<LeastSquaresDecoder>(decoder.filters).weights(0, 0) = std::numeric_limits<double>::quiet_NaN();
  test::expect_error(ErrorKind::invalid_argument, {"Weights"}, [&] { (void)decoder_text(decoder); });
}

TEST(DecoderFile, IsDescribedInALine) {
  EXPECT_EQ(describe(least_squares()),
            "least squares, 3 channels, lags 0 ... 1; 0.1 ... 9 Hz, causal, 64 Hz, reference TP9 TP10");
  EXPECT_EQ(describe(Preprocessing{.clip = 5}),
            "1 ... 9 Hz, zero-phase, 64 Hz, average reference, artefacts clipped at 5 deviations");
  EXPECT_EQ(describe(Preprocessing{.targets = {SpeechTarget::onset}}),
            "1 ... 9 Hz, zero-phase, 64 Hz, average reference, target onset");
  EXPECT_EQ(describe(Preprocessing{.targets = {SpeechTarget::envelope, SpeechTarget::onset}}),
            "1 ... 9 Hz, zero-phase, 64 Hz, average reference, targets envelope and onset");
}

}  // namespace
}  // namespace heed::io
