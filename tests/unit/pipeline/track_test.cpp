// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/emission/adaptive.h>
#include <heed/emission/label_free.h>
#include <heed/hmm/filter.h>
#include <heed/pipeline/track.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/method_choice.h>
#include <pipeline/model_fit.h>
#include <pipeline/track_participant.h>

#include <cmath>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

using test::expect_error;
using track::Method;

const std::vector<ScoredParticipant>& cohort() {
  static const auto participants = sim::simulate_scores({.participants = 4, .trials = 2, .accuracy = 0.65, .seed = 12});
  return participants;
}

ScoredParticipant unlabelled() {
  ScoredParticipant participant = cohort().front();
  for (auto& trial : participant.trials) trial.attention.attended.assign(600, unknown_speaker);
  return participant;
}

const Model model{.emission = GaussianEmission{true, Spread::shared, 0.2, 0.03, 0.3, 0.3, 0}, .origin = "a file"};

Matrix posteriors(const TrackedParticipant& tracked) { return tracked.trials.at(1).posteriors.values; }

TEST(TrackAttention, TakesAModelAsItIs) {
  const TrackResult result = track_attention({.participant = unlabelled(), .method = Method::smooth, .model = model});
  const auto chain = hmm::Chain::sticky(2, 0.001);
  EXPECT_EQ(posteriors(result.tracked),
            posteriors(track_participant(unlabelled(), model, track::SmoothTracker{chain})));
  EXPECT_EQ(result.fitted.model, model);
  EXPECT_EQ(result.switch_probability, 0.001);
  EXPECT_TRUE(result.notes.empty());
  Model slow = model;
  slow.window = slow.hop = Seconds{5};
  const Notes notes = track_attention({.participant = unlabelled(), .model = slow}).notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].text, "the model was fitted to windows of 5 s, these are 1 s long");
}

TEST(TrackAttention, AdaptsToWhatWasHeardSoFar) {
  const auto others = std::span(cohort()).subspan(1);
  const EmissionChoice adaptive{.fit = EmissionFit::adaptive};
  const TrackResult result = track_attention({.participant = unlabelled(), .emission = adaptive, .others = others});
  EXPECT_EQ(result.fitted.learning, Learning::causal);
  EXPECT_EQ(result.fitted.model.emission, fit_emission({}, others));
  const auto chain = hmm::Chain::sticky(2, 0.001);
  const auto windows = emission::adapted_log_likelihoods(std::get<GaussianEmission>(result.fitted.model.emission),
                                                         chain, unlabelled().trials);
  EXPECT_EQ(posteriors(result.tracked), hmm::filter(chain, windows.log_likelihoods[1]).values);
  // The future does not matter.
  ScoredParticipant cut = unlabelled();
  cut.trials.resize(1);
  const TrackResult before = track_attention({.participant = cut, .emission = adaptive, .others = others});
  EXPECT_EQ(before.tracked.trials[0].posteriors.values, result.tracked.trials[0].posteriors.values);
  const TrackResult given = track_attention({.participant = unlabelled(), .emission = adaptive, .model = model});
  EXPECT_EQ(given.fitted.model.emission, model.emission);
  EXPECT_EQ(given.fitted.learning, Learning::causal);
  expect_error(ErrorKind::invalid_argument, {"adaptation needs a start"},
               [&] { (void)track_attention({.participant = cohort()[0], .emission = adaptive}); });
  expect_error(ErrorKind::invalid_argument, {"leave one of them out"}, [&] {
    (void)track_attention({.participant = cohort()[0], .emission = adaptive, .model = model, .others = others});
  });
  const EmissionChoice whole{.fit = EmissionFit::baum_welch};
  EXPECT_EQ(track_attention({.participant = cohort()[0], .emission = whole}).fitted.learning, Learning::transductive);
  EXPECT_EQ(track_attention({.participant = cohort()[0], .emission = whole, .others = others}).fitted.learning,
            Learning::inductive);
}

const ChainChoice unknown{.unknown_switch_probability = true};

