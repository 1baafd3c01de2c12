// SPDX-License-Identifier: MIT
// Is evidence counted right? A calibrated Gaussian log-likelihood ratio l = log b_attended - log b_other has a variance
// of twice its mean. Where evidence is counted twice, the variance grows fourfold and the mean twofold. The factor that
// brings the two together, kappa, needs no switch probability (docs/mathematics.md, The evidence scale).
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

}  // namespace heed::emission
