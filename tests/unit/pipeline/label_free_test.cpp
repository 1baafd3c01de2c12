// SPDX-License-Identifier: MIT
// Decoders without labels: against those with labels, against the formula, and that labels are not looked at.
#include <gtest/gtest.h>
#include <heed/decode/least_squares.h>
#include <heed/pipeline/score.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/training.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <stdexcept>

#include "support/expect_error.h"
#include "support/population_cases.h"

namespace heed::pipeline {
namespace {

constexpr Seconds second{1};
constexpr std::array second_windows{decode::WindowLayout(second)};

DecoderChoice least_squares() { return {.kind = DecoderKind::least_squares}; }

const Matrix& weights_of(const LabelFreeDecoder& result) {
  return std::get<LeastSquaresDecoder>(result.trained.decoder.filters).weights;
}

// Attention moves, so that neither speaker is the answer to everything.
ParticipantTrials switching(std::uint64_t seed, std::size_t trials = 2) {
  return test::make_participant("01", trials, {.seed = seed, .samples = 64 * 120, .switch_at = 64 * 50});
}

LentPrior lent_to(const std::string& id, const std::vector<test::Listener>& cohort, const Population& population) {
  for (const test::Listener& one : cohort) {
    if (one.trials.id != id) continue;
    const auto lags = training_options(least_squares(), second).lags;
    return ListenerPrior(population, id, one.sources).lend({}, {one.trials.trials[0].channels, lags});
  }
  throw std::logic_error("nobody of that name");
}

double accuracy(const ParticipantTrials& trials, const Decoder& decoder) {
  return significance_of(score_trials(trials, decoder, second_windows).front()).accuracy.value();
}

TEST(LabelFree, DecodesAsWellAsWithLabels) {
  const auto known = switching(1);
  const auto fresh = switching(50);
  const auto labelled = train(known, least_squares(), second);
  const auto without = train_label_free(known, least_squares(), {});
  const double with_labels = accuracy(fresh, labelled.decoder);
  EXPECT_GT(with_labels, 0.95);
  EXPECT_GT(accuracy(fresh, without.trained.decoder), with_labels - 0.015);
  ASSERT_EQ(without.passes.size(), 3U);
  EXPECT_GT(without.passes.back().certainty, 0.95);
  EXPECT_LT(without.passes.back().changed.value(), 0.05);
  EXPECT_FALSE(without.passes.front().changed);
  EXPECT_EQ(without.duration, (Seconds{240}));
  EXPECT_TRUE(without.notes.empty());
  EXPECT_EQ(without.trained.decoder.origin, "1 participant, 2 runs, without labels");
}

TEST(LabelFree, WithoutWeightNobodyLends) {
  const auto trials = switching(1);
  const auto alone = train_label_free(trials, least_squares(), {});
  const LentPrior nothing{.cross = {.xy = Matrix::Constant(3, 1, 1e6), .weight = 0}, .others = 8, .runs = {"x"}};
  const auto result = train_label_free(trials, least_squares(), {}, &nothing);
  EXPECT_EQ(weights_of(result), weights_of(alone));
  EXPECT_EQ(result.trained.decoder.origin, alone.trained.decoder.origin);
  EXPECT_EQ(result.trained.decoder.runs, alone.trained.decoder.runs);
}

TEST(LabelFree, LabelsAreNotLookedAt) {
  auto trials = switching(1);
  const auto before = train_label_free(trials, least_squares(), {});
  for (Trial& trial : trials.trials) trial.attention.clear();
  EXPECT_EQ(weights_of(train_label_free(trials, least_squares(), {})), weights_of(before));
  for (Trial& trial : trials.trials) trial.attention = {{{0, trial.samples()}, 1}};
  EXPECT_EQ(weights_of(train_label_free(trials, least_squares(), {})), weights_of(before));
}

// r = (1-b) 1/n sum over t and j of gamma_tj x_t y_tj + b population, from the lagged matrix, with the posteriors that
// the last pass gave.
TEST(LabelFree, TheDecoderIsThatOfThePosteriors) {
  const auto cohort = test::make_cohort({.listeners = 5});
  const Population population = test::population_of(cohort, test::least_squares_population());
  const LentPrior lent = lent_to("01", cohort, population);
  auto participant = test::make_participant("01", 1, {.seed = 3, .samples = 64 * 40 + 20, .channels = 4});
  const DecoderChoice choice = least_squares();
  const auto result = train_label_free(participant, choice, {}, &lent);

  const Trial& trial = participant.trials[0];
  const Matrix& gamma = result.attention.trials[0].posteriors.values;
  ASSERT_EQ(gamma.rows(), 40);
  constexpr Index whole = 64 * 40;  // the last 20 samples are in no window
  Matrix eeg = trial.eeg;
  eeg.bottomRows(20).setZero();
  Eigen::VectorXd y = Eigen::VectorXd::Zero(trial.samples());
  for (Index t = 0; t < whole; ++t) {
    for (Index s = 0; s < 2; ++s) y(t) += gamma(t / 64, s) * trial.stimuli[static_cast<std::size_t>(s)](t, 0);
  }
  Matrix x = Matrix::Zero(trial.samples(), 17 * 4);
  for (Index t = 0; t < trial.samples(); ++t) {
    for (Index l = 0; l < 17 && t + l < trial.samples(); ++l) x.row(t).segment(l * 4, 4) = eeg.row(t + l);
  }
  Eigen::MatrixXd covariance = x.transpose() * x / static_cast<double>(whole);
  covariance.diagonal().array() += 0.1 * covariance.trace() / static_cast<double>(x.cols());
  const double b = 0.55 * 4 / 9;
  const Eigen::VectorXd cross = (1 - b) / static_cast<double>(whole) * x.transpose() * y + b * lent.cross.xy.col(0);
  const Eigen::VectorXd expected = covariance.ldlt().solve(cross);
  for (Index i = 0; i < expected.size(); ++i) EXPECT_NEAR(weights_of(result).data()[i], expected(i), 1e-10) << i;
}

TEST(LabelFree, StartsFromThePopulation) {
  const auto cohort = test::make_cohort({.listeners = 6});
  const Population population = test::population_of(cohort, test::least_squares_population());
  const LentPrior lent = lent_to("01", cohort, population);
  const auto result = train_label_free(cohort[0].trials, least_squares(), {.passes = 1}, &lent);
  const GaussianEmission& emission = result.passes[0].emission;
  double mean = 0;
  for (const ScoreMoments& one : lent.scores) mean += one.attended / one.windows / 5;
  EXPECT_NEAR(emission.mu_attended, mean, 1e-12) << "the emission is the others'";
  double right = 0;
  double windows = 0;
  for (const TrackedTrial& trial : result.attention.trials) {
    for (const Speaker state : trial.decisions.states) right += state == 0 ? 1 : 0;
    windows += static_cast<double>(trial.decisions.states.size());
  }
  EXPECT_GT(right / windows, 0.95) << "before anything was learnt of this listener";
  EXPECT_EQ(result.trained.decoder.origin, "1 participant, 2 runs, without labels, prior 0.28 of 5 others");
}

TEST(LabelFree, CausalSignalsOfAnyUnitDecodeAlike) {
  DecoderChoice choice = least_squares();
  choice.preprocessing.filters = FilterMode::causal;
  const test::TrialCase one{.samples = 64 * 120, .switch_at = 64 * 50};
  auto volts = one;
  volts.unit = 1e-6;
  const auto a = train_label_free(test::make_participant("01", 1, one), choice, {});
  const auto b = train_label_free(test::make_participant("01", 1, volts), choice, {});
  EXPECT_LT((weights_of(a) - weights_of(b)).cwiseAbs().maxCoeff(), 1e-9);
  // A speaker is scaled as he is, not as the blend of several.
  EXPECT_NEAR(a.trained.decoder.stimulus_scales.deviation(0), 1, 0.1);
}

TEST(LabelFree, WarnsOfTooLittle) {
  const auto result = train_label_free(test::make_participant("01", 1, {.samples = 64 * 60}), least_squares(), {});
  ASSERT_FALSE(result.notes.empty());
  EXPECT_NE(result.notes[0].text.find("60 s of EEG are too little"), std::string::npos);
}

// Nothing relates EEG and sound: the passes may believe in something, but what comes of it is chance on other data.
TEST(LabelFree, FindsNothingWhereThereIsNothing) {
  const test::TrialCase nothing{.seed = 5, .samples = 64 * 120, .response = 0};
  const auto result = train_label_free(test::make_participant("01", 2, nothing), least_squares(), {});
  auto other = nothing;
  other.seed = 900;
  const auto fresh = test::make_participant("01", 3, other);
  const auto found = significance_of(score_trials(fresh, result.trained.decoder, second_windows).front());
  EXPECT_LT(*found.accuracy, *found.bound);
}

// With a population the emission is known, and decides whatever the listener's own scores say.
TEST(LabelFree, SaysWhatDecidesWhereScoresDoNot) {
  const auto cohort = test::make_cohort({.listeners = 6});
  const Population population = test::population_of(cohort, test::least_squares_population());
  const LentPrior lent = lent_to("01", cohort, population);
  const auto noise = test::make_participant("01", 2, {.seed = 5, .samples = 64 * 120, .response = 0});
  const auto says = [](const LabelFreeDecoder& result, const char* words) {
    return std::ranges::any_of(result.notes,
                               [&](const Note& note) { return note.text.find(words) != std::string::npos; });
  };
  const auto alone = train_label_free(noise, least_squares(), {.passes = 1});
  EXPECT_TRUE(says(alone, "so they decide nothing"));
  const auto helped = train_label_free(noise, least_squares(), {.passes = 1}, &lent);
  EXPECT_TRUE(says(helped, "by what scores mean in the population alone"));
  EXPECT_FALSE(says(helped, "decide nothing"));
}

TEST(LabelFree, RefusesSilence) {
  auto silent = switching(1);
  for (Trial& trial : silent.trials) trial.stimuli[1].setZero();
  test::expect_error(ErrorKind::bad_data, {"sub-01", "silent"},
                     [&] { (void)train_label_free(silent, least_squares(), {}); });
  auto flat = switching(1);
  for (Trial& trial : flat.trials) trial.eeg.setZero();
  EXPECT_THROW((void)train_label_free(flat, least_squares(), {}), Error);
}

TEST(LabelFree, SaysWhatItCannotDo) {
  const auto trials = switching(1);
  test::expect_error(ErrorKind::unsupported, {"needs least squares"}, [&] { (void)train_label_free(trials, {}, {}); });
  DecoderChoice chosen = least_squares();
  chosen.regularisation.kind = decode::RegularisationKind::cross_validated;
  test::expect_error(ErrorKind::invalid_argument, {"such as 0.3"}, [&] { (void)train_label_free(trials, chosen, {}); });
  const auto alone = test::make_participant("07", 1, {.speakers = 1});
  test::expect_error(ErrorKind::bad_data, {"sub-07", "one speaker"},
                     [&] { (void)train_label_free(alone, least_squares(), {}); });
  test::expect_error(ErrorKind::bad_data, {"shorter than a window"}, [&] {
    (void)train_label_free(test::make_participant("01", 1, {.samples = 40}), least_squares(), {});
  });
  test::expect_error(ErrorKind::invalid_argument, {"one pass"},
                     [&] { (void)train_label_free(trials, least_squares(), {.passes = 0}); });
}

}  // namespace
}  // namespace heed::pipeline
