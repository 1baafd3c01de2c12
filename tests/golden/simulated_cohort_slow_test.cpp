// SPDX-License-Identifier: MIT
// The default cohort is calibrated: its constants in sim stand for what decoders reach on real listeners. Here the
// whole way is gone, from simulated EEG and sound to decisions.
#include <data/in_parallel.h>
#include <gtest/gtest.h>
#include <heed/emission/evidence_scale.h>
#include <heed/evaluate/summary.h>
#include <heed/pipeline/score.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/scoring/cross_validation.h>

#include <array>
#include <iostream>

namespace heed::pipeline {
namespace {

constexpr Seconds second{1};
constexpr std::array second_windows{decode::WindowLayout(second)};

std::vector<ScoredParticipant> decoded(const sim::RecordingCohortOptions& options, const DecoderChoice& choice) {
  const SimulatedCohort cohort(options);
  std::vector<ScoredParticipant> result(cohort.participants());
  const auto failures = data::in_parallel(cohort.participants(), {0}, [&](std::size_t k) {
    result[k] =
        cross_validate(scaled_trials(cohort.prepare(k, choice.preprocessing), choice), choice, second_windows).front();
  });
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return result;
}

evaluate::Summary accuracy(const std::vector<ScoredParticipant>& participants, const std::string& name) {
  std::vector<std::optional<double>> all;
  for (const auto& one : participants) all.push_back(significance_of(one).accuracy);
  const evaluate::Summary summary = evaluate::summarise(all);
  std::cout << name << ": " << 100 * *summary.mean << " % +- " << 100 * *summary.sd << "\n";
  return summary;
}

// CCA 58 to 59 % of single seconds, least squares a little less, listeners as different as real ones (KU Leuven: SD 3
// points).
TEST(SimulatedCohort, DecodersReachWhatTheyReachOnRealListeners) {
  const auto cca = decoded({}, {});
  const auto by_cca = accuracy(cca, "CCA");
  EXPECT_NEAR(*by_cca.mean, 0.589, 0.01);
  EXPECT_GT(*by_cca.sd, 0.015);
  EXPECT_LT(*by_cca.sd, 0.05);
  const auto by_ls = accuracy(decoded({}, {.kind = DecoderKind::least_squares}), "least squares");
  EXPECT_LT(*by_ls.mean, *by_cca.mean + 0.005);
  EXPECT_GT(*by_ls.mean, *by_cca.mean - 0.03);
}

// Neighbouring scores of CSP are far from independent, because gaze does not jump: .75 here, .88 in the paper
// (docs/simulation.md says what was tried to come closer).
TEST(SimulatedCohort, CspScoresAreNotIndependent) {
  sim::RecordingCohortOptions options;
  options.participants = 4;
  DecoderChoice choice{.kind = DecoderKind::csp};
  choice.preprocessing = signals_for(choice);
  const auto scores = decoded(options, choice);
  accuracy(scores, "CSP");
  const auto correlations = emission::lag_correlations(scores, {.fisher = false});
  std::cout << "CSP, lag 1: " << *correlations.at(0) << "\n";
  EXPECT_NEAR(*correlations.at(0), 0.75, 0.1);
}

}  // namespace
}  // namespace heed::pipeline
