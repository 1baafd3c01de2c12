// SPDX-License-Identifier: MIT
// From scores to decisions, offline: what a score says is learnt from other listeners, and every method of the paper
// follows one listener's attention. All of heed by one header.
// Prints: causal +right in +[0-9.]+ % of the windows, noticed after +[0-9]+ s
#include <heed/heed.h>

#include <cstdio>
#include <string>
#include <vector>

int main() {
  // heed::io::read_scores("sub-01_scores.tsv").participant reads real ones.
  const auto cohort = heed::sim::simulate_scores({.participants = 4, .trials = 1});
  const heed::ScoredTrial& trial = cohort[0].trials[0];

  std::vector<heed::ScoreMoments> others;
  for (std::size_t k = 1; k < cohort.size(); ++k) others.push_back(heed::emission::moments(cohort[k], /*fisher=*/true));
  const heed::Emission emission = heed::emission::fit_gaussian(others);
  const auto log_likelihoods = heed::emission::log_likelihoods(emission, trial.scores);
  const auto chain = heed::hmm::Chain::sticky(2, heed::hmm::linear_switch_probability(2, trial.scores.window));

  for (const auto method : heed::track::all_methods()) {
    const auto tracker = heed::track::make_tracker(method, chain);
    const auto tracked = heed::track::track(tracker, {trial.scores, log_likelihoods});
    const auto metrics = heed::evaluate::measure_trial(tracked.decisions, trial.attention);
    const auto windows = static_cast<double>(metrics.labelled_windows);
    std::printf("%-18s right in %5.1f %% of the windows, noticed after %3.0f s\n",
                std::string(heed::track::name(method)).c_str(),
                100 * static_cast<double>(metrics.labelled_correct) / windows, metrics.switches.at(0).time.value);
  }
}
