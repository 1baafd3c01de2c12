// SPDX-License-Identifier: MIT
// Trials for tests of decoders, from a generator that tests/data/decode_oracle.py has too, and the lagged matrix that
// heed never makes.
#pragma once

#include <heed/data/trial.h>
#include <heed/decode/least_squares.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heed::test {

// Uniform in -1 ... 1.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ = (state_ * 1103515245U + 12345U) % (std::uint64_t{1} << 31U);
    return static_cast<double>(state_) / static_cast<double>(1U << 30U) - 1;
  }
  Matrix matrix(Index rows, Index columns) {
    Matrix result(rows, columns);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = (*this)();
    return result;
  }

 private:
  std::uint64_t state_;
};

struct PlantedOptions {
  Index samples = 400;
  Index channels = 4;
  double strength = 0.6;
  std::uint64_t seed = 1;
};

inline std::vector<std::string> numbered(const std::string& what, Index count) {
  std::vector<std::string> names;
  for (Index i = 1; i <= count; ++i) names.push_back(what + std::to_string(i));
  return names;
}

// EEG at 64 Hz that follows the first of two speakers, channel c after 1 + c % 2 samples.
inline Trial planted_trial(const PlantedOptions& options = {}) {
  Draws draws(options.seed);
  const Matrix stimuli = draws.matrix(options.samples, 2);
  Trial trial;
  trial.name = "planted";
  trial.sampling_frequency = Hertz{64};
  trial.channels = numbered("C", options.channels);
  trial.speakers = {"left", "right"};
  trial.eeg = draws.matrix(options.samples, options.channels);
  for (Index c = 0; c < options.channels; ++c) {
    const Index delay = 1 + c % 2;
    trial.eeg.col(c).tail(options.samples - delay) += options.strength * stimuli.col(0).head(options.samples - delay);
  }
  trial.stimuli = {stimuli.col(0), stimuli.col(1)};
  trial.attention = {{{0, options.samples}, 0}};
  return trial;
}

// The same trial told of its sound in two ways: as it was, and how it changes.
inline Trial with_second_target(Trial trial) {
  trial.targets = {"envelope", "onset"};
  for (Matrix& stimulus : trial.stimuli) {
    Matrix both(stimulus.rows(), 2);
    both.col(0) = stimulus.col(0);
    both(0, 1) = 0;
    both.col(1).tail(stimulus.rows() - 1) =
        stimulus.col(0).tail(stimulus.rows() - 1) - stimulus.col(0).head(stimulus.rows() - 1);
    stimulus = both;
  }
  return trial;
}

inline Matrix lagged_matrix(const Matrix& signal, LagRange lags) {
  Matrix result = Matrix::Zero(signal.rows(), lags.count() * signal.cols());
  for (Index t = 0; t < signal.rows(); ++t) {
    for (Index l = 0; l < lags.count(); ++l) {
      const Index from = t + lags.first + l;
      if (from >= 0 && from < signal.rows()) result.row(t).segment(l * signal.cols(), signal.cols()) = signal.row(from);
    }
  }
  return result;
}

inline std::vector<decode::TrainingTrial> training(const std::vector<Trial>& trials,
                                                   const std::vector<decode::TrialStatistics>& statistics) {
  std::vector<decode::TrainingTrial> result;
  for (std::size_t i = 0; i < trials.size(); ++i) result.push_back({&trials[i], &statistics[i]});
  return result;
}

}  // namespace heed::test
