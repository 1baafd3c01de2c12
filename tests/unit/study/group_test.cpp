// SPDX-License-Identifier: MIT
// The oracle is pipeline::compare, which is held to independent numbers of its own.
#include <gtest/gtest.h>
#include <heed/emission/supervised.h>
#include <study/tracking/group.h>

#include "support/compare_on.h"
#include "support/expect_error.h"
#include "support/scored_cohort.h"

namespace heed::study {
namespace {

using pipeline::TrackerChoice;
using test::scored_participants;
using test::with;
using track::Method;

// The experiment of a setting on these scores.
struct Group : GroupExperiment {
  Group(const Setting& setting, const std::vector<ScoredParticipant>& scores, const RunOptions& options)
      : GroupExperiment(experiment_of(setting, scores, options)) {}
  [[nodiscard]] auto run(std::span<const TrackerChoice> trackers) const { return experiment.run(trackers); }
  [[nodiscard]] double p_of(const Setting& setting) const {
    return tracker_of(setting, experiment).chain.switch_probability.value();
  }
};

const test::ScoredCohortCase sustained{.trial = {1500}, .trials = 1, .interval = {{9000}, {9000}}};

double mean_of(const std::vector<pipeline::TrackerOutcome>& measured,
               std::optional<double> evaluate::ParticipantMetrics::*value) {
  std::vector<std::optional<double>> values;
  for (const pipeline::TrackerOutcome& one : measured) values.push_back(one.metrics.*value);
  return evaluate::summarise(values).mean.value();
}

double accuracy(const std::vector<pipeline::TrackerOutcome>& measured) {
  return mean_of(measured, &evaluate::ParticipantMetrics::accuracy);
}
double switch_time(const std::vector<pipeline::TrackerOutcome>& measured) {
  return mean_of(measured, &evaluate::ParticipantMetrics::switch_time);
}

void expect_as_compare(const Group& group, const std::vector<ScoredParticipant>& scores,
                       const pipeline::CompareRequest& options) {
  const auto comparison = test::compare_on(scores, options);
  std::vector<TrackerChoice> trackers;
  for (const auto& method : comparison.methods) trackers.push_back({.method = method.method});
  const auto measured = group.run(trackers);
  for (std::size_t m = 0; m < trackers.size(); ++m) {
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const auto& expected = comparison.methods[m].participants[k];
      EXPECT_EQ(measured[m][k].metrics.accuracy, expected.metrics.accuracy) << track::name(trackers[m].method);
      EXPECT_EQ(measured[m][k].metrics.switch_time, expected.metrics.switch_time);
      EXPECT_EQ(measured[m][k].calibration.brier(), expected.calibration.brier);
    }
  }
}

TEST(Group, GivesTheNumbersOfAComparisonAsRecorded) {
  const auto scores = scored_participants({});
  expect_as_compare(Group(make_setting({}), scores, {}), scores, {});
}

// Attention never moved: the baseline cuts trials of 600 s and switches at 300 s.
TEST(Group, GivesTheNumbersOfAComparisonWithArtificialSwitches) {
  const auto scores = scored_participants(sustained);
  const Group group(make_setting({}), scores, {});
  expect_as_compare(group, scores, {.trial = Seconds{600}, .switch_every = SwitchInterval{}});
  ASSERT_FALSE(group.notes.empty());
  EXPECT_NE(group.notes[0].text.find("artificially every 300 s"), std::string::npos);
}

TEST(Group, DrawsRandomIntervalsAsAComparisonDoes) {
  const auto scores = scored_participants({});
  const Group group(make_setting({{"switch_interval", "60-125"}, {"repeats", 3.0}}), scores, {.seed = 5});
  const auto comparison = test::compare_on(
      scores, {.methods = {Method::causal}, .switch_every = SwitchInterval{{60}, {125}}, .repeats = 3, .seed = 5});
  const TrackerChoice causal{};
  EXPECT_DOUBLE_EQ(accuracy(group.run({&causal, 1})[0]), *comparison.methods[0].accuracy.mean);
}

TEST(Group, JoinsTrialsAsAComparisonDoes) {
  const auto scores = scored_participants({});
  const Group group(make_setting({{"switch_interval", "60-125"}, {"joined", "yes"}}), scores, {.seed = 5});
  const auto comparison = test::compare_on(scores, {.methods = {Method::causal},
                                                    .join = true,
                                                    .switch_every = SwitchInterval{{60}, {125}},
                                                    .repeats = 1,
                                                    .seed = 5});
  const TrackerChoice causal{};
  EXPECT_DOUBLE_EQ(accuracy(group.run({&causal, 1})[0]), *comparison.methods[0].accuracy.mean);
}

// Windows outside the two minutes are tracked and not judged: the same as labels that were never there.
TEST(Group, JudgesTwoMinutesOfTheListening) {
  const auto scores = scored_participants({});
  const Index rows = scores[0].trials[0].scores.values.rows();
  const double minute = static_cast<double>(rows) / 60 + 1;  // in the second trial
  auto masked = scores;
  for (ScoredParticipant& one : masked) {
    one.trials.erase(one.trials.begin() + 2, one.trials.end());
    one.trials.erase(one.trials.begin());
    auto& attended = one.trials[0].attention.attended;
    for (std::size_t t = 0; t < attended.size(); ++t) {
      if (t < 60 || t >= 180) attended[t] = unknown_speaker;
    }
  }
  const TrackerChoice causal{};
  const auto found = Group(make_setting(with("minute", minute)), scores, {}).run({&causal, 1});
  const auto expected = Group(make_setting({}), masked, {}).run({&causal, 1});
  for (std::size_t k = 0; k < scores.size(); ++k) {
    EXPECT_EQ(found[0][k].metrics.accuracy, expected[0][k].metrics.accuracy) << k;
  }
  test::expect_error(ErrorKind::bad_data, {"minute 999"},
                     [&] { Group(make_setting(with("minute", 999.0)), scores, {}); });
}

TEST(Group, IsTheSameForAnyNumberOfThreads) {
  const auto scores = scored_participants({});
  const std::vector<TrackerChoice> trackers{{.method = Method::causal}, {.method = Method::markov_chain}};
  const auto one = Group(make_setting({}), scores, {.threads = {1}}).run(trackers);
  const auto three = Group(make_setting({}), scores, {.threads = {3}}).run(trackers);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    EXPECT_EQ(one[0][k].metrics.accuracy, three[0][k].metrics.accuracy);
    EXPECT_EQ(one[1][k].metrics.switch_time, three[1][k].metrics.switch_time);
  }
}

