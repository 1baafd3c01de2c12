// SPDX-License-Identifier: MIT
#include <decode/repetition.h>
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/decode/least_squares.h>

#include <set>
#include <vector>

namespace heed::decode {
namespace {

constexpr Index rate = 64;

// Two speakers of smooth noise, in which `period` samples are repeated to the end.
Trial listening(Index samples, Index period, std::uint64_t seed) {
  RandomStream random(seed);
  Trial trial{.name = "run-1", .sampling_frequency = Hertz{rate}, .channels = {"Cz", "Fz"}, .speakers = {"a", "b"}};
  trial.eeg = Matrix(samples, 2);
  for (double& value : trial.eeg.reshaped()) value = random.normal();
  for (int speaker = 0; speaker < 2; ++speaker) {
    Matrix sound(samples, 1);
    double now = 0;
    for (Index t = 0; t < samples; ++t) {
      now = (0.8 * now) + random.normal();
      sound(t, 0) = t < period ? now : sound(t - period, 0);
    }
    trial.stimuli.push_back(sound);
  }
  trial.attention = {{{0, samples}, 0}};
  return trial;
}

TEST(Repetition, IsFoundByContents) {
  EXPECT_EQ(repetition_of(listening(100 * rate, 10 * rate, 1)), 10 * rate);
  EXPECT_EQ(repetition_of(listening(97 * rate, 25 * rate + 3, 2)), 25 * rate + 3);
  EXPECT_EQ(repetition_of(listening(100 * rate, 100 * rate, 3)), std::nullopt);
  EXPECT_EQ(repetition_of(listening(100 * rate, 60 * rate, 4)), std::nullopt) << "not heard twice";
  EXPECT_EQ(repetition_of(listening(3 * rate, 3 * rate, 5)), std::nullopt);
  Trial one_repeats = listening(100 * rate, 10 * rate, 6);
  one_repeats.stimuli[1] = listening(100 * rate, 100 * rate, 7).stimuli[1];
  EXPECT_EQ(repetition_of(one_repeats), std::nullopt);
}

// What is held out is not in the training data, in whichever repetition it was heard.
TEST(Repetition, FoldsAreCutBySpeech) {
  const Trial trial = listening(100 * rate, 10 * rate, 8);
  const DecoderLags lags{{0, 3}, {0, 0}};
  const TrialStatistics statistics = trial_statistics(trial, lags);
  const TrainingTrial training{&trial, &statistics};
  const auto folds = training_folds({&training, 1}, lags);
  ASSERT_EQ(folds.size(), 5U);
  std::set<Index> all;
  for (std::size_t b = 0; b < folds.size(); ++b) {
    EXPECT_EQ(folds[b].held_out.size(), 10U);
    EXPECT_NEAR(folds[b].training.samples, 100 * rate - 10 * 4 * rate, rate) << "2 s and a second around it, ten times";
    for (const HeldOutPart& part : folds[b].held_out) {
      EXPECT_EQ(part.samples.first % (10 * rate), static_cast<Index>(b) * 2 * rate);
      for (Index t = 0; t < part.samples.count; ++t) all.insert(part.samples.first + t);
    }
  }
  EXPECT_EQ(all.size(), static_cast<std::size_t>(100 * rate)) << "every sample is held out once";
}

TEST(Repetition, OtherTrialsAreCutByTime) {
  const Trial trial = listening(100 * rate, 100 * rate, 9);
  const DecoderLags lags{{0, 3}, {0, 0}};
  const TrialStatistics statistics = trial_statistics(trial, lags);
  const TrainingTrial training{&trial, &statistics};
  for (const TrainingFold& fold : training_folds({&training, 1}, lags)) EXPECT_EQ(fold.held_out.size(), 1U);
}

}  // namespace
}  // namespace heed::decode
