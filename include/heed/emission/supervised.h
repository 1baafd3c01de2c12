// SPDX-License-Identifier: MIT
// Gaussian emissions from labelled scores. A participant is summed up once in moments that add, so
// leaving one participant out costs nothing (docs/mathematics.md, Emissions).
#pragma once

#include <heed/data/cohort.h>
#include <heed/data/decoding/score_moments.h>
#include <heed/data/model.h>

#include <optional>
#include <span>

namespace heed::emission {

using data::ScoreMoments;

struct FitOptions {
  bool fisher = true;              // atanh first: for correlations. Never for LDA scores
  Spread spread = Spread::shared;  // the paper's
};

// Throws bad_data on a correlation beyond +-1 where fisher is asked for.
[[nodiscard]] ScoreMoments moments(const ScoredParticipant& participant, bool fisher);

// One window more, of which the attended speaker is known in probability. Both have ScoreMoments::speakers numbers.
void add_window(ScoreMoments& sums, std::span<const double> z, std::span<const double> posterior) noexcept;

// The moments of both together. Throws invalid_argument where they are of different numbers of speakers.
[[nodiscard]] ScoreMoments sum(const ScoreMoments& a, const ScoreMoments& b);

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
