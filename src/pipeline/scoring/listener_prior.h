// SPDX-License-Identifier: MIT
// A population as one listener may use it: without the listener's own entries, and without those of sounds that a
// decoder will be tested on. A leak here gains so little that nobody would see it, so there is no other way to a prior.
#pragma once

#include <heed/data/population.h>
#include <heed/decode/adaptive_decoder.h>
#include <heed/decode/least_squares.h>
#include <heed/pipeline/population.h>
#include <pipeline/preparation/preparation.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

// What others lend for one decoder.
struct LentPrior {
  decode::CrossPrior cross{};
  std::size_t others = 0;              // listeners
  std::vector<std::string> runs{};     // of theirs
  std::vector<ScoreMoments> scores{};  // one per listener; empty where the population has none
};

// What others lend to a decoder that learns while it listens.
struct LentStart {
  decode::AdaptiveStart start{};
  double seconds = 0;      // of listening that it counts as: chosen by how each of the others fared, else the usual
  std::size_t others = 0;  // listeners
};

// What a decoder is made of that a prior must fit.
struct DecoderShape {
  std::vector<std::string> channels{};
  decode::DecoderLags lags{};
};

class ListenerPrior {
 public:
  // The population must outlive it. `sources` are all trials of the listener that the dataset has, used or not: an
  // entry is the listener's own if it bears the name or holds one of these recordings. Without a weight, it goes by the
  // number of others. Throws invalid_argument for a weight outside 0 ... 1.
  ListenerPrior(const Population& population, std::string listener, std::vector<TrialSource> sources,
                std::optional<double> weight = {});

  // Entries of others that share no sound with these trials (names as in TrialSource). Throws invalid_argument for a
  // trial that is not among the listener's: what it played is not known.
  [[nodiscard]] std::vector<const PopulationEntry*> usable(std::span<const std::string> tested) const;

  // How many listeners these are.
  [[nodiscard]] std::size_t others(std::span<const std::string> tested) const;

  // For a decoder that will be tested on these trials. Throws bad_data where nobody is left, or has a channel that is
  // wanted; invalid_argument for lags the population does not cover.
  [[nodiscard]] LentPrior lend(std::span<const std::string> tested, const DecoderShape& shape) const;

  // The same for a decoder that starts from it. Throws also bad_data where the population has no covariances: an older
  // heed made it.
  [[nodiscard]] LentStart lend_start(std::span<const std::string> tested, const DecoderShape& shape) const;

  // Digest of all entries that are not the listener's: the same whoever else is in the population.
  [[nodiscard]] std::string digest_of_others() const;

  // All trials of the listener but these, by name.
  [[nodiscard]] std::vector<std::string> all_but(std::span<const std::string> trials) const;

 private:
  [[nodiscard]] bool is_own(const PopulationEntry& entry) const;
  [[nodiscard]] PopulationAdaptation adaptation_of_others() const;
  [[nodiscard]] std::set<std::string> sounds_of(std::span<const std::string> tested) const;

  const Population* population_;
  std::string listener_;
  std::vector<TrialSource> sources_;
  std::optional<double> weight_;
  std::set<std::string> listener_names_;  // names of the population that are this listener
};

// Throws invalid_argument, naming both, where signals were prepared in another way than the population's. How bad
// channels are mended may differ.
void check_signals(const Population& population, const Preprocessing& signals);

// Throws invalid_argument where the population's scores are not what this decoder gives: another kind, rule or window.
void check_scores(const Population& population, const DecoderChoice& choice, Seconds window);

// "prior 0.34 of 8 others"
[[nodiscard]] std::string describe(const LentPrior& lent);

}  // namespace heed::pipeline
