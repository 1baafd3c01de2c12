// SPDX-License-Identifier: MIT
// Simulated scores number by number against an independent implementation (numpy, scipy's quad and
// brentq): names, shapes, switches, seeds, and options that make no sense.
#include <heed/data/error.h>
#include <heed/sim/score_cohort.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heed::sim {
namespace {

bool same_scores(const ScoredTrial& a, const ScoredTrial& b) {
  return a.name == b.name && a.onset == b.onset && a.scores.values == b.scores.values &&
         a.attention.attended == b.attention.attended;
}

std::string failure_of(const ScoreCohortOptions& options) {
  try {
    (void)simulate_scores(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    return error.what();
  }
  return "no error";
}

TEST(ScoreCohort, TwoSpeakersHaveAClosedForm) {
  for (const double accuracy : {0.5001, 0.58, 0.75, 0.95, 0.9999}) {
    const double d = separation_for_accuracy(2, accuracy);
    EXPECT_NEAR(std::erfc(-d / 2) / 2, accuracy, 1e-13);  // Phi(d / sqrt 2)
  }
}

// scipy 1.10: brentq(lambda d: quad(lambda x: pdf(x) cdf(x + d)**(N - 1), -10, 10)[0] - accuracy, 0, 10)

TEST(ScoreCohort, SeparationEqualsScipy) {
  EXPECT_NEAR(separation_for_accuracy(2, 0.58), 0.2855204963570955, 1e-11);
  EXPECT_NEAR(separation_for_accuracy(3, 0.45), 0.3938756367508244, 1e-11);
  EXPECT_NEAR(separation_for_accuracy(3, 0.9), 2.230199841513692, 1e-11);
  EXPECT_NEAR(separation_for_accuracy(4, 0.6), 1.153241091239666, 1e-11);
  EXPECT_NEAR(separation_for_accuracy(10, 0.2), 0.5031895546363603, 1e-11);
}

TEST(ScoreCohort, MayBeEndedBetweenParticipants) {
  int made = 0;
  const auto stop = [&] {
    if (++made == 2) throw std::runtime_error("enough");
  };
  EXPECT_THROW((void)simulate_scores({.participants = 5, .trials = 1}, stop), std::runtime_error);
  EXPECT_EQ(made, 2);
}

TEST(ScoreCohort, GoldenDefaultCohort) {
  const auto cohort = simulate_scores();
  ASSERT_EQ(cohort.size(), 13U);
  const auto& trials = cohort[0].trials;
  ASSERT_EQ(trials.size(), 4U);
  Matrix expected(3, 2);
  expected << -0.21855680993829366, 0.07627304989610531, -0.17236473114236123, 0.08800051983810908, 0.26955561458246613,
      0.6589907045190516;
  EXPECT_LT((trials[0].scores.values.topRows(3) - expected).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_EQ(trials[0].attention.attended[0], 1);
  EXPECT_EQ(trials[0].attention.attended[299], 1);
  EXPECT_EQ(trials[0].attention.attended[300], 0);
  EXPECT_NEAR(trials[3].scores.values(599, 0), -0.16590441964441013, 1e-11);
  EXPECT_NEAR(trials[3].scores.values(599, 1), 0.550053481889331, 1e-11);
  EXPECT_EQ(trials[3].attention.attended[599], 1);
}

TEST(ScoreCohort, GoldenCohortWithEveryOption) {
  ScoreCohortOptions options;
  options.seed = 7;
  options.speakers = 3;
  options.participants = 3;
  options.trials = 2;
  options.trial = Seconds{100};
  options.window = Seconds{0.8};
  options.accuracy = 0.5;
  options.accuracy_spread = 0.05;
  options.autocorrelation = 0.2;
  options.interval = {Seconds{20}, Seconds{40}};
  options.artefact_rate = 0.1;
  options.artefact_length = Seconds{2};
  const ScoredTrial trial = simulate_scores(options)[2].trials[1];
  ASSERT_EQ(trial.scores.values.rows(), 125);
  Matrix expected(2, 3);
  expected << -0.13320714430520644, 0.24650841313778749, 0.13164075628615793, -0.20251457088226282, 0.4492736855483234,
      -0.10294599649563219;
  EXPECT_LT((trial.scores.values.topRows(2) - expected).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_NEAR(trial.scores.values(124, 2), 0.4123042399778281, 1e-11);

  std::vector<Index> missing;
  for (Index t = 0; t < 125; ++t) {
    if (std::isnan(trial.scores.values(t, 0))) missing.push_back(t);
  }
  EXPECT_EQ(missing, (std::vector<Index>{7, 14, 15, 16, 25, 26, 35, 36, 38, 56, 98, 101, 102, 103, 113, 114}));
  std::vector<Speaker> attended(30, 1);
  attended.resize(77, 2);
  attended.push_back(unknown_speaker);
  attended.resize(107, 0);
  attended.push_back(unknown_speaker);
  attended.resize(125, 1);
  EXPECT_EQ(trial.attention.attended, attended);
}

TEST(ScoreCohort, NamesAndShapes) {
  ScoreCohortOptions options;
  options.participants = 100;
  options.trials = 2;
  options.trial = Seconds{10.9};
  const auto cohort = simulate_scores(options);
  EXPECT_EQ(cohort[0].id, "01");
  EXPECT_EQ(cohort[8].id, "09");
  EXPECT_EQ(cohort[9].id, "10");
  EXPECT_EQ(cohort[99].id, "100");
  EXPECT_EQ(cohort[0].type, ScoreType::correlation);
  EXPECT_EQ(cohort[0].speakers, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(cohort[0].trials[1].name, "2");
  EXPECT_EQ(cohort[0].trials[1].onset, Seconds{10.9});
  EXPECT_EQ(cohort[0].trials[0].scores.values.rows(), 10);  // the partial window is dropped
  EXPECT_EQ(cohort[0].trials[0].attention.attended.size(), 10U);
  options.speakers = 3;
  options.accuracy = 0.45;
  options.participants = 1;
  EXPECT_EQ(simulate_scores(options)[0].speakers, (std::vector<std::string>{"speaker-1", "speaker-2", "speaker-3"}));
}

TEST(ScoreCohort, FixedSwitchesRotateThroughTheSpeakers) {
  ScoreCohortOptions options;
  options.speakers = 3;
  options.accuracy = 0.45;
  options.participants = 20;
  options.trials = 1;
  options.interval = {Seconds{200}, Seconds{200}};
  std::array<int, 3> first{};
  for (const auto& participant : simulate_scores(options)) {
    const auto& attended = participant.trials[0].attention.attended;
    for (std::size_t t = 0; t < 600; ++t) ASSERT_EQ(attended[t], (attended[0] + static_cast<int>(t / 200)) % 3);
    ++first[static_cast<std::size_t>(attended[0])];
  }
  EXPECT_GT(*std::min_element(first.begin(), first.end()), 0);  // drawn, not always the same
}

TEST(ScoreCohort, RandomSwitchesCoverTheRange) {
  ScoreCohortOptions options;
  options.participants = 40;
  options.interval = {Seconds{60}, Seconds{65}};
  std::vector<int> seen(70, 0);
  for (const auto& participant : simulate_scores(options)) {
    for (const ScoredTrial& trial : participant.trials) {
      std::size_t block_start = 0;
      const auto& attended = trial.attention.attended;
      for (std::size_t t = 1; t < attended.size(); ++t) {
        if (attended[t] == attended[t - 1]) continue;
        ASSERT_EQ(attended[t], 1 - attended[t - 1]);
        ASSERT_GE(t - block_start, 60U);
        ASSERT_LE(t - block_start, 65U);
        ++seen[t - block_start];
        block_start = t;
      }
    }
  }
  for (std::size_t length = 60; length <= 65; ++length) EXPECT_GT(seen[length], 150);  // 1,400 blocks in all
}

// Its scores are those of who was attended at its middle, where a switch counts already.
TEST(ScoreCohort, AWindowWithASwitchInsideIsUnknown) {
  ScoreCohortOptions options;
  options.participants = 1;
  options.trials = 1;
  options.accuracy = 1 - 1e-9;  // the largest score is the attended one
  options.accuracy_spread = 0;
  options.window = Seconds{2};
  options.trial = Seconds{20};
  const auto simulate = [&](double interval) {
    options.interval = {Seconds{interval}, Seconds{interval}};
    return simulate_scores(options)[0].trials[0];
  };
  const auto largest = [](const ScoredTrial& trial) {
    std::vector<Speaker> path;
    for (const auto& row : trial.scores.values.rowwise()) path.push_back(row[0] > row[1] ? 0 : 1);
    return path;
  };
  const Speaker a = simulate(20).attention.attended[0];
  const Speaker b = 1 - a;
  const Speaker u = unknown_speaker;
  // At 5 (the middle of window 2), 10 (between two windows) and 15 (the middle of window 7).
  EXPECT_EQ(simulate(5).attention.attended, (std::vector<Speaker>{a, a, u, b, b, a, a, u, b, b}));
  EXPECT_EQ(largest(simulate(5)), (std::vector<Speaker>{a, a, b, b, b, a, a, b, b, b}));
  // At 5.5 (after the middle of window 2), 11 (the middle of window 5), 16.5 (early in window 8).
  EXPECT_EQ(simulate(5.5).attention.attended, (std::vector<Speaker>{a, a, u, b, b, u, a, a, u, b}));
  EXPECT_EQ(largest(simulate(5.5)), (std::vector<Speaker>{a, a, a, b, b, a, a, a, b, b}));
}

// .1 s windows do not add up exactly: switches still fall between windows, none inside.

TEST(ScoreCohort, SwitchesOnTheWindowGridStraddleNothing) {
  ScoreCohortOptions options;
  options.participants = 1;
  options.trials = 1;
  options.window = Seconds{0.1};
  options.trial = Seconds{600};
  options.interval = {Seconds{0.7}, Seconds{0.7}};
  const auto attended = simulate_scores(options)[0].trials[0].attention.attended;
  ASSERT_EQ(attended.size(), 6000U);
  for (std::size_t t = 0; t < attended.size(); ++t) {
    ASSERT_EQ(attended[t], (attended[0] + static_cast<int>(t / 7)) % 2) << t;
  }
}

TEST(ScoreCohort, AParticipantDoesNotDependOnTheOthers) {
  ScoreCohortOptions options;
  options.participants = 3;
  const auto few = simulate_scores(options);
  options.participants = 9;
  const auto many = simulate_scores(options);
  for (std::size_t k = 0; k < few.size(); ++k) {
    EXPECT_EQ(few[k].id, many[k].id);
    for (std::size_t t = 0; t < 4; ++t) EXPECT_TRUE(same_scores(few[k].trials[t], many[k].trials[t]));
  }
  EXPECT_FALSE(same_scores(many[0].trials[0], many[1].trials[0]));
  options.seed = 2;
  EXPECT_FALSE(same_scores(simulate_scores(options)[0].trials[0], many[0].trials[0]));
}

TEST(ScoreCohort, BadOptionsAreNamed) {
  const auto refuses = [](auto change, std::string_view words) {
    ScoreCohortOptions options;
    change(options);
    const std::string message = failure_of(options);
    EXPECT_NE(message.find(words), std::string::npos) << message << "\nshould say: " << words;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  refuses([](auto& o) { o.speakers = 1; }, "speakers 1");
  refuses([](auto& o) { o.speakers = 0; }, "speakers 0");
  refuses([](auto& o) { o.participants = 0; }, "participants 0");
  refuses([](auto& o) { o.trials = 0; }, "trials 0");
  refuses([](auto& o) { o.window = Seconds{0}; }, "window 0 s must be positive");
  refuses([](auto& o) { o.trial = Seconds{0.5}; }, "trial 0.5 s must hold");
  refuses([](auto& o) { o.trial = Seconds{std::numeric_limits<double>::infinity()}; }, "trial inf s");
  refuses([](auto& o) { o.accuracy = 0.5; }, "accuracy 0.5 must lie above chance, 0.5 for 2 speakers");
  refuses([](auto& o) { o.accuracy = 1; }, "accuracy 1 ");
  refuses([](auto& o) { o.accuracy = nan; }, "accuracy nan");
  refuses([](auto& o) { o.accuracy_spread = -0.1; }, "accuracy spread -0.1");
  refuses([](auto& o) { o.autocorrelation = 1; }, "the autocorrelation must be at least 0 and below 1, not 1");
  refuses([](auto& o) { o.autocorrelation = -0.1; }, "below 1, not -0.1");
  refuses([](auto& o) { o.interval = {Seconds{0}, Seconds{0}}; }, "switch interval 0 to 0 s");
  refuses([](auto& o) { o.interval = {Seconds{90}, Seconds{60}}; }, "the shorter first");
  refuses([](auto& o) { o.interval = {Seconds{60.5}, Seconds{90}}; }, "whole seconds");
  refuses([](auto& o) { o.interval = {Seconds{0.5}, Seconds{0.5}}; }, "shorter than a window");
  refuses([](auto& o) { o.artefact_rate = 0.6; }, "artefact rate 0.6");
  refuses([](auto& o) { o.artefact_length = Seconds{0}; }, "artefact length 0 s");
  EXPECT_THROW((void)separation_for_accuracy(3, 0.3), Error);
}

}  // namespace
}  // namespace heed::sim
