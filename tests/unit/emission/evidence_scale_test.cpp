// SPDX-License-Identifier: MIT
// The evidence scale against golden numbers, and against scores whose evidence is known to count several times.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/log_likelihoods.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"

namespace heed::emission {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Two speakers; the first is attended, with these log-likelihood ratios.
LabelledTrials one_trial(const std::vector<double>& ratios) {
  hmm::TrainingSequence trial{{Matrix::Zero(std::ssize(ratios), 2)}, {std::vector<Speaker>(ratios.size(), 0)}};
  for (std::size_t t = 0; t < ratios.size(); ++t) trial.log_likelihoods.values(static_cast<Index>(t), 0) = ratios[t];
  return {trial};
}

std::optional<double> scale_of(const LabelledTrials& trials, Index windows_per_block) {
  const EvidenceMoments sums = evidence_moments(trials, windows_per_block);
  return evidence_scale({&sums, 1});
}

const std::vector<double> golden{0.5, -0.2, 0.9, 0.1, 0.4, -0.3, 0.7, 0.3};

TEST(EvidenceScale, HasGoldenNumbers) {
  EXPECT_NEAR(*scale_of(one_trial(golden), 1), 3.9344262295, 1e-10);
  EXPECT_NEAR(*scale_of(one_trial(golden), 2), 7.2727272727, 1e-10);
}

TEST(EvidenceScale, OfParticipantsIsTheRatioOfTheirMeans) {
  const std::array sums{evidence_moments(one_trial(golden), 1), evidence_moments(one_trial({1, 3}), 1),
                        EvidenceMoments{}};
  EXPECT_NEAR(*evidence_scale(sums), 2 * (0.3 + 2) / (0.1525 + 1), 1e-12) << "whoever has no block does not count";
}

// Scores that are normal given who is attended, and the emission they come from.
LabelledTrials drawn(Index speakers, double times, std::uint64_t seed) {
  const GaussianEmission truth{false, Spread::shared, 0.4, 0, 1, 1, 0};
  RandomStream random(seed);
  Scores scores{Matrix(40000, speakers)};
  AttentionTrack labels;
  for (Index t = 0; t < scores.values.rows(); ++t) {
    const auto attended = static_cast<Speaker>((t / 100) % speakers);
    for (Index j = 0; j < speakers; ++j) scores.values(t, j) = random.normal() + (j == attended ? 0.4 : 0);
    labels.attended.push_back(attended);
  }
  LogLikelihoods said = log_likelihoods(truth, scores);
  said.values *= times;
  return {{std::move(said), std::move(labels)}};
}

TEST(EvidenceScale, IsOneForHonestScoresAndTheInverseOfWhatIsCountedTooOften) {
  for (const Index speakers : {2, 3, 64}) {
    const double honest = *scale_of(drawn(speakers, 1, 5), 1);
    EXPECT_NEAR(honest, 1, 0.05) << speakers;
    EXPECT_NEAR(*scale_of(drawn(speakers, 2, 5), 1), honest / 2, 1e-9) << speakers;
    EXPECT_NEAR(*scale_of(drawn(speakers, 0.25, 5), 1), 4 * honest, 1e-9) << speakers;
  }
}

// Each window says what the three before it said, too: single windows look honest, blocks do not.
TEST(EvidenceScale, BlocksSeeWhatNeighboursShare) {
  const LabelledTrials honest = drawn(2, 1, 7);
  LabelledTrials shared = honest;
  Matrix& values = shared.front().log_likelihoods.values;
  for (Index t = 3; t < values.rows(); ++t) {
    values.row(t) = honest.front().log_likelihoods.values.middleRows(t - 3, 4).colwise().sum();
  }
  EXPECT_NEAR(*scale_of(shared, 1), 1, 0.1);
  EXPECT_NEAR(*scale_of(shared, 64), 0.25, 0.03);
}

TEST(EvidenceScale, BlocksWithAGapDoNotCount) {
  LabelledTrials trials = one_trial(golden);
  trials.front().labels.attended[2] = unknown_speaker;
  trials.front().log_likelihoods.values(7, 1) = nan;
  EXPECT_EQ(evidence_moments(trials, 1).blocks, 6);
  EXPECT_EQ(evidence_moments(trials, 2).blocks, 2);
  EXPECT_EQ(evidence_moments(trials, 3).blocks, 1) << "and a last partial one neither";
}

TEST(EvidenceScale, IsNothingWhereTheAttendedDoNotStandOut) {
  EXPECT_EQ(scale_of(one_trial({-1, -2, -1.5}), 1), std::nullopt);
  EXPECT_EQ(scale_of(one_trial({1, 1, 1}), 1), std::nullopt) << "no variance";
  EXPECT_EQ(scale_of(one_trial({1}), 1), std::nullopt);
  EXPECT_EQ(evidence_scale({}), std::nullopt);
}

TEST(EvidenceScale, BlocksAreLongWhereWindowsShareSamples) {
  ScoredParticipant one{"01", {"a", "b"}, ScoreType::correlation, {{"", {}, {Matrix(1, 2), Seconds{1}}, {}}}};
  EXPECT_EQ(windows_per_block(one), 1);
  one.trials[0].scores.hop = Seconds{0.25};
  EXPECT_EQ(windows_per_block(one), 16) << "4 s";
  one.trials[0].scores.window = Seconds{5};
  EXPECT_EQ(windows_per_block(one), 80) << "4 windows";
  one.trials[0].scores = {Matrix(1, 2), Seconds{0.25}};
  EXPECT_EQ(windows_per_block(one), 1);
  one.type = ScoreType::step_cosine;
  EXPECT_EQ(windows_per_block(one), 16) << "steps share the power of their second";
}

TEST(EvidenceScale, IsToldInWords) {
  EXPECT_EQ(scale_words(1.004, Neighbours::apart), "1: the scores mean what they say");
  EXPECT_EQ(scale_words(0.5, Neighbours::apart), "0.5: evidence is counted twice - are the columns s and -s?");
  EXPECT_EQ(scale_words(0.26, Neighbours::overlap), "0.26: windows overlap, so evidence is counted 3.8 times");
  EXPECT_EQ(scale_words(0.3, Neighbours::apart), "0.3: evidence is counted 3.3 times");
  EXPECT_EQ(scale_words(1.8, Neighbours::apart), "1.8: the scores say less than they could");
  EXPECT_EQ(scale_words(0.95, Neighbours::repeat),
            "0.95: single windows mean what they say, but neighbours repeat each other");
  EXPECT_EQ(scale_words(0.95, Neighbours::modelled),
            "0.95: single windows mean what they say, and what neighbours repeat is counted by the model");
}

TEST(EvidenceScale, RefusesWhatMakesNoSense) {
  test::expect_error(ErrorKind::invalid_argument, {"at least one"}, [] { (void)evidence_moments({}, 0); });
  LabelledTrials trials = one_trial(golden);
  trials.front().labels.attended[0] = 2;
  test::expect_error(ErrorKind::invalid_argument, {"label"}, [&] { (void)evidence_moments(trials, 1); });
}

TEST(EquivalentSwitchProbability, HasGoldenNumbers) {
  EXPECT_NEAR(equivalent_switch_probability(2, 0.08, 0.001), 0.0063642065, 1e-10);
  EXPECT_NEAR(equivalent_switch_probability(0.5, 0.08, 0.001), 0.0000499376, 1e-10);
  EXPECT_NEAR(equivalent_switch_probability(1.5, 0.3, 0.003), 0.0106396198, 1e-10);
  EXPECT_NEAR(equivalent_switch_probability(1, 0.3, 0.003), 0.003, 1e-15) << "evidence as it is";
  test::expect_error(ErrorKind::invalid_argument, {"positive", "-1"},
                     [] { (void)equivalent_switch_probability(2, -1, 0.001); });
}

}  // namespace
}  // namespace heed::emission
