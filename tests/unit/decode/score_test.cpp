// SPDX-License-Identifier: MIT
// Scores against correlations of plain reconstructions, missing windows, and streaming against the whole, bit for bit.
#include <heed/decode/score.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"

#include "support/allocation_counter.h"

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

const ScoreRule cosine{.measure = WindowMeasure::cosine};
const ScoreRule live_cosine{.measure = WindowMeasure::cosine, .memory = Seconds{2}};

struct Training {
  bool standardise = false;
  bool two_targets = false;
  ScoreRule rule{};
};

Decoder trained(bool cca, const Training& training = {}) {
  std::vector<Trial> trials;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Trial trial = planted_trial({.samples = 1600, .seed = seed});
    trials.push_back(training.two_targets ? test::with_second_target(trial) : trial);
  }
  const DecoderLags& wanted = cca ? lags[1] : lags[0];
  std::vector<TrialStatistics> statistics;
  for (const Trial& trial : trials) statistics.push_back(trial_statistics(trial, wanted));
  const TrainingOptions options{.lags = wanted, .rule = training.rule, .standardise = training.standardise, .pairs = 3};
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
  WindowCorrelator correlator({}, {.cells = 8}, cells);
  for (Index w = 0; w < scores.values.rows(); ++w) {
    const Matrix r = correlator.next(cells);
    for (Index s = 0; s < 2; ++s) {
      double expected = cca.discriminant.bias;
      for (Index p = 0; p < 3; ++p) expected += cca.discriminant.weights(p) * std::atanh(r(s, p));
      EXPECT_NEAR(scores.values(w, s), expected, 1e-12);
    }
  }
}

// sum u v / sqrt((sum u^2 + .3 w s_u^2)(sum v^2 + .3 w s_v^2)), u and v of both targets one behind the other.
TEST(Score, TargetsOfLeastSquaresAreScoredTogether) {
  const Decoder decoder = trained(false, {.two_targets = true, .rule = cosine});
  const Trial trial = test::with_second_target(planted_trial({.samples = 400, .seed = 5}));
  const Scores scores = score(decoder, trial, Seconds{1});
  const Matrix& weights = std::get<LeastSquaresDecoder>(decoder.filters).weights;
  Matrix u(400, 2);
  for (Index k = 0; k < 2; ++k) {
    const Matrix filter = weights.middleRows(4 * k, 4);
    u.col(k) = test::lagged_matrix(trial.eeg, {0, 3}) * Eigen::Map<const Eigen::VectorXd>(filter.data(), filter.size());
  }
  ASSERT_EQ(scores.values.rows(), 6);
  for (Index w = 0; w < 6; ++w) {
    for (Index s = 0; s < 2; ++s) {
      const Matrix& v = trial.stimuli[static_cast<std::size_t>(s)];
      const Matrix a = u.middleRows(64 * w, 64);
      const Matrix b = v.middleRows(64 * w, 64);
      const double pull = 0.3 * 64 / 400;
      const double powers = (a.squaredNorm() + pull * u.squaredNorm()) * (b.squaredNorm() + pull * v.squaredNorm());
      EXPECT_NEAR(scores.values(w, s), a.cwiseProduct(b).sum() / std::sqrt(powers), 1e-12);
    }
  }
}

// The discriminant learns from correlations of the rule it is used with: its scores are log-odds again.
TEST(Score, CcaOfEveryRuleAndBothTargetsTellsTheAttendedSpeaker) {
  const Trial trial = planted_trial({.samples = 6400, .strength = 0.3, .seed = 77});
  for (const ScoreRule& rule : {ScoreRule{}, cosine, live_cosine}) {
    for (const bool two_targets : {false, true}) {
      const Decoder decoder = trained(true, {.two_targets = two_targets, .rule = rule});
      const Scores scores = score(decoder, two_targets ? test::with_second_target(trial) : trial, Seconds{1});
      EXPECT_GE((scores.values.col(0).array() > scores.values.col(1).array()).count(), 85) << "of 100";
      EXPECT_GT(scores.values.col(0).mean(), 0.5);
      EXPECT_LT(scores.values.col(1).mean(), -0.5);
    }
  }
}

