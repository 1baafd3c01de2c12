// SPDX-License-Identifier: MIT
// Is evidence counted right? A calibrated Gaussian log-likelihood ratio l = log b_attended - log b_other has a variance
// of twice its mean. Where evidence is counted twice, the variance grows fourfold and the mean twofold. The factor that
// brings the two together, kappa, needs no switch probability (docs/mathematics.md, The evidence scale).
#pragma once

#include <heed/data/scored.h>
#include <heed/emission/temperature.h>

#include <optional>
#include <span>
#include <string>

namespace heed::emission {

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

}  // namespace heed::emission