// x' = x + alpha (mu_a - mu_u): twice the separation at alpha = 1, and so the accuracy Phi(2 d / sqrt 2).
TEST(Group, ShiftsAttendedScoresByAlpha) {
  const auto scores = scored_participants({.participants = 6, .accuracy = 0.6});
  const TrackerChoice raw{.method = Method::raw};
  const auto at = [&](double alpha) {
    return accuracy(Group(make_setting(with("accuracy_shift", alpha)), scores, {}).run({&raw, 1})[0]);
  };
  EXPECT_NEAR(at(0), 0.6, 0.03);
  const double doubled = 0.5 * std::erfc(-2 * sim::separation_for_accuracy(2, at(0)) / 2);
  EXPECT_NEAR(at(1), doubled, 0.02);
  EXPECT_LT(at(-0.5), at(0));
  EXPECT_GT(at(5), 0.85);
}

TEST(Group, RaisesPUntilItSwitchesAsFastAsTheStateSpaceModel) {
  const auto scores = scored_participants({.participants = 8, .trials = 4});
  const Group group(make_setting({}), scores, {});
  const double p =
      p_of_switch_time(group.experiment, mean_switch_time(group.experiment, {.method = Method::state_space}));
  const std::vector<TrackerChoice> trackers{{.method = Method::state_space},
                                            {.method = Method::causal, .chain = {.switch_probability = p}}};
  const auto measured = group.run(trackers);
  EXPECT_GT(p, 0.001);
  EXPECT_LE(p, 0.5);
  EXPECT_NEAR(switch_time(measured[0]), switch_time(measured[1]), 1) << "p is fine, times are whole windows";
}

TEST(Group, KnowsItsP) {
  const auto scores = scored_participants({});
  const Group group(make_setting({}), scores, {});
  EXPECT_DOUBLE_EQ(group.p_of(make_setting({})), 0.001);
  EXPECT_DOUBLE_EQ(group.p_of(make_setting(with("switch_probability", 0.03))), 0.03);
  EXPECT_DOUBLE_EQ(group.p_of(make_setting({{"switch_probability", "once-an-interval"}, {"switch_interval", 20.0}})),
                   0.05);
}

