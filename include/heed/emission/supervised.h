// SPDX-License-Identifier: MIT
// Gaussian emissions from labelled scores. A participant is summed up once in moments that add, so
// leaving one participant out costs nothing (docs/mathematics.md, Emissions).
#pragma once

#include <heed/data/cohort.h>
#include <heed/data/model.h>

#include <optional>
#include <span>

namespace heed::emission {

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
};

struct FitOptions {
  bool fisher = true;              // atanh first: for correlations. Never for LDA scores
  Spread spread = Spread::shared;  // the paper's
};

// Throws bad_data on a correlation beyond +-1 where fisher is asked for.
[[nodiscard]] ScoreMoments moments(const ScoredParticipant& participant, bool fisher);

// One window more, of which the attended speaker is known in probability. Both have ScoreMoments::speakers numbers.
void add_window(ScoreMoments& sums, std::span<const double> z, std::span<const double> posterior) noexcept;

// All moments times a factor: what a half-life leaves of them.
void scale(ScoreMoments& sums, double factor) noexcept;

// Each mu is the mean of the participants' means; each variance the mean of their variances around
// those mu. Participants without a labelled window do not count. Throws bad_data if none has one,
// singular if the scores do not vary.
[[nodiscard]] GaussianEmission fit_gaussian(std::span<const ScoreMoments> participants, const FitOptions& options = {});

// The same of one participant with a shared sigma, without throwing: the M-step of the three tied parameters.
// Nothing if there is no window, or the scores do not vary.
[[nodiscard]] std::optional<GaussianEmission> tied_gaussian(const ScoreMoments& sums, bool fisher) noexcept;

}  // namespace heed::emission
