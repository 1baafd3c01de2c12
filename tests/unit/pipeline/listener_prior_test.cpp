// SPDX-License-Identifier: MIT
// Who may be learnt from. A leak would gain a few tenths of a point and never be noticed in a result, so it is made
// impossible to overlook here: whatever must not be seen is poisoned.
#include <gtest/gtest.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/listener_prior.h>
#include <pipeline/scoring/training.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "support/expect_error.h"
#include "support/population_cases.h"

namespace heed::pipeline {
namespace {

using test::least_squares_population;

constexpr Seconds second{1};
constexpr std::array second_windows{decode::WindowLayout(second)};
constexpr float poison = std::numeric_limits<float>::quiet_NaN();

struct Case {
  std::vector<test::Listener> cohort{};
  Population population{};
  explicit Case(const test::CohortCase& one = {}, const PopulationOptions& options = least_squares_population())
      : cohort(test::make_cohort(one)), population(test::population_of(cohort, options)) {}

  [[nodiscard]] ListenerPrior prior(std::size_t listener, std::optional<double> weight = {}) const {
    return {population, cohort[listener].trials.id, cohort[listener].sources, weight};
  }
  [[nodiscard]] std::string trial(std::size_t listener, std::size_t trial) const {
    return cohort[listener].trials.trials[trial].name;
  }
};

DecoderShape shape_of(const test::Listener& listener) {
  return {listener.trials.trials[0].channels, training_options(least_squares_population().choice, second).lags};
}

// ---- who ----

// Of any population, listener and test: exactly the others who heard nothing of it.
RC_GTEST_PROP(ListenerPrior, UsesOthersWhoHeardOtherSoundsAndNobodyElse, ()) {
  const auto name = [](const char* what, int k) { return what + std::to_string(k); };
  Population population;
  const int count = *rc::gen::inRange(1, 30);
  for (int k = 0; k < count; ++k) {
    PopulationEntry entry{.listener = name("l", *rc::gen::inRange(0, 6)), .run = name("run", k)};
    entry.recording = name("r", *rc::gen::inRange(0, 12));
    for (int s = 0; s < 8; ++s) {
      if (*rc::gen::arbitrary<bool>()) entry.stimuli.push_back(name("s", s));
    }
    population.entries.push_back(entry);
  }
  std::vector<TrialSource> own;
  for (int k = 0; k < 3; ++k) {
    own.push_back({.trial = name("t", k), .run = "", .recording = name("r", *rc::gen::inRange(0, 12))});
    own.back().stimuli = {name("s", *rc::gen::inRange(0, 8)), name("s", *rc::gen::inRange(0, 8))};
  }
  const std::vector<std::string> tested(static_cast<std::size_t>(*rc::gen::inRange(0, 3)), "t1");
  const auto used = ListenerPrior(population, "l0", own).usable(tested);

  std::set<std::string> me{"l0"};
  for (const auto& entry : population.entries) {
    for (const auto& source : own) {
      if (entry.recording == source.recording) me.insert(entry.listener);
    }
  }
  for (const PopulationEntry& entry : population.entries) {
    bool heard = false;
    for (const auto& sound : entry.stimuli) {
      heard |= !tested.empty() && std::ranges::find(own[1].stimuli, sound) != own[1].stimuli.end();
    }
    const bool may = !me.contains(entry.listener) && !heard;
    RC_ASSERT(may == (std::ranges::find(used, &entry) != used.end()));
  }
}

TEST(ListenerPrior, KnowsAListenerByTheRecordingUnderAnyName) {
  const Case one;
  const ListenerPrior renamed(one.population, "99", one.cohort[2].sources);
  EXPECT_EQ(renamed.others({}), 5U);
  for (const PopulationEntry* entry : renamed.usable({})) EXPECT_NE(entry->listener, "03");
  // One run is enough to know the other by.
  const ListenerPrior partly(one.population, "99", {one.cohort[2].sources[1]});
  for (const PopulationEntry* entry : partly.usable({})) EXPECT_NE(entry->listener, "03");
}

TEST(ListenerPrior, ATrialNobodyKnowsIsNotTakenForHarmless) {
  const Case one;
  const std::vector<std::string> unknown{"sub-01_task-attend_run-09"};
  test::expect_error(ErrorKind::invalid_argument, {"run-09", "sub-01"}, [&] { (void)one.prior(0).usable(unknown); });
}

// ---- that nothing else gets into a score: what must not be seen is nonsense, and scores do not change by a bit ----

class Poisoned : public testing::TestWithParam<DecoderKind> {};

TEST_P(Poisoned, ScoresDoNotSeeTheListenerNorTheSoundsOfTheTest) {
  PopulationOptions options{.choice = {.kind = GetParam()}};
  options.scores = false;
  const Case clean({.listeners = 6, .sounds = {"a", "b", "c"}, .trial = {.samples = 64 * 20}}, options);
  const auto& me = clean.cohort[0];
  const auto scored = [&](const Case& one) {
    const ListenerPrior prior = one.prior(0);
    return cross_validate(me.trials, options.choice, second_windows, {.prior = &prior}).front();
  };
  const auto expected = scored(clean);
  for (std::size_t tested = 0; tested < 3; ++tested) {
    Case other = clean;
    std::size_t harmed = 0;
    for (PopulationEntry& entry : other.population.entries) {
      if (entry.listener != "01" && entry.stimuli != me.sources[tested].stimuli) continue;
      entry.products.setConstant(1e3F);
      ++harmed;
    }
    ASSERT_EQ(harmed, 3U + 5U);
    const auto found = scored(other);
    EXPECT_EQ(found.trials[tested].scores.values, expected.trials[tested].scores.values);
    EXPECT_TRUE(expected.trials[tested].scores.values.allFinite());
    // The poison works: a decoder tested on something else does see these entries.
    const std::size_t next = (tested + 1) % 3;
    EXPECT_NE(found.trials[next].scores.values, expected.trials[next].scores.values);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Poisoned, testing::Values(DecoderKind::least_squares, DecoderKind::cca),
                         [](const auto& kind) { return std::string(name(kind.param)); });

TEST(ListenerPrior, ADecoderTrainedOnSomeRunsHasNotHeardTheOthers) {
  Case one({.listeners = 5, .sounds = {"a", "b", "c"}});
  for (PopulationEntry& entry : one.population.entries) {
    if (entry.listener == "01" || entry.stimuli.front() == "c") entry.products.setConstant(poison);
  }
  const std::vector<std::string> trained{one.trial(0, 0), one.trial(0, 1)};
  const auto tested = one.prior(0).all_but(trained);
  EXPECT_EQ(tested, std::vector<std::string>{one.trial(0, 2)});
  const LentPrior lent = one.prior(0).lend(tested, shape_of(one.cohort[0]));
  EXPECT_TRUE(lent.cross.xy.allFinite());
  EXPECT_EQ(lent.others, 4U);
  EXPECT_EQ(lent.runs.size(), 8U);
}

// ---- what is lent ----

TEST(ListenerPrior, IsTheMeanOfTheOthersWhateverTheyRecorded) {
  Case one({.listeners = 3, .sounds = {"a", "b"}});
  auto& entries = one.population.entries;  // 01: 0 1, 02: 2 3, 03: 4 5
  entries[2].samples = 100;
  entries[3].samples = 300;
  entries[5].samples = 1e6;
  const LentPrior lent = one.prior(0).lend({}, shape_of(one.cohort[0]));
  const auto product = [&](std::size_t k) { return entries[k].products.cast<double>(); };
  const Matrix second_listener = 0.25 * product(2) + 0.75 * product(3);
  const double all = entries[4].samples + entries[5].samples;
  const Matrix third_listener = entries[4].samples / all * product(4) + entries[5].samples / all * product(5);
  EXPECT_LE((lent.cross.xy - 0.5 * (second_listener + third_listener)).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_NEAR(lent.cross.weight, 0.55 * 2 / 7, 1e-12);
  EXPECT_EQ(one.prior(0, 0.9).lend({}, shape_of(one.cohort[0])).cross.weight, 0.9);
  EXPECT_EQ(describe(one.prior(0, 0.25).lend({}, shape_of(one.cohort[0]))), "prior 0.25 of 2 others");
}

TEST(ListenerPrior, ChannelsAreMatchedByName) {
  Case one({.listeners = 3});
  DecoderShape shape = shape_of(one.cohort[0]);
  const Matrix before = one.prior(0).lend({}, shape).cross.xy;
  std::ranges::reverse(shape.channels);
  const Matrix after = one.prior(0).lend({}, shape).cross.xy;
  for (Index lag = 0; lag < 17; ++lag) {
    for (Index c = 0; c < 4; ++c) EXPECT_EQ(after(lag * 4 + c, 0), before(lag * 4 + 3 - c, 0));
  }
  // A channel that was bad in one listener comes from the others.
  for (std::size_t k : {2U, 3U}) {
    auto& entry = one.population.entries[k];
    entry.channels[1] = "gone";
    for (Index lag = 0; lag < 17; ++lag) entry.products(lag * 4 + 1, 0) = poison;
  }
  EXPECT_TRUE(one.prior(0).lend({}, shape).cross.xy.allFinite());
  shape.channels[2] = "Oz";
  test::expect_error(ErrorKind::bad_data, {"Oz", "C1", "only those both have"},
                     [&] { (void)one.prior(0).lend({}, shape); });
}

TEST(ListenerPrior, EmissionsOfTheOthersAreOneAListener) {
  const Case one({.listeners = 4, .sounds = {"a", "b"}});
  const std::vector<std::string> tested{one.trial(0, 0)};
  const LentPrior lent = one.prior(0).lend(tested, shape_of(one.cohort[0]));
  ASSERT_EQ(lent.scores.size(), 3U);
  EXPECT_EQ(lent.scores[0].attended, one.population.entries[3].scores->attended) << "the run with the other sound";
  EXPECT_EQ(one.prior(0).lend({}, shape_of(one.cohort[0])).scores[0].windows, 60);
}

// ---- what it does ----

// A weak listener with little data gains; and all weight on the others is a decoder that has not seen the listener.
TEST(ListenerPrior, HelpsWhoHasLittle) {
  const test::TrialCase weak{.samples = 64 * 10, .channels = 16, .response = 0.25};
  const PopulationOptions options = least_squares_population();
  double alone = 0;
  double leaning = 0;
  Case one({.listeners = 12, .sounds = {"a", "b"}, .trial = {.samples = 64 * 40, .channels = 16, .response = 0.25}});
  for (std::size_t k = 0; k < 6; ++k) {
    auto small = weak;
    small.seed = 7000 + 10 * k;
    const auto trials = test::make_participant(one.cohort[k].trials.id, 2, small);
    const auto separation = [](const ScoredParticipant& scored) {
      double sum = 0;
      for (const auto& trial : scored.trials) sum += (trial.scores.values.col(0) - trial.scores.values.col(1)).mean();
      return sum;
    };
    alone += separation(cross_validate(trials, options.choice, second_windows).front());
    const ListenerPrior prior = one.prior(k);
    leaning += separation(cross_validate(trials, options.choice, second_windows, {.prior = &prior}).front());
  }
  EXPECT_GT(leaning, 1.1 * alone);
}

TEST(ListenerPrior, ATrainedDecoderSaysWhoLentWhat) {
  const Case one({.listeners = 5, .sounds = {"a", "b"}});
  auto trials = one.cohort[0].trials;
  trials.trials.pop_back();
  trials.runs.pop_back();
  const std::vector<std::string> tested{one.trial(0, 1)};
  const LentPrior lent = one.prior(0).lend(tested, shape_of(one.cohort[0]));
  const Decoder decoder = train(trials, least_squares_population().choice, second, &lent).decoder;
  EXPECT_EQ(decoder.origin, "1 participant, 1 run, prior 0.24 of 4 others");
  EXPECT_EQ(decoder.runs.size(), 1U + 4U) << "on the others' runs it would flatter itself too";
  const ListenerPrior prior = one.prior(0);
  const auto folds =
      cross_validate(one.cohort[0].trials, least_squares_population().choice, second_windows, {.prior = &prior})
          .front();
  const auto kept = score_trials(one.cohort[0].trials, decoder, second_windows).front();
  EXPECT_LT((folds.trials[1].scores.values - kept.trials[1].scores.values).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ListenerPrior, SaysWhatDoesNotMeet) {
  const Case one({.listeners = 2, .sounds = {"a", "b"}});
  const Case same({.listeners = 2, .sounds = {"a"}}, [] {
    PopulationOptions options = least_squares_population();
    options.scores = false;
    return options;
  }());
  const std::vector<std::string> tested{same.trial(0, 0)};
  test::expect_error(ErrorKind::bad_data, {"nobody", "other sounds"},
                     [&] { (void)same.prior(0).lend(tested, shape_of(same.cohort[0])); });
  test::expect_error(ErrorKind::invalid_argument, {"between 0 and 1"}, [&] { (void)one.prior(0, 1.5); });
  DecoderShape wide = shape_of(one.cohort[0]);
  wide.lags.eeg.last = 20;
  test::expect_error(ErrorKind::invalid_argument, {"0 ... 20", "0 ... 16"}, [&] { (void)one.prior(0).lend({}, wide); });
  Preprocessing other;
  other.sampling_frequency = Hertz{32};
  test::expect_error(ErrorKind::invalid_argument, {"64 Hz", "32 Hz"}, [&] { check_signals(one.population, other); });
  other = one.population.preprocessing;
  other.bad_channels = BadChannels::interpolate;
  EXPECT_NO_THROW(check_signals(one.population, other));
  DecoderChoice choice = least_squares_population().choice;
  EXPECT_NO_THROW(check_scores(one.population, choice, second));
  choice.rule.measure = WindowMeasure::cosine;
  test::expect_error(ErrorKind::invalid_argument, {"measure"}, [&] { check_scores(one.population, choice, second); });
  test::expect_error(ErrorKind::unsupported, {"CSP"}, [&] {
    const ListenerPrior prior = one.prior(0);
    (void)cross_validate(one.cohort[0].trials, {.kind = DecoderKind::csp}, second_windows, {.prior = &prior});
  });
}

}  // namespace
}  // namespace heed::pipeline
