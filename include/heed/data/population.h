// SPDX-License-Identifier: MIT
// What listeners have in common, as a plain value: how attended speech shows in their EEG, and how their scores spread.
// Statistics only, no samples. Every entry says what it was made of, so that whoever uses a population can leave out
// what he must not know. `pipeline` makes and uses it, `io` keeps it as versioned JSON. docs/recipe.md.
#pragma once

#include <heed/data/decoder.h>
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
};

}  // namespace heed::data

namespace heed {
using data::Population;
using data::PopulationDecoder;
using data::PopulationEntry;
}  // namespace heed