TEST(Group, RunsTheBankWherePIsUnknown) {
  const auto scores = scored_participants({});
  const Setting unknown = make_setting(with("switch_probability", "auto"));
  const Group group(unknown, scores, {});
  EXPECT_TRUE(same_group(unknown, make_setting({}))) << "fits to labels do not depend on p";
  const TrackerChoice tracker = tracker_of(unknown, group.experiment);
  EXPECT_FALSE(tracker.chain.switch_probability);
  EXPECT_TRUE(tracker.chain.unknown_switch_probability);
  pipeline::CompareRequest request{.methods = {Method::causal}};
  request.chain.unknown_switch_probability = true;
  request.emission.evidence = pipeline::EvidenceCounting::as_is;
  const auto comparison = test::compare_on(scores, request);
  const auto measured = group.run({&tracker, 1});
  for (std::size_t k = 0; k < scores.size(); ++k) {
    EXPECT_EQ(measured[0][k].metrics.accuracy, comparison.methods[0].participants[k].metrics.accuracy);
    ASSERT_TRUE(measured[0][k].switching);
    EXPECT_EQ(measured[0][k].switching->weights, comparison.switching[k].weights);
  }
  test::expect_error(ErrorKind::invalid_argument, {"switch_probability auto together with calibrated"}, [] {
    (void)make_setting({{"switch_probability", "auto"}, {"calibrated", "yes"}});
  });
}

double switches_of(const Group& group) {
  const TrackerChoice causal{};
  return group.run({&causal, 1})[0].front().metrics.switches;
}

// The paper's second data set: three trials with a switch and three without, six switches of each listener in all.
TEST(Group, MovesAttentionInEveryTrialInWhichNobodyDid) {
  auto scores = scored_participants({.trial = {600}, .trials = 6, .interval = {{300}, {300}}});
  for (auto& participant : scores) {
    for (std::size_t k = 0; k < 3; ++k) {
      auto& attended = participant.trials[k].attention.attended;
      for (std::size_t t = 300; t < attended.size(); ++t) {
        if (attended[t] != attended[0]) participant.trials[k].scores.values.row(static_cast<Index>(t)).reverseInPlace();
        attended[t] = attended[0];
      }
    }
  }
  const Group group(make_setting({}), scores, {});
  EXPECT_EQ(switches_of(group), 6);
  ASSERT_EQ(group.notes.size(), 1U);
  EXPECT_NE(group.notes[0].text.find("In trials without a recorded switch"), std::string::npos);
  EXPECT_EQ(switches_of(Group(make_setting(with("switch_interval", "recorded")), scores, {})), 3);
  EXPECT_EQ(switches_of(Group(make_setting(with("switch_interval", "none")), scores, {})), 0);
}

// Columns s and -s: the product doubles every log-likelihood ratio, exchangeable speakers do not, and evidence times
// one half undoes it.
TEST(Group, OneNumberInTwoColumnsCountsTwice) {
  const auto scores = scored_participants({});
  const auto measured = [&](const NamedValues& values) {
    const TrackerChoice causal{};
    return Group(make_setting(values), scores, {}).run({&causal, 1})[0];
  };
  const NamedValue difference{"columns", "difference"};
  const auto given = measured({{"spread", "shared"}});
  const auto twice = measured({difference, {"spread", "shared"}});
  const auto once = measured({difference, {"spread", "exchangeable"}});
  const auto halved = measured({difference, {"spread", "shared"}, {"evidence", 0.5}});
  EXPECT_LT(switch_time(twice), switch_time(given));
  for (std::size_t k = 0; k < scores.size(); ++k) {
    EXPECT_NEAR(*once[k].calibration.brier(), *halved[k].calibration.brier(), 1e-9);
    EXPECT_GT(std::abs(*twice[k].calibration.brier() - *once[k].calibration.brier()), 1e-4);
  }
}

// Nobody asked for a spread, and one was chosen: that is said, once for the cohort.
TEST(Group, SaysThatColumnsAreOneScore) {
  const auto scores = scored_participants({});
  const auto said = [&](const NamedValues& values) {
    const Group group(make_setting(values), scores, {});
    return std::ranges::count(group.notes, std::string(emission::columns_repeat_words), &Note::text);
  };
  const NamedValue difference{"columns", "difference"};
  EXPECT_EQ(said({difference}), 1);
  EXPECT_EQ(said({difference, {"emission", "baum-welch"}}), 1);
  EXPECT_EQ(said({difference, {"spread", "shared"}}), 0);
  EXPECT_EQ(said({difference, {"spread", "exchangeable"}}), 0) << "it was asked for";
  EXPECT_EQ(said({}), 0);
}

