// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/experiment.h>
#include <pipeline/method_choice.h>
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
  EXPECT_TRUE(std::ranges::any_of(notes, [&](const Note& note) {
    return note.kind == NoteKind::left_out && note.text.find(track::name(method)) == 0 &&
           note.text.find(why) != std::string::npos;
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
  expect_left_out(cohort(3), Method::state_space, "for two speakers, not 3");
  auto odds = cohort();
  for (auto& participant : odds) participant.type = ScoreType::log_odds;
  expect_left_out(odds, Method::state_space, "correlations");
  auto beyond = cohort();
  beyond[2].trials[0].scores.values(7, 1) = -3;
  expect_left_out(beyond, Method::state_space, "correlations");
  auto slow = cohort();
  for (auto& participant : slow) participant.trials[0].scores.window = participant.trials[0].scores.hop = Seconds{30};
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

// [k]: what the Markov chain of participant k is run with.
std::vector<TrackerOutcome> gain_control(std::span<const ScoredParticipant> participants,
                                         const track::MethodOptions& options = {}) {
  const Experiment experiment(participants, {.emission = {.given = GaussianEmission{}}});
  const TrackerChoice choice{.method = Method::markov_chain, .options = options};
  return experiment.run({&choice, 1}).front();
}

TEST(GainStates, ComeFromTheOthersByTheRuleOfTheMesd) {
  const auto participants = cohort();
  const auto outcomes = gain_control(participants);
  for (std::size_t k = 0; k < participants.size(); ++k) {
    double won = 0;
    double pairs = 0;
    for (std::size_t other = 0; other < participants.size(); ++other) {
      if (other == k) continue;
      const auto counts = evaluate::count_decisions(participants[other]);
      won += counts.won;
      pairs += counts.pairs;
    }
    EXPECT_EQ(outcomes[k].gain_states, track::gain_states_for(won / pairs).states);
    EXPECT_TRUE(outcomes[k].notes.empty());
    const auto tracked =
        track_participant(participants[k], GaussianEmission{}, track::MarkovChainTracker{*outcomes[k].gain_states});
    EXPECT_EQ(outcomes[k].metrics.accuracy, evaluate::measure_participant(tracked).accuracy);
  }
}

TEST(GainStates, AreNotChosenWhereTheyAreGiven) {
  for (const TrackerOutcome& outcome : gain_control(cohort(), {.gain_states = 23})) EXPECT_EQ(outcome.gain_states, 23);
  Notes notes;
  EXPECT_EQ(with_gain_states({.gain_states = 7}, count_decisions(cohort()), notes).gain_states, 7);
  EXPECT_TRUE(notes.empty());
}

TEST(GainStates, AreSaidWhereNothingWasLearnt) {
  const auto alone = cohort();
  const auto outcomes = gain_control(std::span(alone).first(1));
  EXPECT_EQ(outcomes[0].gain_states, 17);
  ASSERT_EQ(outcomes[0].notes.size(), 1U);
  EXPECT_EQ(outcomes[0].notes[0].subject, alone[0].id);
  EXPECT_NE(outcomes[0].notes[0].text.find("17 are taken"), std::string::npos) << outcomes[0].notes[0].text;
}

TEST(GainStates, AreCappedForListenersNobodyCanDecide) {
  auto wrong = cohort();
  for (auto& participant : wrong) {
    for (auto& label : participant.trials[0].attention.attended) label = label == 0 ? 1 : 0;
  }
  Notes notes;
  EXPECT_EQ(with_gain_states({}, count_decisions(wrong), notes).gain_states, 101);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].text.find("too poorly"), std::string::npos) << notes[0].text;
}

}  // namespace
}  // namespace heed::pipeline
