// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>
#include <heed/pipeline/compare.h>
#include <heed/pipeline/method_choice.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/track_participant.h>

#include <algorithm>

namespace heed::pipeline {
namespace {

using track::Method;

std::vector<ScoredParticipant> cohort(int speakers = 2) {
  return sim::simulate_scores({.speakers = speakers, .participants = 4, .trials = 1, .trial = Seconds{240}, .seed = 3});
}

bool has(const std::vector<Method>& methods, Method method) {
  return std::ranges::find(methods, method) != methods.end();
}

TEST(MethodsFor, AreAllForCorrelationsOfTwoSpeakers) {
  Notes notes;
  const auto methods = methods_for(cohort(), {}, {}, notes);
  EXPECT_EQ(methods.size(), track::all_methods().size());
  EXPECT_EQ(methods.front(), Method::causal) << "the others are tested against it";
  EXPECT_TRUE(notes.empty());
}

void expect_left_out(const std::vector<ScoredParticipant>& participants, Method method, const std::string& why) {
  Notes notes;
  const auto methods = methods_for(participants, {}, {}, notes);
  EXPECT_FALSE(has(methods, method));
  EXPECT_TRUE(std::ranges::any_of(notes, [&](const std::string& note) {
    return note.find(std::string(track::name(method)) + " is left out") == 0 && note.find(why) != std::string::npos;
  })) << why;
  try {
    (void)methods_for(participants, std::vector{Method::causal, method}, {}, notes);
    FAIL() << track::name(method) << " was asked for by name";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(MethodsFor, LeaveOutTheStateSpaceModelWhereItWasNotMadeFor) {
  expect_left_out(cohort(3), Method::state_space, "two speakers apart, not 3");
  auto odds = cohort();
  for (auto& participant : odds) participant.type = ScoreType::log_odds;
  expect_left_out(odds, Method::state_space, "correlations");
  auto beyond = cohort();
  beyond[2].trials[0].scores.values(7, 1) = -3;
  expect_left_out(beyond, Method::state_space, "correlations");
  auto slow = cohort();
  for (auto& participant : slow) participant.trials[0].scores.window = Seconds{30};
  expect_left_out(slow, Method::state_space, "too long");
}

TEST(MethodsFor, LeaveOutWhatWantsAScoreASpeakerWhereThereAreFeatures) {
  auto features = cohort();
  for (auto& participant : features) participant.features = {"x", "y"};
  expect_left_out(features, Method::markov_chain, "features");
  expect_left_out(features, Method::state_space, "features");
  Notes notes;
  EXPECT_TRUE(has(methods_for(features, {}, {}, notes), Method::probabilistic_gain));
}

TEST(Obstacle, StopsATrackerToo) {
  auto participant = cohort()[0];
  participant.type = ScoreType::log_odds;
  try {
    (void)track_participant(participant, GaussianEmission{}, track::StateSpaceTracker{});
    FAIL() << "log-odds are no correlations";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  }
}

TEST(GainStates, ComeFromTheOthersByTheRuleOfTheMesd) {
  const auto participants = cohort();
  Notes notes;
  const auto options = leave_one_out_gain_states({}, participants, notes);
  ASSERT_EQ(options.size(), participants.size());
  for (std::size_t k = 0; k < participants.size(); ++k) {
    double won = 0;
    double pairs = 0;
    for (std::size_t other = 0; other < participants.size(); ++other) {
      if (other == k) continue;
      const auto counts = evaluate::count_decisions(participants[other]);
      won += counts.won;
      pairs += counts.pairs;
    }
    EXPECT_EQ(options[k].gain_states, track::gain_states_for(won / pairs).states);
    auto others = participants;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    EXPECT_EQ(with_gain_states({}, others, notes).gain_states, options[k].gain_states);
  }
  EXPECT_TRUE(notes.empty());
}

TEST(GainStates, AreNotChosenWhereTheyAreGiven) {
  Notes notes;
  for (const auto& options : leave_one_out_gain_states({.gain_states = 23}, cohort(), notes)) {
    EXPECT_EQ(options.gain_states, 23);
  }
  EXPECT_EQ(with_gain_states({.gain_states = 7}, cohort(), notes).gain_states, 7);
  EXPECT_TRUE(notes.empty());
}

TEST(GainStates, AreSaidWhereNothingWasLearnt) {
  Notes notes;
  const auto alone = cohort();
  EXPECT_FALSE(leave_one_out_gain_states({}, std::span(alone).first(1), notes)[0].gain_states);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("participant " + alone[0].id), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("17 are taken"), std::string::npos) << notes[0];
}

TEST(GainStates, AreCappedForListenersNobodyCanDecide) {
  auto wrong = cohort();
  for (auto& participant : wrong) {
    for (auto& label : participant.trials[0].attention.attended) label = label == 0 ? 1 : 0;
  }
  Notes notes;
  EXPECT_EQ(with_gain_states({}, wrong, notes).gain_states, 101);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("too poorly"), std::string::npos) << notes[0];
}

TEST(GainStates, AreWhatTheComparisonUses) {
  const auto participants = cohort();
  const Comparison comparison = compare(participants, {.methods = {Method::markov_chain, Method::raw}});
  Notes notes;
  const auto options = leave_one_out_gain_states({}, participants, notes);
  for (std::size_t k = 0; k < participants.size(); ++k) {
    const ParticipantResult& result = comparison.methods[0].participants[k];
    EXPECT_EQ(result.gain_states, options[k].gain_states);
    const auto tracked =
        track_participant(participants[k], GaussianEmission{}, track::MarkovChainTracker{*options[k].gain_states});
    EXPECT_EQ(result.metrics.accuracy, evaluate::measure_participant(tracked).accuracy);
    EXPECT_FALSE(comparison.methods[1].participants[k].gain_states);
  }
}

}  // namespace
}  // namespace heed::pipeline