TEST(Group, RivalsHaveOperatingPointsToo) {
  const auto scores = scored_participants({});
  const Group group(make_setting({}), scores, {});
  std::vector<TrackerChoice> trackers;
  for (const auto& [name, value] : {NamedValue{"gain_states", 5.0}, NamedValue{"gain_states", 41.0}}) {
    trackers.push_back(tracker_of(make_setting({{"tracker", "markov-chain"}, {name, value}}), group.experiment));
  }
  for (const double step : {1.0, 0.1}) {
    trackers.push_back(
        tracker_of(make_setting({{"tracker", "probabilistic-gain"}, {"gain_step", step}}), group.experiment));
  }
  const auto measured = group.run(trackers);
  EXPECT_LT(switch_time(measured[0]), switch_time(measured[1]));
  EXPECT_EQ(measured[1][0].gain_states, 41);
  EXPECT_LT(switch_time(measured[2]), switch_time(measured[3]));
  EXPECT_TRUE(same_group(make_setting(with("gain_states", 5.0)), make_setting(with("gain_step", 1.0))));
  EXPECT_FALSE(same_group(make_setting({}), make_setting(with("evidence", 2.0))));
}

TEST(Group, MeasuresGainsByTheMapOfTheSetting) {
  const auto scores = scored_participants({});
  const Group group(make_setting({}), scores, {});
  for (const char* word : {"dead-zone", "2dB/nat"}) {
    const TrackerChoice tracker = tracker_of(make_setting(with("gain_map", word)), group.experiment);
    const auto expected =
        evaluate::GainWorth::measure(group.experiment.track_one(1, tracker), evaluate::with_map(word));
    const auto measured = group.experiment.run_one(1, {&tracker, 1}).front().gains;
    EXPECT_EQ(measured.benefit(), expected.benefit());
    EXPECT_EQ(measured.travel(), expected.travel());
  }
  EXPECT_TRUE(same_group(make_setting({}), make_setting(with("gain_map", "decision"))));
  const auto three = sim::simulate_scores({.speakers = 3, .participants = 4});
  const Group of_three(make_setting({}), three, {});
  EXPECT_FALSE(obstacle(evaluate::with_map("2dB/nat"), of_three.experiment));
  EXPECT_NE(
      obstacle(evaluate::with_map("intelligibility"), of_three.experiment).value_or("").find("two speakers, not for 3"),
      std::string::npos);
}

TEST(Group, SaysThatNoSwitchWasRecorded) {
  const auto scores = scored_participants(sustained);
  test::expect_error(ErrorKind::bad_data, {"no switch of attention was recorded"},
                     [&] { Group group(make_setting(with("switch_interval", "recorded")), scores, {}); });
  test::expect_error(ErrorKind::bad_data, {"no switch of attention was recorded"},
                     [&] { Group group(make_setting(with("trials", "switching")), scores, {}); });
}

TEST(Group, TakesTheTrialsAskedFor) {
  auto scores = scored_participants({});
  for (auto& participant : scores) {
    participant.trials[0].attention.attended.assign(participant.trials[0].attention.attended.size(), 0);
  }
  const TrackerChoice causal{};
  const auto windows = [&](const char* kind) {
    return Group(make_setting(with("trials", kind)), scores, {}).run({&causal, 1})[0][0].metrics;
  };
  EXPECT_EQ(windows("all").windows, 1200);
  EXPECT_EQ(windows("switching").windows, 600);
  EXPECT_EQ(windows("switching").switches, 1);
  EXPECT_EQ(windows("sustained").switches, 0);
}

TEST(Group, HoldsWhatDiffersInTrackerPAndLookAheadOnly) {
  const Setting base = make_setting({});
  EXPECT_TRUE(same_group(base, make_setting(with("tracker", "viterbi"))));
  EXPECT_TRUE(same_group(base, make_setting(with("switch_probability", 0.1))));
  EXPECT_TRUE(same_group(base, make_setting(with("look_ahead", 10.0))));
  EXPECT_FALSE(same_group(base, make_setting(with("window", 2.0))));
  EXPECT_FALSE(same_group(base, make_setting(with("accuracy_shift", 1.0))));
  const Setting calibrated = make_setting(with("calibrated", "yes"));
  EXPECT_FALSE(same_group(calibrated, make_setting({{"calibrated", "yes"}, {"switch_probability", 0.1}})))
      << "the temperature depends on p";
}

TEST(Group, TracksOneParticipant) {
  const auto scores = scored_participants({});
  const Group group(make_setting({}), scores, {});
  const TrackedParticipant tracked = group.experiment.track_one(2, {.method = Method::smooth});
  EXPECT_EQ(tracked.id, "03");
  EXPECT_EQ(tracked.trials.at(0).posteriors.values.rows(), 600);
}

}  // namespace
}  // namespace heed::study