TEST(TrackAttention, FindsAnUnknownSwitchProbability) {
  const auto bank = hmm::Bank::per_second(2, Seconds{1});
  const auto windows = log_likelihoods_of(unlabelled(), model);
  const auto first = filter(bank, windows[0]);
  const auto second = filter(bank.with_weights(first.switching.after), windows[1]);
  const TrackResult result = track_attention({.participant = unlabelled(), .chain = unknown, .model = model});
  EXPECT_EQ(result.tracked.trials[0].posteriors.values, first.posteriors.values);
  EXPECT_EQ(posteriors(result.tracked), second.posteriors.values) << "the second trial knows what the first has found";
  EXPECT_EQ(result.tracked.trials[1].switching, second.switching.weights);
  ASSERT_TRUE(result.tracked.switching);
  for (std::size_t g = 0; g < 7; ++g) {
    EXPECT_EQ(result.tracked.switching->weights[g], second.switching.weights(599, static_cast<Index>(g)));
  }
  EXPECT_FALSE(result.switch_probability);
  for (const Method method : {Method::raw, Method::markov_chain, Method::probabilistic_gain, Method::state_space}) {
    const TrackRequest request{.participant = unlabelled(), .method = method, .chain = unknown, .model = model};
    const TrackResult without = track_attention(request);
    EXPECT_FALSE(without.tracked.switching) << "a method that has no p";
    EXPECT_EQ(without.tracked.trials[0].switching.size(), 0);
  }
}

TEST(TrackAttention, AdaptsWhileTheSwitchProbabilityIsUnknown) {
  const EmissionChoice adaptive{.fit = EmissionFit::adaptive};
  const TrackResult result =
      track_attention({.participant = unlabelled(), .chain = unknown, .emission = adaptive, .model = model});
  const auto bank = hmm::Bank::per_second(2, Seconds{1});
  const auto windows =
      emission::adapted_log_likelihoods(std::get<GaussianEmission>(model.emission), bank, unlabelled().trials);
  EXPECT_EQ(result.tracked.trials[0].posteriors.values, filter(bank, windows.log_likelihoods[0]).posteriors.values);
}

TEST(TrackAttention, SaysWhatDoesNotGoWithAnUnknownSwitchProbability) {
  const auto others = std::span(cohort()).subspan(1);
  const auto track = [&](const EmissionChoice& emission) {
    return track_attention({.participant = cohort()[0], .chain = unknown, .emission = emission, .others = others});
  };
  expect_error(ErrorKind::invalid_argument, {"a temperature is fitted at one switch probability", "scaled"},
               [&] { (void)track({.calibrate = true}); });
  expect_error(ErrorKind::invalid_argument, {"either learnt by Baum-Welch or found by the bank"},
               [&] { (void)track({.fit = EmissionFit::baum_welch, .fit_switch_probability = true}); });
  const TrackResult learnt = track({.fit = EmissionFit::baum_welch});
  ASSERT_FALSE(learnt.notes.empty());
  EXPECT_NE(learnt.notes.front().text.find("at the usual switch probability of 0.001 per second"), std::string::npos);
  EXPECT_TRUE(track({}).notes.empty());
}

// All values of p are equally likely beforehand, and one of them holds for all trials.
TEST(TrackAttention, TellsTheProbabilityOfPathsOfAnUnknownP) {
  ScoredParticipant one = cohort()[0];
  for (ScoredTrial& trial : one.trials) {
    trial.scores.values.conservativeResize(20, 2);
    trial.attention.attended.resize(20);
  }
  const TrackRequest request{.participant = one, .chain = unknown, .model = model};
  const TrackResult result = track_attention(request);
  const auto windows = log_likelihoods_of(one, model);
  std::vector<AttentionTrack> labels;
  for (const ScoredTrial& trial : one.trials) labels.push_back(trial.attention);
  double joint = 0;
  double evidence = 0;
  for (const double p : hmm::bank_probabilities_per_second) {
    const auto chain = hmm::Chain::sticky(2, p);
    hmm::PathProbability sum;
    for (std::size_t k = 0; k < 2; ++k) sum += hmm::path_probability(chain, windows[k], labels[k].attended);
    joint += std::exp(sum.log_joint) / 7;
    evidence += std::exp(sum.log_evidence) / 7;
  }
  const auto found = path_probability(request, result, labels);
  EXPECT_NEAR(found.log_joint, std::log(joint), 1e-9);
  EXPECT_NEAR(found.log_posterior(), std::log(joint / evidence), 1e-9);
  double tracked = 0;
  for (const TrackedTrial& trial : result.tracked.trials) tracked += trial.posteriors.log_evidence;
  EXPECT_NEAR(found.log_evidence, tracked, 1e-9) << "the chain rule over trials";
}