TEST(Score, AllWindowLengthsComeFromOnePass) {
  const Trial trial = planted_trial({.samples = 1000, .seed = 6});
  const std::vector<WindowLayout> windows{Seconds{0.25}, Seconds{1}, Seconds{2.5}, Seconds{5}};
  for (const ScoreRule& rule : {ScoreRule{}, cosine, live_cosine}) {
    const Decoder decoder = trained(true, {.rule = rule});
    const std::vector<Scores> together = score(decoder, trial, windows);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      EXPECT_TRUE(same_bits(together[i].values, score(decoder, trial, windows[i]).values));
      EXPECT_EQ(together[i].window, windows[i].window);
    }
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

std::vector<Decoder> every_live_decoder() {
  std::vector<Decoder> decoders;
  for (const bool cca : {false, true}) {
    for (const bool standardise : {false, true}) {
      for (const bool two_targets : {false, true}) {
        for (const ScoreRule& rule : {ScoreRule{}, live_cosine}) {
          decoders.push_back(trained(cca, {standardise, two_targets, rule}));
        }
      }
    }
  }
  return decoders;
}

RC_GTEST_PROP(Score, StreamingGivesTheBitsOfTheWhole, ()) {
  static const std::vector<Decoder> decoders = every_live_decoder();
  const Decoder& decoder = decoders[*rc::gen::inRange<std::size_t>(0, decoders.size())];
  const auto samples = *rc::gen::inRange<Index>(30, 400);
  Trial trial = planted_trial({.samples = samples, .seed = *rc::gen::inRange<std::uint64_t>(1, 99)});
  if (decoder.targets.size() > 1) trial = test::with_second_target(trial);
  if (*rc::gen::arbitrary<bool>()) trial.missing = {{samples / 3, 4}, {samples / 2, 1}};
  const bool steps = std::holds_alternative<LeastSquaresDecoder>(decoder.filters) && decoder.rule.memory;
  const WindowLayout window = steps && *rc::gen::arbitrary<bool>()
                                  ? WindowLayout::in_steps(Seconds{*rc::gen::element(0.25, 0.5)})
                                  : *rc::gen::elementOf(std::vector<WindowLayout>{Seconds{0.25},
                                                                                  Seconds{0.5},
                                                                                  Seconds{1},
                                                                                  {Seconds{1}, Seconds{0.25}},
                                                                                  {Seconds{1}, Seconds{0.75}},
                                                                                  {Seconds{2}, Seconds{0.5}}});
  const Scores whole = score(decoder, trial, window);

  StreamingScorer stream(decoder, 2, window);
  if (*rc::gen::arbitrary<bool>()) {  // used before
    const std::array stimuli{data::view(std::as_const(trial.stimuli[1])), data::view(std::as_const(trial.stimuli[0]))};
    (void)stream.push({data::view(std::as_const(trial.eeg)), stimuli, trial.missing});
    stream.reset();
  }
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

// A window is that of the trial cut to begin with it, by Pearson's measure: nothing else depends on the past.
TEST(Score, OverlappingWindowsAreWindowsOfTheTrial) {
  const Trial trial = planted_trial({.samples = 640});
  const Decoder decoder = trained(false, {});
  const Scores found = score(decoder, trial, {Seconds{1}, Seconds{0.25}});
  EXPECT_EQ(found.hop, Seconds{0.25});
  EXPECT_EQ(found.window, Seconds{1});
  ASSERT_EQ(found.values.rows(), 37) << "those that end within 10 s";
  const Scores apart = score(decoder, trial, Seconds{1});
  for (Index w = 0; w < apart.values.rows(); ++w) {
    EXPECT_TRUE(same_bits(found.values.row(4 * w), apart.values.row(w))) << w;
  }
  EXPECT_EQ(attention_track(trial, {Seconds{1}, Seconds{0.25}}).attended.size(), 37U);
}

TEST(Score, RefusesLayoutsThatAreNone) {
  const Trial trial = planted_trial({.samples = 640});
  const Decoder decoder = trained(false, {});
  const auto refused = [&](const WindowLayout& layout, std::initializer_list<std::string_view> words) {
    test::expect_error(ErrorKind::invalid_argument, words, [&] { (void)score(decoder, trial, layout); });
  };
  refused({Seconds{1}, Seconds{1.25}}, {"hop of 1.25 s is longer than the window of 1 s"});
  refused({Seconds{1}, Seconds{0.3}}, {"0.3 s", "quarter seconds"});
  refused(WindowLayout::in_steps(Seconds{1}), {"step of 1 s is not shorter than a second"});
  test::expect_error(ErrorKind::unsupported, {"steps are for least squares"},
                     [&] { (void)score(trained(true, {}), trial, WindowLayout::in_steps(Seconds{0.25})); });
  EXPECT_EQ(score_type(decoder, WindowLayout::in_steps(Seconds{0.25})), ScoreType::step_cosine);
}

TEST(Score, StreamingAllocatesNothingOnceItIsMade) {
  for (const Decoder& decoder : every_live_decoder()) {
    Trial trial = planted_trial({.samples = 400});
    if (decoder.targets.size() > 1) trial = test::with_second_target(trial);
    const bool steps = std::holds_alternative<LeastSquaresDecoder>(decoder.filters) && decoder.rule.memory;
    StreamingScorer stream(decoder, 2,
                           steps ? WindowLayout::in_steps(Seconds{0.25}) : WindowLayout(Seconds{1}, Seconds{0.25}));
    std::vector<double> scores;
    scores.reserve(400);
    const SampleRange missing{0, 1};
    const test::AllocationCount allocations;
    for (int trials = 0; trials < 2; ++trials) {
      for (Index t = 0; t < 400; ++t) {
        const std::array stimuli{data::view(std::as_const(trial.stimuli[0])).middle_rows(t, 1),
                                 data::view(std::as_const(trial.stimuli[1])).middle_rows(t, 1)};
        stream.push({data::view(std::as_const(trial.eeg)).middle_rows(t, 1), stimuli,
                     std::span(&missing, t % 2 == 0 && t > 200 ? 1 : 0)},
                    scores);
      }
      stream.finish(scores);
      stream.reset();
    }
    EXPECT_EQ(allocations.so_far(), 0U);
    EXPECT_EQ(scores.size(), steps ? 100U : 88U);
  }
}

TEST(Score, RefusesWhatDoesNotFit) {
  const Decoder decoder = trained(true);
  Trial trial = planted_trial();
  test::expect_error(ErrorKind::invalid_argument, {"quarter seconds"},
                     [&] { (void)score(decoder, trial, Seconds{0.3}); });
  trial.channels[2] = "Oz";
  test::expect_error(ErrorKind::bad_data, {"missing here: C3"}, [&] { (void)score(decoder, trial, Seconds{1}); });
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
  const Decoder of_whole_trials = trained(false, {.rule = cosine});
  test::expect_error(ErrorKind::invalid_argument, {"live session", "memory of the scores"},
                     [&] { StreamingScorer(of_whole_trials, 2, Seconds{1}); });
  const Decoder of_two = trained(false, {.two_targets = true});
  test::expect_error(ErrorKind::bad_data, {"the target onset", "not prepared"},
                     [&] { (void)score(of_two, planted_trial(), Seconds{1}); });
}

}  // namespace
}  // namespace heed::decode
