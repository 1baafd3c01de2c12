// SPDX-License-Identifier: MIT
// Gaussian emissions from scores alone: nobody says who was attended. By Baum-Welch, which uses that attention
// lasts, or from the windows taken one by one (Lopez-Gordo 2025). Labels are not looked at.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/hmm/baum_welch.h>

#include <functional>
#include <span>
#include <vector>

namespace heed::emission {

struct BaumWelchFitOptions {
  bool fisher = true;                   // atanh first: for correlations
  bool fit_switch_probability = false;  // of a sticky chain, by EM; else the chain stays as it is
  hmm::SwitchPrior prior{};             // of that; one_switch_at() is a mild one
  double relative_gain = 1e-9;
  Index max_iterations = 300;
  friend bool operator==(const BaumWelchFitOptions&, const BaumWelchFitOptions&) = default;
};

struct BaumWelchFit {
  GaussianEmission emission{};  // shared sigma
  hmm::Chain chain;
  std::vector<double> history{};  // log-evidence (plus the log prior), never goes down
  Index iterations = 0;
  bool converged = false;
};

// A prior worth one switch at the chain's own rate: 1 switch and the stays that go with it.
[[nodiscard]] hmm::SwitchPrior one_switch_at(const hmm::Chain& chain);

// The three tied parameters, any number of speakers. Starts at mean +- .25 sd of all scores, as equal means are a
// fixed point: the attended speaker is taken to have the higher scores. With two speakers that is all there is to it
// (means that change places are put back); with more, mu_attended <= mu_unattended would say that they have not.
// Throws bad_data without complete windows or where participants differ in speakers, singular for scores that do not
// vary, invalid_argument for a prior or fit_switch_probability on a general chain. `each_iteration` is called after
// each iteration: whoever wants to stop throws there.
[[nodiscard]] BaumWelchFit fit_baum_welch(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                          const BaumWelchFitOptions& options = {},
                                          const std::function<void()>& each_iteration = {});

struct MemorylessFit {
  GaussianEmission emission{};
  bool degenerate = false;  // the scores differ no more than chance would have it: both means are equal
};

// Two speakers only (unsupported otherwise). From the spread of the sum of both scores and the mean of the absolute
// difference. Throws bad_data without complete windows, singular for scores that do not vary.
[[nodiscard]] MemorylessFit fit_memoryless(std::span<const ScoredParticipant> participants, bool fisher = true);

}  // namespace heed::emission
