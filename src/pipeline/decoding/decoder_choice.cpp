// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/decode/score.h>
#include <heed/pipeline/decoding/decoder_choice.h>

#include <algorithm>
#include <cmath>

namespace heed::pipeline {
namespace {

// Rhythms of 1-30 Hz, with room below and above so that CSP's own band-passes have the last word.
constexpr Hertz rhythms_low{0.5};
constexpr Hertz rhythms_high{31};

}  // namespace

std::string_view name(DecoderKind kind) noexcept {
  switch (kind) {
    case DecoderKind::least_squares:
      return "ls";
    case DecoderKind::cca:
      return "cca";
    case DecoderKind::csp:
      return "csp";
  }
  return {};
}

decode::TrainingOptions training_options(const DecoderChoice& choice, Seconds window) {
  const bool in_order = choice.first_lag.value >= -10 && choice.first_lag <= choice.longest_lag;
  if (!in_order || !(choice.longest_lag.value >= 0) || choice.longest_lag.value > 10) {
    throw Error(ErrorKind::invalid_argument, "lags must rise and stay below 10 s; 0 to 0.25 s is usual");
  }
  if (choice.pairs < 1) throw Error(ErrorKind::invalid_argument, "CCA needs at least one pair; 10 is usual");
  decode::check_rule(choice.rule);
  const Hertz rate = choice.preprocessing.sampling_frequency;
  constexpr double most = 1e6;  // Hz
  if (!(rate.value > 0 && rate.value <= most)) {
    throw Error(ErrorKind::invalid_argument,
                "the sampling frequency must be above 0 and at most 1 MHz; 64 Hz is usual");
  }
  decode::TrainingOptions options;
  options.lags = choice.kind == DecoderKind::cca ? decode::cca_lags(rate, choice.longest_lag)
                                                 : decode::least_squares_lags(rate, choice.longest_lag);
  options.lags.eeg.first = std::lround(choice.first_lag * rate);
  options.regularisation = choice.regularisation;
  options.rule = choice.rule;
  options.standardise = choice.preprocessing.filters == FilterMode::causal;
  options.pairs = choice.pairs;
  options.window = window;
  return options;
}

Preprocessing signals_for(const DecoderChoice& choice) {
  Preprocessing signals = choice.preprocessing;
  if (choice.kind == DecoderKind::csp) {
    const double half = signals.sampling_frequency.value / 2;
    signals.low = rhythms_low;
    signals.high = Hertz{std::min(rhythms_high.value, 0.97 * half)};
    signals.targets = Preprocessing{}.targets;  // of which it looks at none
  }
  return signals;
}

}  // namespace heed::pipeline
