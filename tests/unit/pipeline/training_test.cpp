// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/decode/cca.h>
#include <heed/io/model_file.h>
#include <heed/pipeline/score.h>
#include <pipeline/scoring/cross_validation.h>
#include <pipeline/scoring/training.h>
#include <array>

#include "support/decoding_cases.h"
#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

constexpr Seconds second{1};
constexpr std::array second_windows{decode::WindowLayout(second)};

std::vector<ParticipantTrials> cohort(std::size_t participants, test::TrialCase one = {}) {
  std::vector<ParticipantTrials> result;
  for (std::size_t k = 0; k < participants; ++k) {
    one.seed = 100 * (k + 1);
    result.push_back(test::make_participant("0" + std::to_string(k + 1), 2, one));
  }
  return result;
}

TrainedDecoder train_on(const std::vector<ParticipantTrials>& participants, const DecoderChoice& choice) {
  return train(
      participants.size(), [&](std::size_t k) { return participants[k]; }, choice, second);
}

TEST(Training, APooledDecoderWorksForSomebodyElse) {
  const auto participants = cohort(4);
  const std::vector<ParticipantTrials> known(participants.begin(), participants.end() - 1);
  for (const DecoderKind kind : {DecoderKind::least_squares, DecoderKind::cca}) {
    const Decoder decoder = train_on(known, {.kind = kind}).decoder;
    const auto scored = score_trials(participants.back(), decoder, second_windows).front();
    EXPECT_GT(significance_of(scored).accuracy.value(), 0.95);
    EXPECT_EQ(decoder.participants, 3U);
    EXPECT_EQ(decoder.runs.size(), 6U);
  }
}

TEST(Training, PoolingOneByOneIsTrainingOnAllAtOnce) {
  const auto participants = cohort(3);
  ParticipantTrials all{.id = "all"};
  for (const auto& one : participants) {
    all.trials.insert(all.trials.end(), one.trials.begin(), one.trials.end());
    all.runs.insert(all.runs.end(), one.runs.begin(), one.runs.end());
  }
  const DecoderChoice choice{.kind = DecoderKind::least_squares};
  const Matrix pooled = std::get<LeastSquaresDecoder>(train_on(participants, choice).decoder.filters).weights;
  const Matrix together = std::get<LeastSquaresDecoder>(train_on({all}, choice).decoder.filters).weights;
  EXPECT_LT((pooled - together).cwiseAbs().maxCoeff(), 1e-12 * together.cwiseAbs().maxCoeff());
}

TEST(Training, EveryKindCanBeSavedAndScoresTheSameAfterwards) {
  const auto participants = cohort(2);
  for (const DecoderKind kind : {DecoderKind::least_squares, DecoderKind::cca}) {
    for (const FilterMode mode : {FilterMode::zero_phase, FilterMode::causal}) {
      for (const std::size_t count : {1U, 2U}) {
        const std::vector<ParticipantTrials> used(participants.begin(),
                                                  participants.begin() + static_cast<std::ptrdiff_t>(count));
        const Decoder decoder = train_on(used, {.kind = kind, .preprocessing = {.filters = mode}}).decoder;
        const Decoder read = io::parse_decoder(io::decoder_text(decoder));
        EXPECT_EQ(read.preprocessing.filters, mode);
        EXPECT_EQ(score_trials(participants[0], read, second_windows).front().trials[0].scores.values,
                  score_trials(participants[0], decoder, second_windows).front().trials[0].scores.values);
      }
    }
  }
}

TEST(Training, TheRuleOfScoresIsKeptHoweverManyListenersThereAre) {
  const auto participants = cohort(2);
  const ScoreRule rule{.measure = WindowMeasure::cosine, .shrinkage = 0.2};
  for (const DecoderKind kind : {DecoderKind::least_squares, DecoderKind::cca}) {
    for (const std::size_t count : {1U, 2U}) {
      const std::vector<ParticipantTrials> some(participants.begin(),
                                                participants.begin() + static_cast<std::ptrdiff_t>(count));
      const Decoder decoder = train_on(some, {.kind = kind, .rule = rule}).decoder;
      EXPECT_EQ(decoder.rule, rule);
      const auto scored = score_trials(participants[1], decoder, second_windows).front();
      EXPECT_GT(significance_of(scored).accuracy.value(), 0.95);
    }
  }
}

TEST(Training, ThePatternIsThePlantedOne) {
  const auto pattern = train_on(cohort(1, {.samples = 64 * 300}), {.kind = DecoderKind::least_squares}).pattern;
  EXPECT_EQ(pattern.channels.size(), 4U);
  ASSERT_EQ(pattern.lags.size(), 17U);
  EXPECT_NEAR(pattern.lags[16].value, 0.25, 1e-12);
  Index channel = 0;
  Index lag = 0;
  pattern.values.cwiseAbs().maxCoeff(&channel, &lag);
  EXPECT_EQ(channel, 0) << "the first channel has the strongest response";
  EXPECT_EQ(lag, 2) << "two samples behind the sound";
}

TEST(Training, ARidgeIsChosenFromTheOtherParticipants) {
  DecoderChoice choice{.kind = DecoderKind::least_squares};
  choice.regularisation.kind = decode::RegularisationKind::cross_validated;
  choice.regularisation.grid = {1e-3, 1e9};
  const auto participants = cohort(3);
  const Matrix chosen = std::get<LeastSquaresDecoder>(train_on(participants, choice).decoder.filters).weights;
  choice.regularisation = {decode::RegularisationKind::ridge, 1e-3, {}};
  const Matrix weak = std::get<LeastSquaresDecoder>(train_on(participants, choice).decoder.filters).weights;
  EXPECT_EQ(chosen, weak) << "a ridge of a billion forgets which channels are noisy";
}

TEST(Training, SaysWhatIsWrong) {
  auto participants = cohort(2);
  participants[1].trials[0].channels[3] = "Oz";
  participants[1].trials[1].channels[3] = "Oz";
  test::expect_error(ErrorKind::bad_data, {"sub-01", "sub-02", "C4", "Oz", "interpolate"},
                     [&] { (void)train_on(participants, {.kind = DecoderKind::least_squares}); });
  auto unlabelled = cohort(1);
  for (Trial& trial : unlabelled[0].trials) trial.attention.clear();
  test::expect_error(ErrorKind::bad_data, {"sub-01", "attend rows"}, [&] { (void)train_on(unlabelled, {}); });
  test::expect_error(ErrorKind::unsupported, {"CSP decoders are not kept in files"},
                     [&] { (void)train_on(cohort(1), {.kind = DecoderKind::csp}); });
}

}  // namespace
}  // namespace heed::pipeline
