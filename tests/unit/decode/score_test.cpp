// SPDX-License-Identifier: MIT
// Scores against correlations of plain reconstructions, missing windows, and streaming against the whole, bit for bit.
#include <heed/decode/score.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <heed/decode/cca.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace heed::decode {
namespace {

using test::planted_trial;

const std::array<DecoderLags, 2> lags{DecoderLags{{0, 3}, {0, 0}}, DecoderLags{{0, 3}, {-3, 0}}};

Decoder trained(bool cca, bool standardise = false) {
  const std::vector<Trial> trials{planted_trial({.samples = 1600, .seed = 1}),
                                  planted_trial({.samples = 1600, .seed = 2}),
                                  planted_trial({.samples = 1600, .seed = 3})};
  const DecoderLags& wanted = cca ? lags[1] : lags[0];
  std::vector<TrialStatistics> statistics;
  for (const Trial& trial : trials) statistics.push_back(trial_statistics(trial, wanted));
  const TrainingOptions options{.lags = wanted, .standardise = standardise, .pairs = 3};
  const auto all = test::training(trials, statistics);
  return cca ? train_cca(all, options) : train_least_squares(all, options);
}

bool same_bits(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

TEST(Score, LeastSquaresScoresAreCorrelations) {
  const Decoder decoder = trained(false);
  const Trial trial = planted_trial({.samples = 400, .seed = 5});
  const Scores scores = score(decoder, trial, Seconds{1});
  EXPECT_EQ(score_type(decoder), ScoreType::correlation);
  ASSERT_EQ(scores.values.rows(), 6) << "16 samples are left over";
  const Matrix& weights = std::get<LeastSquaresDecoder>(decoder.filters).weights;
  const Eigen::VectorXd u =
      test::lagged_matrix(trial.eeg, {0, 3}) * Eigen::Map<const Eigen::VectorXd>(weights.data(), weights.size());
  for (Index w = 0; w < 6; ++w) {
    for (Index s = 0; s < 2; ++s) {
      Eigen::ArrayXd a = u.segment(64 * w, 64);
      Eigen::ArrayXd b = trial.stimuli[static_cast<std::size_t>(s)].col(0).segment(64 * w, 64);
      a -= a.mean();
      b -= b.mean();
      EXPECT_NEAR(scores.values(w, s), (a * b).sum() / std::sqrt((a * a).sum() * (b * b).sum()), 1e-12);
    }
  }
  const ScoredTrial whole = scored_trial(decoder, trial, Seconds{1});
  EXPECT_EQ(whole.name, "planted");
  EXPECT_EQ(whole.attention.attended, std::vector<Speaker>(6, 0));
}

TEST(Score, CcaScoresAreLogOddsOfTheDiscriminant) {
  const Decoder decoder = trained(true);
  const auto& cca = std::get<CcaDecoder>(decoder.filters);
  const Trial trial = planted_trial({.seed = 6});
  const Scores scores = score(decoder, trial, Seconds{2});
  const CellSums cells = cell_sums(decoder, trial);
  for (Index w = 0; w < scores.values.rows(); ++w) {
    const Matrix r = cells.correlations(8 * w, 8);
    for (Index s = 0; s < 2; ++s) {
      double expected = cca.discriminant.bias;
      for (Index p = 0; p < 3; ++p) expected += cca.discriminant.weights(p) * std::atanh(r(s, p));
      EXPECT_NEAR(scores.values(w, s), expected, 1e-12);
    }
  }
}

TEST(Score, AllWindowLengthsComeFromOnePass) {
  const Decoder decoder = trained(true);
  const Trial trial = planted_trial({.samples = 1000, .seed = 6});
  const std::vector<Seconds> windows{{0.25}, {1}, {2.5}, {5}};
  const std::vector<Scores> together = score(decoder, trial, windows);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    EXPECT_TRUE(same_bits(together[i].values, score(decoder, trial, windows[i]).values));
    EXPECT_EQ(together[i].window, windows[i]);
  }
}

TEST(Score, AMissingSampleInAWindowOrItsLagsMakesItMissing) {
  Trial trial = planted_trial({.samples = 6 * 64, .seed = 5});
  trial.missing = {{2 * 64 + 2, 10}};  // lags of 3 samples reach into window 1
  const Scores scores = score(trained(false), trial, Seconds{1});
  const std::vector<bool> expected{false, true, true, false, false, false};
  for (Index w = 0; w < 6; ++w) {
    EXPECT_EQ(std::isnan(scores.values(w, 0)), expected[static_cast<std::size_t>(w)]) << w;
    EXPECT_EQ(std::isnan(scores.values(w, 1)), expected[static_cast<std::size_t>(w)]) << w;
  }
  trial.missing = {{2 * 64 + 3, 10}};
  EXPECT_FALSE(std::isnan(score(trained(false), trial, Seconds{1}).values(1, 0)));
  trial.missing.clear();
  trial.stimuli[1].middleRows(4 * 64, 64).setZero();  // silence of one speaker
  const Scores silent = score(trained(false), trial, Seconds{1});
  EXPECT_TRUE(std::isnan(silent.values(4, 0)) && std::isnan(silent.values(4, 1)));
  EXPECT_FALSE(std::isnan(silent.values(3, 0)));
}

TEST(Score, OneSpeakerAloneHasScores) {
  Trial trial = planted_trial();
  const Scores both = score(trained(false), trial, Seconds{1});
  trial.stimuli.pop_back();
  trial.speakers.pop_back();
  const Scores alone = score(trained(false), trial, Seconds{1});
  ASSERT_EQ(alone.values.cols(), 1);
  EXPECT_EQ(alone.values.col(0), both.values.col(0));
}

RC_GTEST_PROP(Score, StreamingGivesTheBitsOfTheWhole, ()) {
  static const std::array<Decoder, 4> decoders{trained(false), trained(true), trained(false, true),
                                               trained(true, true)};
  const Decoder& decoder = decoders[*rc::gen::inRange<std::size_t>(0, 4)];
  const auto samples = *rc::gen::inRange<Index>(30, 400);
  Trial trial = planted_trial({.samples = samples, .seed = *rc::gen::inRange<std::uint64_t>(1, 99)});
  if (*rc::gen::arbitrary<bool>()) trial.missing = {{samples / 3, 4}, {samples / 2, 1}};
  const Seconds window{*rc::gen::element(0.25, 0.5, 1.0)};
  const Scores whole = score(decoder, trial, window);

  StreamingScorer stream(decoder, 2, window);
  Matrix found(0, 2);
  const auto take = [&](const Matrix& rows) {
    Matrix longer(found.rows() + rows.rows(), 2);
    longer << found, rows;
    found = longer;
  };
  const auto largest = *rc::gen::element<Index>(1, 7, 64, 200);
  for (Index t = 0; t < samples;) {
    const Index count = std::min(*rc::gen::inRange<Index>(1, largest + 1), samples - t);
    const std::array stimuli{data::view(std::as_const(trial.stimuli[0])).middle_rows(t, count),
                             data::view(std::as_const(trial.stimuli[1])).middle_rows(t, count)};
    std::vector<SampleRange> missing;
    for (const SampleRange& range : trial.missing) {
      const Index begin = std::max(range.first, t);
      const Index end = std::min(range.first + range.count, t + count);
      if (end > begin) missing.push_back({begin - t, end - begin});
    }
    take(stream.push({data::view(std::as_const(trial.eeg)).middle_rows(t, count), stimuli, missing}));
    t += count;
    // No later than the lags ask for.
    RC_ASSERT(found.rows() >= whole_windows(std::max<Index>(0, t - 3), Hertz{64}, window));
  }
  take(stream.finish());
  RC_ASSERT(same_bits(found, whole.values));
}

TEST(Score, RefusesWhatDoesNotFit) {
  const Decoder decoder = trained(true);
  Trial trial = planted_trial();
  test::expect_error(ErrorKind::invalid_argument, {"quarter seconds"},
                     [&] { (void)score(decoder, trial, Seconds{0.3}); });
  trial.channels[2] = "Oz";
  test::expect_error(ErrorKind::bad_data, {"not here: C3"}, [&] { (void)score(decoder, trial, Seconds{1}); });
  trial = planted_trial();
  trial.sampling_frequency = Hertz{128};
  test::expect_error(ErrorKind::bad_data, {"128", "64"}, [&] { (void)score(decoder, trial, Seconds{1}); });
  Decoder unfinished = decoder;
  std::get<CcaDecoder>(unfinished.filters).discriminant = {};
  test::expect_error(ErrorKind::invalid_argument, {"3 pairs", "0 weights"},
                     [&] { (void)score(unfinished, planted_trial(), Seconds{1}); });
  StreamingScorer stream(decoder, 2, Seconds{1});
  const Matrix eeg = Matrix::Zero(5, 4);
  const Matrix stimulus = Matrix::Zero(4, 1);
  const std::array stimuli{data::view(stimulus), data::view(stimulus)};
  test::expect_error(ErrorKind::invalid_argument, {"equally many"}, [&] {
    (void)stream.push({data::view(eeg), stimuli, {}});
  });
  test::expect_error(ErrorKind::invalid_argument, {"at least one speaker"},
                     [&] { StreamingScorer(decoder, 0, Seconds{1}); });
}

}  // namespace
}  // namespace heed::decode
