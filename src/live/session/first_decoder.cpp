// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <live/session/first_decoder.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heed::live {
namespace {

// Finds no response in anything, but waits as long as the decoder that is to be trained: its windows are missing.
Decoder untrained(const StreamDescription& stream, const CalibrationOptions& calibration,
                  std::vector<std::string> channels = {}) {
  check_causal(calibration.preprocessing);
  Decoder decoder;
  decoder.channels = std::move(channels);
  if (decoder.channels.empty()) decoder.channels = good_channels(stream, calibration.preprocessing);
  decoder.targets = io::names_of(calibration.preprocessing.targets);
  decoder.eeg_lags = calibration.eeg_lags;
  decoder.preprocessing = calibration.preprocessing;
  decoder.rule = calibration.rule;
  decoder.filters = LeastSquaresDecoder{
      Matrix::Zero(calibration.eeg_lags.count() * std::ssize(decoder.targets), std::ssize(decoder.channels))};
  return decoder;
}

// Likewise one that learns, but it looks at all channels alike.
Decoder unlearnt(const StreamDescription& stream, const AdaptiveSession& adaptive) {
  Decoder decoder = untrained(stream,
                              {.preprocessing = adaptive.preprocessing,
                               .eeg_lags = adaptive.eeg_lags,
                               .rule = {.measure = WindowMeasure::cosine, .memory = Seconds{60}}},
                              adaptive.channels);
  std::get<LeastSquaresDecoder>(decoder.filters).weights.setOnes();
  return decoder;
}

}  // namespace

void check_causal(const Preprocessing& preprocessing) {
  if (preprocessing.filters == FilterMode::causal) return;
  throw Error(ErrorKind::invalid_argument,
              "the decoder was trained on zero-phase signals, which a live stream does not have; train it with causal "
              "filters");
}

dsp::EegSource source_of(const StreamDescription& stream) {
  return {.sampling_frequency = stream.sampling_frequency, .channels = stream.channels, .bad = stream.bad};
}

std::vector<std::string> good_channels(const StreamDescription& stream, const Preprocessing& preprocessing) {
  return dsp::LiveEegPreparer(preprocessing, source_of(stream)).channels();
}

Decoder first_decoder(const StreamDescription& stream, const SessionOptions& options) {
  const std::array chosen = {options.decoder.has_value(), options.calibration.has_value(),
                             options.adaptive.has_value()};
  if (std::ranges::count(chosen, true) > 1) {
    throw Error(ErrorKind::invalid_argument,
                "a session has a decoder, is calibrated, or learns while it listens; choose one of them");
  }
  if (options.adaptive) return unlearnt(stream, *options.adaptive);
  return options.calibration ? untrained(stream, *options.calibration) : *options.decoder;
}

}  // namespace heed::live
