// SPDX-License-Identifier: MIT
// A listener whose windows an adaptive decoder is fed, and a population of others.
#pragma once

#include <heed/decode/adaptive_decoder.h>
#include <heed/decode/trial_statistics.h>

#include "support/decode_cases.h"

#include <cmath>
#include <utility>

namespace heed::test::adaptive {

using decode::AdaptationOptions;
using decode::AdaptiveShape;
using decode::AdaptiveSignals;
using decode::AdaptiveStart;
using decode::TrialStatistics;

// Windows of a trial, zeros beyond its end.
class Windows {
 public:
  Windows(const Matrix& eeg, Matrix speech, Index lags, Index samples)
      : eeg_(Matrix::Zero(eeg.rows() + lags - 1, eeg.cols())),
        speech_(std::move(speech)),
        lags_(lags),
        samples_(samples) {
    eeg_.topRows(eeg.rows()) = eeg;
  }
  [[nodiscard]] AdaptiveSignals at(Index window) const {
    return {.eeg = data::view(eeg_).middle_rows(window * samples_, samples_ + lags_ - 1),
            .speech = data::view(speech_).middle_rows(window * samples_, samples_)};
  }
  [[nodiscard]] Index count() const { return speech_.rows() / samples_; }

 private:
  Matrix eeg_;
  Matrix speech_;
  Index lags_;
  Index samples_;
};

// A listener of six channels, four lags, windows of 32 samples at 64 Hz.
inline constexpr Index channels = 6;
inline constexpr Index lags = 4;
inline constexpr Index window_samples = 32;

struct Listener {
  Trial trial{};
  Matrix speech{};
};

inline Listener listener(Index windows, std::uint64_t seed = 1, double strength = 0.6) {
  Listener result;
  result.trial =
      planted_trial({.samples = windows * window_samples, .channels = channels, .strength = strength, .seed = seed});
  for (Matrix& stimulus : result.trial.stimuli) stimulus *= std::sqrt(3.0);  // uniform in -1 ... 1: power 1/3
  result.speech.resize(result.trial.samples(), 2);
  result.speech << result.trial.stimuli[0], result.trial.stimuli[1];
  return result;
}

inline Windows windows_of(const Listener& someone) { return {someone.trial.eeg, someone.speech, lags, window_samples}; }

inline constexpr AdaptiveShape shape{
    .channels = channels, .lags = {0, lags - 1}, .talkers = 2, .window_samples = window_samples};
inline constexpr AdaptationOptions half_seconds{.population_windows = 100,
                                                .emission_windows = 100,
                                                .half_life = 400,
                                                .switch_probability = 0.005,
                                                .nobody_probability = 0.002};

inline TrialStatistics statistics_of(const Listener& someone) {
  return decode::trial_statistics(someone.trial, {{0, lags - 1}, {0, 0}});
}

// A population of other listeners.
inline AdaptiveStart population(double sign = 1) {
  TrialStatistics sum;
  for (std::uint64_t seed = 101; seed < 105; ++seed) sum += statistics_of(listener(200, seed, 0.3));
  AdaptiveStart start;
  start.covariance = sum.xx / sum.samples;
  start.cross = sign * sum.xy.col(0) / sum.samples;
  start.emission = {.mu_attended = 0.3, .mu_unattended = 0, .sigma_attended = 0.2, .sigma_unattended = 0.2};
  return start;
}

}  // namespace heed::test::adaptive
