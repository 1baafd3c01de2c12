// SPDX-License-Identifier: MIT
// What listeners have in common, as a plain value: how attended speech shows in their EEG, and how their scores spread.
// Statistics only, no samples. Every entry says what it was made of, so that whoever uses a population can leave out
// what he must not know. `pipeline` makes and uses it, `io` keeps it as versioned JSON. docs/recipe.md.
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/model.h>
#include <heed/data/recording.h>
#include <heed/data/scored.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::data {

// One listener's trials of one run that played the same sounds.
struct PopulationEntry {
  std::string listener{};               // "01", without sub-
  std::string run{};                    // sub-01_task-attend_run-01
  std::string recording{};              // digest of the EEG's bytes
  std::vector<std::string> stimuli{};   // digests of all sounds that were played, each once, sorted
  std::vector<std::string> channels{};  // this listener's: bad ones are left out
  double samples = 0;                   // labelled and not missing
  // (delays x channels) x targets, delay-major: mean over those samples of EEG at t + delay times attended speech at t,
  // both divided by their standard deviations. Single precision, as prepared signals are.
  SampleMatrix products{};
  std::optional<ScoreMoments> scores{};  // by a decoder of the listener's other trials; nothing: there are none
  // (delays x channels) x channels, delay-major: mean of EEG at t + delay times EEG at t, in standard deviations, to
  // 1/10000. What a decoder that learns while it listens starts from; empty: not kept.
  SampleMatrix covariance{};
};

// How an adaptive decoder fared on one listener, whom it knew from the others alone.
struct AdaptationTrial {
  std::string listener{};
  ScoreMoments scores{};              // of the decoder it started from
  std::vector<double> separations{};  // d' while it learnt, for each number of seconds that was tried
  friend bool operator==(const AdaptationTrial&, const AdaptationTrial&) = default;
};

// What is known of starting an adaptive decoder from these listeners (docs/adaptation.md).
struct PopulationAdaptation {
  std::vector<double> seconds{};  // of listening that the population counts as, tried in turn
  std::vector<AdaptationTrial> trials{};
  friend bool operator==(const PopulationAdaptation&, const PopulationAdaptation&) = default;
};

// The decoder that made the scores, in the words of options.
struct PopulationDecoder {
  std::string kind = "ls";               // or cca
  std::string regularisation = "ridge";  // or ridge-cv, ledoit-wolf
  double ridge = 0.1;
  Seconds first_lag{0};
  Seconds longest_lag{0.25};
  Index pairs = 10;
  ScoreRule rule{};
  Seconds window{1};
  friend bool operator==(const PopulationDecoder&, const PopulationDecoder&) = default;
};

struct Population {
  Preprocessing preprocessing{};
  std::vector<std::string> targets{"envelope"};
  LagRange delays{};  // samples, of EEG behind speech
  PopulationDecoder decoder{};
  std::string origin{};  // one line for people
  std::vector<PopulationEntry> entries{};
  std::optional<PopulationAdaptation> adaptation{};  // nothing: not tried
};

// Sums over windows that an adaptive decoder has learnt of one listener, as means, with what they rest on.
struct LearntSums {
  Matrix covariance{};          // (lags x channels) x channels, as PopulationEntry has it, in running deviations
  double eeg_windows = 0;       // that it rests on, after forgetting
  Eigen::VectorXd cross{};      // lags x channels: EEG times speech, as much as it was likely attended
  double labelled_windows = 0;  // that it rests on
  // Of Fisher-transformed scores, weighted by labels: attended, how many; unattended, how many; all squared.
  std::vector<double> scores{};
};

// The same as a file keeps it, so that the next session of the listener goes on from there.
struct LearntListener {
  std::string listener{};  // empty: not named
  std::string origin{};    // one line for people
  std::vector<std::string> channels{};
  Preprocessing preprocessing{};
  LagRange lags{};
  Seconds window{1};
  // What it started from; empty: nothing, or a population that did not fit.
  Matrix population_covariance{};  // (lags x channels) x channels
  Eigen::VectorXd population_cross{};
  double population_seconds = 0;
  GaussianEmission emission{};  // that it started from
  LearntSums learnt{};
};

}  // namespace heed::data

namespace heed {
using data::AdaptationTrial;
using data::LearntListener;
using data::LearntSums;
using data::Population;
using data::PopulationAdaptation;
using data::PopulationDecoder;
using data::PopulationEntry;
}  // namespace heed
