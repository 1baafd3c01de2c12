// SPDX-License-Identifier: MIT
// What a population keeps of a listener, against the trials themselves.
#include <gtest/gtest.h>
#include <heed/emission/supervised.h>
#include <heed/io/model_file.h>
#include <pipeline/model_fit.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/population_entries.h>
#include <array>

#include "support/expect_error.h"
#include "support/population_cases.h"

namespace heed::pipeline {
namespace {

using test::least_squares_population;

TEST(Population, KeepsTheMeanProductOfEegAndAttendedSpeech) {
  const auto cohort = test::make_cohort({.listeners = 2});
  const Population population = test::population_of(cohort, least_squares_population());
  ASSERT_EQ(population.entries.size(), 4U);
  EXPECT_EQ(population.delays, (LagRange{0, 16}));
  const Trial& trial = cohort[0].trials.trials[1];
  const PopulationEntry& entry = population.entries[1];
  EXPECT_EQ(entry.listener, "01");
  EXPECT_EQ(entry.run, trial.name);
  EXPECT_EQ(entry.recording, "eeg of " + trial.name);
  EXPECT_EQ(entry.stimuli, std::vector<std::string>{"story-2"});
  EXPECT_EQ(entry.samples, trial.samples());
  for (const auto& [delay, channel] : {std::pair<Index, Index>{0, 0}, {2, 0}, {2, 3}, {16, 1}}) {
    double sum = 0;
    for (Index t = 0; t + delay < trial.samples(); ++t) sum += trial.eeg(t + delay, channel) * trial.stimuli[0](t, 0);
    EXPECT_NEAR(static_cast<double>(entry.products((delay * 4) + channel, 0)), sum / entry.samples, 1e-6);
  }
  Index strongest = 0;
  entry.products.col(0).maxCoeff(&strongest);
  EXPECT_EQ(strongest, 2 * 4) << "the planted delay, on the channel with the strongest response";
}

TEST(Population, ScoresOfEntriesAddUpToTheListeners) {
  const auto cohort = test::make_cohort({.listeners = 2});
  const PopulationOptions options = least_squares_population();
  const Population population = test::population_of(cohort, options);
  const std::array window{decode::WindowLayout(Seconds{1})};
  const auto scored = cross_validate(cohort[0].trials, options.choice, window).front();
  const ScoreMoments whole = emission::moments(scored, true);
  const ScoreMoments sum = emission::sum(*population.entries[0].scores, *population.entries[1].scores);
  EXPECT_EQ(sum.windows, whole.windows);
  EXPECT_NEAR(sum.attended, whole.attended, 1e-12);
  EXPECT_NEAR(sum.unattended_squares, whole.unattended_squares, 1e-12);
  EXPECT_NEAR(sum.window_sum_squares, whole.window_sum_squares, 1e-12);
}

TEST(Population, TrialsOfARunThatPlayTheSameAreOneEntry) {
  auto cohort = test::make_cohort({.listeners = 2, .sounds = {"a", "b", "a"}});
  for (test::Listener& listener : cohort) {
    for (TrialSource& source : listener.sources) source.run = "sub-" + listener.trials.id + "_run-1";
  }
  const Population population = test::population_of(cohort, least_squares_population());
  ASSERT_EQ(population.entries.size(), 4U);
  EXPECT_EQ(population.entries[0].stimuli, std::vector<std::string>{"a"});
  EXPECT_EQ(population.entries[0].samples, 2 * cohort[0].trials.trials[0].samples());
  EXPECT_EQ(population.entries[0].scores->windows, 60);
}

TEST(Population, CausalSignalsAreKeptInUnitsOfTheirDeviation) {
  PopulationOptions options = least_squares_population();
  options.choice.preprocessing.filters = FilterMode::causal;
  const auto plain = test::population_of(test::make_cohort({.listeners = 2}), options);
  const auto volts = test::population_of(
      test::make_cohort({.listeners = 2, .trial = {.samples = Index{64} * 30, .unit = 1e-6}}), options);
  EXPECT_LT((plain.entries[0].products - volts.entries[0].products).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LE(plain.entries[0].products.cwiseAbs().maxCoeff(), 1);
}

TEST(Population, WithoutLabelsThereIsNothingToKeep) {
  auto cohort = test::make_cohort({.listeners = 3});
  for (Trial& trial : cohort[2].trials.trials) trial.attention.clear();
  cohort[1].trials.trials[1].attention.clear();
  const Population population = test::population_of(cohort, least_squares_population());
  EXPECT_EQ(io::listeners_in(population), 2U);
  ASSERT_EQ(population.entries.size(), 3U);
  EXPECT_TRUE(population.entries[0].scores);
  EXPECT_FALSE(population.entries[2].scores) << "no other trial to train on";
}

TEST(Population, ADecoderIsReadBackFromIt) {
  PopulationOptions options{.choice = {.kind = DecoderKind::cca}, .window = {2}};
  options.choice.regularisation = {decode::RegularisationKind::ledoit_wolf, 0.25, {}};
  options.choice.rule = {.measure = WindowMeasure::cosine, .shrinkage = 0.2};
  options.choice.pairs = 3;
  const Population population = test::population_of(test::make_cohort({.listeners = 2}), options);
  EXPECT_EQ(population.delays, (LagRange{0, 32})) << "stimulus lags reach as far back as EEG lags forward";
  const DecoderChoice read = decoder_of(population);
  EXPECT_EQ(read.kind, DecoderKind::cca);
  EXPECT_EQ(read.regularisation.kind, decode::RegularisationKind::ledoit_wolf);
  EXPECT_EQ(read.regularisation.ridge, 0.25);
  EXPECT_EQ(read.rule, options.choice.rule);
  EXPECT_EQ(read.pairs, 3);
  EXPECT_EQ(population.decoder.window, (Seconds{2}));
}

TEST(Population, SaysWhatIsNone) {
  test::expect_error(ErrorKind::bad_data, {"1 listener", "no population", "two"}, [&] {
    (void)test::population_of(test::make_cohort({.listeners = 1}), least_squares_population());
  });
  test::expect_error(ErrorKind::unsupported, {"CSP"}, [&] {
    (void)test::population_of(test::make_cohort({.listeners = 2}), {.choice = {.kind = DecoderKind::csp}});
  });
  auto cohort = test::make_cohort({.listeners = 2});
  cohort[1].sources.pop_back();
  test::expect_error(ErrorKind::invalid_argument, {"sub-02_task-attend_run-02", "made from"},
                     [&] { (void)test::population_of(cohort, least_squares_population()); });
}

}  // namespace
}  // namespace heed::pipeline
