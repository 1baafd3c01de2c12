// SPDX-License-Identifier: MIT
// Are neighbouring windows independent, given who is attended? The HMM assumes it (the paper's Section V); scores that
// repeat each other count as new evidence every time, and posteriors become over-confident.
#pragma once

#include <heed/data/scored.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::emission {

// Beyond this correlation of neighbours evidence counts (1 + r)/(1 - r) = 1.5 times what it is worth. Envelope
// tracking has about .1, spatial patterns .88.
inline constexpr double dependence_threshold = 0.2;

// What a score is taken around before it is compared with a later one.
enum class Centring {
  trial,     // the mean of its trial: what differs from trial to trial does not count as dependence
  listener,  // the listener's mean while that speaker is attended: it does, as for a model that knows no trials
};

struct IndependenceOptions {
  bool fisher = true;  // atanh first: for correlations
  Index lags = 10;     // windows
  Centring centring = Centring::trial;
  friend bool operator==(const IndependenceOptions&, const IndependenceOptions&) = default;
};

// [k-1]: correlation of the attended speaker's score with its score k windows later, while attention stays. Scores are
// taken around their mean while that speaker is attended, products pooled over trials for each speaker, the
// correlations averaged over speakers. Pairs across a switch, an unlabelled window or two trials do not count.
// Where windows overlap, the next window is the next that shares no sample.
// Nothing where no pair is left, or for a feature file, which has no score of the attended speaker.
[[nodiscard]] std::vector<std::optional<double>> lag_correlations(const ScoredParticipant& participant,
                                                                  const IndependenceOptions& options = {});

// The same averaged over the participants that have it.
[[nodiscard]] std::vector<std::optional<double>> lag_correlations(std::span<const ScoredParticipant> participants,
                                                                  const IndependenceOptions& options = {});

// What is done with scores that repeat each other.
struct RepetitionContext {
  bool calibrated = false;                  // a temperature makes up for it already
  bool unknown_switch_probability = false;  // how often the listener switches is found from the same scores
  bool unknown_model = false;               // whoever made posteriors of them may have known of it
};

// What follows for the HMM where neighbours correlate beyond the threshold, in a sentence for people; nothing where
// they do not.
[[nodiscard]] std::optional<std::string> dependence_warning(std::span<const std::optional<double>> lag_correlations,
                                                            const RepetitionContext& context = {});

}  // namespace heed::emission
