// SPDX-License-Identifier: MIT
// Trials heard in turn against the scorer fed by hand; what others lend against sums written out; who may not lend.
#include <pipeline/scoring/adaptive_listening.h>

#include <gtest/gtest.h>
#include <heed/emission/supervised.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/expect_error.h"
#include "support/population_cases.h"

namespace heed::pipeline {
namespace {

constexpr Seconds second{1};

PopulationOptions adaptive_population() {
  PopulationOptions options{.choice = with_recipe({}, Recipe::onset), .window = second, .covariances = true};
  options.choice.preprocessing.targets = {SpeechTarget::envelope};
  options.choice.longest_lag = Seconds{4.0 / 64};
  return options;
}

struct Case {
  std::vector<test::Listener> cohort;
  Population population;
  explicit Case(const test::CohortCase& one = {.listeners = 6})
      : cohort(test::make_cohort(one)), population(test::population_of(cohort, adaptive_population())) {}
  [[nodiscard]] ListenerPrior prior(std::size_t k) const {
    return {population, cohort[k].trials.id, cohort[k].sources};
  }
};

const decode::DecoderLags lags{{0, 4}, {0, 0}};

DecoderShape shape_of(const test::Listener& listener) { return {listener.trials.trials[0].channels, lags}; }

TEST(AdaptiveListening, AStartIsTheMeanOfOthersWhoHeardOtherSounds) {
  const Case one;
  const std::string tested = one.cohort[2].trials.trials[0].name;  // plays story-1
  const LentStart lent = one.prior(2).lend_start({&tested, 1}, shape_of(one.cohort[2]));
  EXPECT_EQ(lent.others, 5U);
  Matrix covariance = Matrix::Zero(20, 4);
  Eigen::VectorXd cross = Eigen::VectorXd::Zero(20);
  std::vector<ScoreMoments> moments;
  for (const PopulationEntry& entry : one.population.entries) {
    if (entry.listener == "03" || entry.stimuli.front() == "story-1") continue;
    covariance += entry.covariance.cast<double>() / 5;
    cross += entry.products.col(0).cast<double>() / 5;
    moments.push_back(*entry.scores);
  }
  EXPECT_LT((lent.start.covariance - covariance).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT((lent.start.cross - cross).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(lent.start.emission, emission::fit_gaussian(moments));
  EXPECT_EQ(lent.seconds, 300);
}

TEST(AdaptiveListening, ChannelsThatSomeLackAreOfTheOthers) {
  Case one;
  PopulationEntry& lacking = one.population.entries[3];  // second run of the second listener: without its last channel
  const Index held = 4;
  SampleMatrix products(15, 1);
  SampleMatrix covariance(15, 3);
  for (Index row = 0; row < 15; ++row) {
    products(row, 0) = lacking.products((row / 3) * held + row % 3, 0);
    covariance.row(row) = lacking.covariance.row((row / 3) * held + row % 3).head(3);
  }
  lacking.channels.pop_back();
  lacking.products = products;
  lacking.covariance = covariance;
  const std::string tested = one.cohort[2].trials.trials[0].name;
  const Matrix found = one.prior(2).lend_start({&tested, 1}, shape_of(one.cohort[2])).start.covariance;
  double with = 0;
  double without = 0;
  for (const PopulationEntry& entry : one.population.entries) {
    if (entry.listener == "03" || entry.stimuli.front() == "story-1") continue;
    without += static_cast<double>(entry.covariance(std::ssize(entry.channels), 1)) / 5;
    if (entry.channels.size() == 4) with += static_cast<double>(entry.covariance(held, 3)) / 4;
  }
  EXPECT_NEAR(found(4, 1), without, 1e-12);
  EXPECT_NEAR(found(4, 3), with, 1e-12);
}

TEST(AdaptiveListening, TheSecondsThatServedTheOthersBestAreTaken) {
  Case one;
  const std::string tested = one.cohort[0].trials.trials[0].name;
  one.population.adaptation = PopulationAdaptation{.seconds = {100, 200}};
  for (int k = 1; k <= 5; ++k) {
    ScoreMoments scores = *one.population.entries[2].scores;
    // The listener's own trial says the opposite, ever so loudly.
    one.population.adaptation->trials.push_back(
        {"0" + std::to_string(k), scores, k == 1 ? std::vector<double>{90, 0} : std::vector<double>{0.1, 0.2}});
  }
  EXPECT_EQ(one.prior(0).lend_start({&tested, 1}, shape_of(one.cohort[0])).seconds, 200);
  EXPECT_EQ(chosen_seconds(*one.population.adaptation), 100);
  one.population.adaptation->trials.resize(3);
  EXPECT_EQ(chosen_seconds(*one.population.adaptation), 300);
}

TEST(AdaptiveListening, APopulationWithoutCovariancesIsRefused) {
  Case one;
  for (PopulationEntry& entry : one.population.entries) entry.covariance.resize(0, 0);
  const std::string tested = one.cohort[0].trials.trials[0].name;
  test::expect_error(ErrorKind::bad_data, {"no covariances", "older heed", "make it again"}, [&] {
    (void)one.prior(0).lend_start({&tested, 1}, shape_of(one.cohort[0]));
  });
}

// Whatever must not be seen is poisoned: neither the listener's own entries nor those of the trial's sounds may show.
TEST(AdaptiveListening, NothingOfTheListenerAndOfTheSoundsLeaks) {
  Case one;
  const std::string tested = one.cohort[1].trials.trials[1].name;  // plays story-2
  for (PopulationEntry& entry : one.population.entries) {
    if (entry.listener != "02" && entry.stimuli.front() != "story-2") continue;
    entry.covariance.setConstant(std::numeric_limits<float>::quiet_NaN());
    entry.products.setConstant(std::numeric_limits<float>::quiet_NaN());
    entry.scores->attended = std::numeric_limits<double>::quiet_NaN();
  }
  const LentStart lent = one.prior(1).lend_start({&tested, 1}, shape_of(one.cohort[1]));
  EXPECT_TRUE(lent.start.covariance.allFinite() && lent.start.cross.allFinite());
  EXPECT_TRUE(std::isfinite(lent.start.emission.mu_attended));
}

TEST(AdaptiveListening, HasTheBitsOfTheScorerFedInPieces) {
  const Case one;
  const ParticipantTrials& trials = one.cohort[0].trials;
  const AdaptiveSetup setup = adaptive_setup(adaptive_population().choice, second, 50);
  const auto starts = starts_for(one.prior(0), trials.trials, lags);
  const AdaptiveListening heard = listen(trials, second, setup, starts);
  ASSERT_EQ(heard.scores.trials.size(), 2U);
  EXPECT_EQ(heard.scores.trials[0].scores.values.rows(), 30);

  decode::AdaptiveScorer scorer(starts[0].start, {.channels = 4, .lags = {0, 4}}, setup.options);
  for (std::size_t k = 0; k < 2; ++k) {
    const Trial& trial = trials.trials[k];
    std::vector<double> scores;
    if (k > 0) scorer.decoder().lean_on(starts[k].start);
    for (Index t = 0; t < trial.samples(); t += 7) {
      const Index rows = std::min<Index>(7, trial.samples() - t);
      const std::array stimuli{data::view(trial.stimuli[0]).middle_rows(t, rows),
                               data::view(trial.stimuli[1]).middle_rows(t, rows)};
      scorer.push({data::view(trial.eeg).middle_rows(t, rows), stimuli, {}}, scores);
    }
    scorer.finish(scores);
    scorer.reset();  // as a session does when the next trial begins
    const Matrix& expected = heard.scores.trials[k].scores.values;
    ASSERT_EQ(std::ssize(scores), expected.size());
    for (std::size_t i = 0; i < scores.size(); ++i) EXPECT_EQ(scores[i], expected.data()[i]) << k << " " << i;
  }
  EXPECT_EQ(scorer.decoder().learnt().labelled_windows, heard.learnt.labelled_windows);
  EXPECT_GT(heard.learnt.labelled_windows, 40);
}

TEST(AdaptiveListening, RivalsAreHeardAsIfAlone) {
  const Case one;
  const ParticipantTrials& trials = one.cohort[0].trials;
  const auto starts = starts_for(one.prior(0), trials.trials, lags);
  const auto alone = [&](double seconds) {
    return listen(trials, second, adaptive_setup(adaptive_population().choice, second, seconds), starts);
  };
  const AdaptiveListening first = alone(50);
  const std::array others{20.0, 400.0};
  const AdaptiveListening heard =
      listen(trials, second, adaptive_setup(adaptive_population().choice, second, 50), starts, others);
  EXPECT_TRUE(first.rivals.empty());
  ASSERT_EQ(heard.rivals.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(heard.scores.trials[k].scores.values, first.scores.trials[k].scores.values);
    EXPECT_EQ(heard.log_likelihoods[k].values, first.log_likelihoods[k].values);
    for (std::size_t r = 0; r < 2; ++r) {
      EXPECT_EQ(heard.rivals[r].trials[k].scores.values, alone(others[r]).scores.trials[k].scores.values);
    }
  }
  EXPECT_NE(heard.rivals[0].trials[1].scores.values, heard.rivals[1].trials[1].scores.values);
}

TEST(AdaptiveListening, ATrialTellsWhatEachNumberOfSecondsComesTo) {
  const Case one;
  test::Listener own = one.cohort[0];
  const PopulationOptions options = adaptive_population();
  const std::array seconds{50.0, 400.0};
  const auto trial = adaptation_trial(own.trials, own.sources, one.population, options, seconds);
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->listener, "01");
  const auto starts = starts_for(one.prior(0), own.trials.trials, lags);
  AdaptiveSetup setup = adaptive_setup(options.choice, second, {});
  setup.options.adapt = false;
  EXPECT_EQ(trial->scores, emission::moments(listen(own.trials, second, setup, starts).scores, true));
  ASSERT_EQ(trial->separations.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    setup = adaptive_setup(options.choice, second, seconds[k]);
    setup.options.block = 20;
    const auto fitted =
        emission::tied_gaussian(emission::moments(listen(own.trials, second, setup, starts).scores, true), {});
    EXPECT_EQ(trial->separations[k], (fitted->mu_attended - fitted->mu_unattended) / fitted->sigma_attended);
  }
  for (Trial& unlabelled : own.trials.trials) unlabelled.attention.clear();
  EXPECT_FALSE(adaptation_trial(own.trials, own.sources, one.population, options, seconds));
}

TEST(AdaptiveListening, NeedsNoLabelsAndLooksAtNone) {
  const Case one;
  ParticipantTrials trials = one.cohort[0].trials;
  const AdaptiveSetup setup = adaptive_setup(adaptive_population().choice, second, {});
  const auto starts = starts_for(one.prior(0), trials.trials, lags);
  const Matrix before = listen(trials, second, setup, starts).scores.trials[1].scores.values;
  for (Trial& trial : trials.trials) trial.attention.clear();
  EXPECT_EQ(listen(trials, second, setup, starts).scores.trials[1].scores.values, before);
}

TEST(AdaptiveListening, RefusesDecodersThatCannotLearn) {
  const auto refused = [](const char* word, auto change) {
    DecoderChoice choice = adaptive_population().choice;
    change(choice);
    test::expect_error(ErrorKind::invalid_argument, {word}, [&] { (void)adaptive_setup(choice, second, {}); });
  };
  refused("least squares", [](DecoderChoice& c) { c.kind = DecoderKind::cca; });
  refused("one target", [](DecoderChoice& c) { c.preprocessing.targets.push_back(SpeechTarget::onset); });
  refused("ledoit-wolf", [](DecoderChoice& c) { c.regularisation.kind = decode::RegularisationKind::ledoit_wolf; });
  refused("cosine", [](DecoderChoice& c) { c.rule.measure = WindowMeasure::pearson; });
}

}  // namespace
}  // namespace heed::pipeline
