// SPDX-License-Identifier: MIT
// Scores as a study holds them: a participant has trials; the chain and the metric restart at each. And what their
// labelled windows come down to: moments, which add.
#pragma once

#include <heed/data/series.h>

#include <optional>
#include <string>
#include <vector>

namespace heed::data {

// What a score is, and so which emission fits it.
enum class ScoreType {
  correlation,  // within [-1, 1]; Fisher-Gaussian
  log_odds,     // any real number (LDA, CSP); Gaussian
  step_cosine,  // of quarter-second steps: beyond +-1 where a step is louder than its second; Gaussian
};

struct ScoredTrial {
  std::string name{};          // empty: the file had no `trial` column
  Seconds onset{};             // of the first window, on the recording's clock
  Scores scores{};             // windows x speakers, or x features
  AttentionTrack attention{};  // as long as scores; all unknown where there are no labels
};

// How scores were made, in words, as sidecars tell it; what is empty is not known.
struct ScoreOrigin {
  std::string decoder{};
  std::string preprocessing{};
  std::string recipe{};      // heed, paper ...; n/a: of a model, a population or CSP
  std::string population{};  // who lent how much, or none; empty: not asked for
  std::string kernels{};     // OpenBLAS's, which differ between processors in their last bits: "OpenBLAS Haswell"
};

struct ScoredParticipant {
  std::string id{};                     // "01" of sub-01, or the file's name
  std::vector<std::string> speakers{};  // column names, in order
  ScoreType type = ScoreType::correlation;
  std::vector<ScoredTrial> trials{};
  std::vector<std::string> features{};  // column names of a feature file; empty: a score per speaker
  ScoreOrigin origin{};                 // nothing of it is read from files

  // Of all trials: those of the first, which there must be.
  [[nodiscard]] Seconds window() const { return trials.front().scores.window; }
  [[nodiscard]] Seconds hop() const { return trials.front().scores.hop; }
};

// How long attention stays with a speaker: always so long where both are equal, else a uniform whole
// number of seconds, both ends included.
struct SwitchInterval {
  Seconds shortest{300};
  Seconds longest{300};
  friend bool operator==(const SwitchInterval&, const SwitchInterval&) = default;
};

// What a tracker made of a trial, as posterior files hold it.
struct TrackedTrial {
  std::string name{};
  Seconds onset{};
  Posteriors posteriors{};
  Path decisions{};
  AttentionTrack attention{};
  Matrix switching{};  // windows x values of p: P(p | windows so far); empty unless p was unknown
};

struct TrackedParticipant {
  std::string id{};
  std::vector<std::string> speakers{};
  Seconds look_ahead{};  // how much of the future each row has seen; counted in latency-inclusive time
  std::vector<TrackedTrial> trials{};
  std::optional<SwitchPosterior> switching{};  // after the last trial; nothing unless p was unknown
};

// Sums over the labelled, complete windows of one participant, of scores after the transform. Where attention is
// known in probability only, a speaker's score counts for both classes, as much as it is likely to belong to them.
struct ScoreMoments {
  double windows = 0;
  double speakers = 0;
  double attended = 0;  // sum of z of the attended speaker
  double attended_squares = 0;
  double unattended = 0;  // sum over all unattended speakers
  double unattended_squares = 0;
  double window_sum = 0;  // sum of (sum of z over all speakers of a window)
  double window_sum_squares = 0;
  friend bool operator==(const ScoreMoments&, const ScoreMoments&) = default;
};

}  // namespace heed::data

namespace heed {
using data::ScoredParticipant;
using data::ScoredTrial;
using data::ScoreMoments;
using data::ScoreOrigin;
using data::ScoreType;
using data::SwitchInterval;
using data::TrackedParticipant;
using data::TrackedTrial;
}  // namespace heed
