// SPDX-License-Identifier: MIT
// Is evidence counted right? A calibrated Gaussian log-likelihood ratio l = log b_attended - log b_other has a variance
// of twice its mean. Where evidence is counted twice, the variance grows fourfold and the mean twofold. The factor that
// brings the two together, kappa, needs no switch probability (docs/mathematics.md, The evidence scale). Here are also
// the temperature that calibrates an emission, and the check whether neighbouring windows are independent.
#pragma once

#include <heed/data/scored.h>
#include <heed/hmm/baum_welch.h>
#include <heed/hmm/chain.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::emission {

// A participant's trials; windows without a label are filtered but not judged.
using LabelledTrials = std::vector<hmm::TrainingSequence>;

// Between these evidence is taken to be counted right; real scores of windows end to end have 0.97 to 1.02.
inline constexpr double lowest_usual_scale = 0.8;
inline constexpr double highest_usual_scale = 1.25;

// Of one participant: sums over blocks of windows of l, the log-likelihood of the attended speaker less that of another
// one, all others pooled.
struct EvidenceMoments {
  double blocks = 0;
  double sum = 0;
  double squares = 0;
  friend bool operator==(const EvidenceMoments&, const EvidenceMoments&) = default;
};

// How many windows a block needs so that blocks hardly depend on each other: one, unless neighbouring windows share
// samples (they overlap, or are steps); then max(4 s, 4 windows).
[[nodiscard]] Index windows_per_block(const ScoredParticipant& participant);

// Blocks lie end to end in each trial. One with a missing or unlabelled window does not count, nor does a last partial
// one. Throws invalid_argument for a block of no window and labels that do not fit.
[[nodiscard]] EvidenceMoments evidence_moments(const LabelledTrials& trials, Index windows_per_block);

// kappa = 2 mean(m) / mean(v) over participants, m and v mean and variance of their blocks: 1 where scores mean what
// they say, 0.5 where each counts twice. Log-likelihoods times kappa, a temperature of 1/kappa, are counted right.
// Nothing where no participant has two blocks, or attended speakers do not stand out.
[[nodiscard]] std::optional<double> evidence_scale(std::span<const EvidenceMoments> participants);

[[nodiscard]] constexpr bool is_usual(double scale) noexcept {
  return scale >= lowest_usual_scale && scale <= highest_usual_scale;
}

// What neighbouring windows have in common, which a scale of single windows does not see.
enum class Neighbours {
  apart,     // nothing that matters
  overlap,   // samples
  repeat,    // noise, of which the model knows nothing
  modelled,  // noise, as the model's dependence says (emission/dependence.h)
};

// "1: the scores mean what they say", "0.5: evidence is counted twice - are the columns s and -s?" and the like.
[[nodiscard]] std::string scale_words(double scale, Neighbours neighbours);

// For decisions, the scale and the switch probability are one knob: evidence times `scale` at p rests at the same
// log-odds as evidence as it is at p' = (J/2) / sinh(asinh(scale J / 2p) / scale). `separation`: J, the mean of l. Two
// speakers. Throws invalid_argument unless all three are positive and finite.
[[nodiscard]] double equivalent_switch_probability(double scale, double separation, double switch_probability);

// Calibration of an emission by one number: log-likelihoods are divided by the temperature that makes the causal
// posterior predict the attended speaker best. A loss of single windows would not see scores that repeat each other.
//
// Where temperatures are looked for. An end that comes out means that the log-likelihoods say nothing (the higher
// one), or far too little (the lower one).
inline constexpr double lowest_temperature = 0.01;
inline constexpr double highest_temperature = 100;

// Mean of -log P(the attended speaker | windows so far) over labelled windows, then over participants. Probabilities
// below 1e-15 count as that. Throws bad_data without a labelled window, invalid_argument on shapes that do not fit.
[[nodiscard]] double causal_log_loss(const hmm::Chain& chain, std::span<const LabelledTrials> participants,
                                     double temperature = 1);

// The temperature with the least causal log-loss: a coarse search over the whole range, then a golden-section search
// on log T to a relative 1e-4. Throws as causal_log_loss.
[[nodiscard]] double fit_temperature(const hmm::Chain& chain, std::span<const LabelledTrials> participants);

// Are neighbouring windows independent, given who is attended? The HMM assumes it (the paper's Section V); scores that
// repeat each other count as new evidence every time, and posteriors become over-confident.

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