TEST(TrackAttention, TellsTheProbabilityOfPaths) {
  const TrackRequest request{.participant = cohort()[0], .method = Method::viterbi, .model = model};
  const TrackResult result = track_attention(request);
  std::vector<AttentionTrack> labels;
  std::vector<AttentionTrack> decisions;
  double best = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    labels.push_back(request.participant.trials[k].attention);
    decisions.push_back({result.tracked.trials[k].decisions.states});
    best += result.tracked.trials[k].decisions.log_probability;
  }
  EXPECT_NEAR(path_probability(request, result, decisions).log_joint, best, 1e-9);
  const auto truth = path_probability(request, result, labels);
  EXPECT_LT(truth.log_joint, best);
  EXPECT_LT(truth.log_posterior(), 0);
  labels.pop_back();
  expect_error(ErrorKind::invalid_argument, {"1 paths for 2 trials"},
               [&] { (void)path_probability(request, result, labels); });
  expect_error(ErrorKind::unsupported, {"raw", "hidden Markov model"}, [&] {
    (void)path_probability({.participant = cohort()[0], .method = Method::raw, .model = model}, result, decisions);
  });
}

TEST(TrackAttention, FitsToOthersToItselfOrWithoutLabels) {
  const auto others = std::span(cohort()).subspan(1);
  const TrackResult honest = track_attention({.participant = cohort()[0], .others = others});
  EXPECT_EQ(honest.fitted.model.emission, fit_emission({}, others));
  EXPECT_TRUE(honest.notes.empty());
  const TrackResult flattered = track_attention({.participant = cohort()[0]});
  EXPECT_EQ(flattered.fitted.model.origin, "fitted to the labels of the tracked scores themselves");
  ASSERT_EQ(flattered.notes.size(), 1U);
  EXPECT_EQ(flattered.notes[0].kind, NoteKind::doubtful);
  const TrackResult alone = track_attention({.participant = unlabelled()});
  const std::vector one{unlabelled()};
  EXPECT_EQ(alone.fitted.model.emission,
            Emission(emission::fit_baum_welch(one, hmm::Chain::sticky(2, 0.001)).emission));
  EXPECT_FALSE(alone.fitted.history.empty());
  ASSERT_EQ(alone.notes.size(), 1U);
  EXPECT_EQ(alone.notes[0].kind, NoteKind::chosen);
}

TEST(TrackAttention, CalibratesWhatIsGiven) {
  const TrackResult result =
      track_attention({.participant = cohort()[0], .emission = {.calibrate = true}, .model = model});
  EXPECT_EQ(result.fitted.model.origin, "a file; temperature fitted to the labels of the tracked scores themselves");
  EXPECT_NE(result.fitted.model.temperature, 1);
}

TEST(TrackAttention, LaysOutTheMarkovChainByTheOthers) {
  const auto others = std::span(cohort()).subspan(1);
  const TrackResult result =
      track_attention({.participant = unlabelled(), .method = Method::markov_chain, .others = others});
  Notes notes;
  EXPECT_EQ(result.gain_states, with_gain_states({}, count_decisions(others), notes).gain_states);
  EXPECT_FALSE(result.switch_probability);
  EXPECT_EQ(result.fitted.model.origin, "not used by markov-chain");
}

TEST(TrackAttention, RefusesWhatWouldHaveNoEffectOrCannotBeDone) {
  const auto others = std::span(cohort()).subspan(1);
  expect_error(ErrorKind::invalid_argument, {"nothing to fit"},
               [&] { (void)track_attention({.participant = unlabelled(), .model = model, .others = others}); });
  expect_error(ErrorKind::invalid_argument, {"no attended speaker", "baum-welch"},
               [&] { (void)track_attention({.participant = unlabelled(), .emission = {.fit = EmissionFit::labels}}); });
  expect_error(ErrorKind::invalid_argument, {"fit without labels (baum-welch)"}, [&] {
    (void)track_attention({.participant = unlabelled(), .emission = {.family = EmissionFamily::mixture}});
  });
  expect_error(ErrorKind::invalid_argument, {"Baum-Welch only"}, [&] {
    (void)track_attention({.participant = cohort()[0], .emission = {.fit_switch_probability = true}});
  });
  auto slow = cohort();
  for (auto& one : slow) {
    for (auto& trial : one.trials) trial.scores.window = trial.scores.hop = Seconds{2};
  }
  expect_error(ErrorKind::bad_data, {"windows of 1 s", "of 2 s"},
               [&] { (void)track_attention({.participant = unlabelled(), .others = slow}); });
  ScoredParticipant stranger = cohort()[1];
  for (auto& trial : stranger.trials) trial.attention.attended.assign(600, unknown_speaker);
  const std::vector<ScoredParticipant> nobody(2, stranger);
  expect_error(ErrorKind::bad_data, {"fitting to the others", "no labelled window"},
               [&] { (void)track_attention({.participant = unlabelled(), .others = nobody}); });
}

}  // namespace
}  // namespace heed::pipeline
