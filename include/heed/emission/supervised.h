// SPDX-License-Identifier: MIT
// Gaussian emissions from labelled scores. A participant is summed up once in moments that add, so
// leaving one participant out costs nothing (algorithms.md 7).
#pragma once

#include <heed/data/cohort.h>
#include <heed/data/model.h>

#include <span>

namespace heed::emission {

// Sums over the labelled, complete windows of one participant, of scores after the transform.
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

// Each mu is the mean of the participants' means; each variance the mean of their variances around
// those mu. Participants without a labelled window do not count. Throws bad_data if none has one,
// singular if the scores do not vary.
[[nodiscard]] GaussianEmission fit_gaussian(std::span<const ScoreMoments> participants, const FitOptions& options = {});

}  // namespace heed::emission
