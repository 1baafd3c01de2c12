// SPDX-License-Identifier: MIT
// C's offline calls beside the engine's own: the same bits.
#include <gtest/gtest.h>
#include <heed/c_offline.h>
#include <heed/data/random.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/label_free.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/emission/supervised.h>
#include <heed/evaluate/switch_metric.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/fixed_lag.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace heed::c {
namespace {

constexpr std::size_t windows = 300;

struct Case {
  Matrix scores;
  std::vector<std::int32_t> attended;
};

Case case_of(Index speakers) {
  RandomStream random(std::uint64_t{5});
  Case made{Matrix(windows, speakers), std::vector<std::int32_t>(windows)};
  for (Index t = 0; t < made.scores.rows(); ++t) {
    const Index attended = (t / 60) % speakers;
    made.attended[static_cast<std::size_t>(t)] = static_cast<std::int32_t>(attended);
    for (Index j = 0; j < speakers; ++j)
      made.scores(t, j) = std::tanh((0.3 * random.normal()) + (j == attended ? 0.2 : 0));
  }
  made.scores(70, 1) = std::numeric_limits<double>::quiet_NaN();
  made.attended[80] = -1;
  return made;
}

TEST(COffline, PosteriorsAndPathsAreTheEngines) {
  for (const std::uint32_t speakers : {2U, 3U, 64U}) {
    const Case given = case_of(speakers);
    const LogLikelihoods evidence{5 * given.scores};
    const auto chain = hmm::Chain::sticky(speakers, 0.004);
    const heed_chain own{HEED_C_VERSION, speakers, 0.004, nullptr, nullptr};
    Matrix found(windows, speakers);
    double log_evidence = 0;
    const auto expect = [&](const Posteriors& expected) {
      EXPECT_EQ(found, expected.values);
      EXPECT_EQ(log_evidence, expected.log_evidence);
    };
    ASSERT_EQ(heed_offline_filter(&own, evidence.values.data(), windows, found.data(), &log_evidence, nullptr),
              HEED_OK);
    expect(hmm::filter(chain, evidence));
    ASSERT_EQ(heed_offline_smooth(&own, evidence.values.data(), windows, found.data(), &log_evidence, nullptr),
              HEED_OK);
    expect(hmm::smooth(chain, evidence));
    std::vector<std::int32_t> decided(windows);
    ASSERT_EQ(heed_offline_decide(found.data(), windows, speakers, decided.data(), nullptr), HEED_OK);
    for (std::size_t t = 0; t < windows; ++t) {
      EXPECT_EQ(found(static_cast<Index>(t), decided[t]), found.row(static_cast<Index>(t)).maxCoeff());
    }
    ASSERT_EQ(heed_offline_fixed_lag(&own, evidence.values.data(), windows, 7, found.data(), &log_evidence, nullptr),
              HEED_OK);
    expect(hmm::fixed_lag(chain, evidence, Seconds{7}));
    std::vector<std::int32_t> path(windows);
    ASSERT_EQ(heed_offline_viterbi(&own, evidence.values.data(), windows, path.data(), &log_evidence, nullptr),
              HEED_OK);
    const Path best = hmm::viterbi(chain, evidence);
    EXPECT_TRUE(std::equal(path.begin(), path.end(), best.states.begin(), best.states.end()));
    EXPECT_EQ(log_evidence, best.log_probability);
  }
}

TEST(COffline, WholeMatricesAndInitialDistributions) {
  Matrix transition(2, 2);
  transition << 0.9, 0.1, 0.3, 0.7;  // not symmetric: rows are where attention comes from
  const std::vector initial{0.2, 0.8};
  const LogLikelihoods evidence{5 * case_of(2).scores};
  const heed_chain own{HEED_C_VERSION, 2, 0, transition.data(), initial.data()};
  Matrix found(windows, 2);
  ASSERT_EQ(heed_offline_smooth(&own, evidence.values.data(), windows, found.data(), nullptr, nullptr), HEED_OK);
  EXPECT_EQ(found, hmm::smooth(hmm::Chain::make(transition).with_initial(initial), evidence).values);
}

TEST(COffline, FitsAndEmissionsAreTheEngines) {
  for (const std::uint32_t speakers : {2U, 3U}) {
    const Case given = case_of(speakers);
    ScoredParticipant participant{.id = "01", .speakers = std::vector<std::string>(speakers, "s")};
    participant.trials = {{.scores = {given.scores.topRows(100)}}, {.scores = {given.scores.bottomRows(200)}}};
    participant.trials[0].attention.attended.assign(given.attended.begin(), given.attended.begin() + 100);
    participant.trials[1].attention.attended.assign(given.attended.begin() + 100, given.attended.end());
    const std::vector<std::size_t> lengths{100, 200};
    heed_fit_options options{HEED_C_VERSION, speakers, 1, HEED_SPREAD_SEPARATE, 0.01, lengths.data(), 2};
    heed_gaussian fitted{};
    ASSERT_EQ(heed_offline_fit(given.scores.data(), given.attended.data(), windows, &options, &fitted, nullptr),
              HEED_OK);
    const std::vector moments{emission::moments(participant, true)};
    const auto expected = emission::fit_gaussian(moments, {.spread = Spread::separate});
    EXPECT_EQ(fitted.mu_attended, expected.mu_attended);
    EXPECT_EQ(fitted.sigma_unattended, expected.sigma_unattended);
    Matrix found(windows, speakers);
    ASSERT_EQ(heed_offline_log_likelihoods(&fitted, given.scores.data(), windows, speakers, found.data(), nullptr),
              HEED_OK);
    const Matrix engine = emission::log_likelihoods(expected, {given.scores}).values;
    EXPECT_TRUE(((found.array() == engine.array()) || (found.array().isNaN() && engine.array().isNaN())).all());
    options.spread = HEED_SPREAD_SHARED;
    ASSERT_EQ(heed_offline_fit(given.scores.data(), nullptr, windows, &options, &fitted, nullptr), HEED_OK);
    const auto learnt = emission::fit_baum_welch({&participant, 1}, hmm::Chain::sticky(speakers, 0.01)).emission;
    EXPECT_EQ(fitted.mu_attended, learnt.mu_attended);
    EXPECT_EQ(fitted.sigma_attended, learnt.sigma_attended);
  }
}

TEST(COffline, PathsAreAsProbableAsTheEngineSays) {
  Case given = case_of(3);
  const LogLikelihoods evidence{5 * given.scores};
  const heed_chain own{HEED_C_VERSION, 3, 0.004, nullptr, nullptr};
  heed_path_probability found{};
  found.version = HEED_C_VERSION;
  ASSERT_EQ(
      heed_offline_path_probability(&own, evidence.values.data(), windows, given.attended.data(), &found, nullptr),
      HEED_OK);
  const auto chain = hmm::Chain::sticky(3, 0.004);
  const auto expected = hmm::path_probability(chain, evidence, given.attended);
  EXPECT_EQ(found.log_prior, expected.log_prior);
  EXPECT_EQ(found.log_joint, expected.log_joint);
  EXPECT_EQ(found.log_evidence, expected.log_evidence);
  EXPECT_EQ(found.log_posterior, expected.log_posterior());

  const Path best = hmm::viterbi(chain, evidence);
  ASSERT_EQ(heed_offline_path_probability(&own, evidence.values.data(), windows, best.states.data(), &found, nullptr),
            HEED_OK);
  EXPECT_NEAR(found.log_joint, best.log_probability, 1e-9);
  const std::vector<std::int32_t> any(windows, -1);
  ASSERT_EQ(heed_offline_path_probability(&own, evidence.values.data(), windows, any.data(), &found, nullptr), HEED_OK);
  EXPECT_NEAR(found.log_posterior, 0, 1e-9) << "every path will do";
}

// Columns s and -s, with labels and without: the fit has a correlation by itself, and says so.
TEST(COffline, FitsTakeRepeatedColumnsForOneScore) {
  for (const bool labelled : {true, false}) {
    Case given = case_of(2);
    given.scores.col(0) += given.scores.col(0);
    given.scores = given.scores.array().min(0.9).max(-0.9);
    given.scores.col(1) = -given.scores.col(0);
    const std::int32_t* labels = labelled ? given.attended.data() : nullptr;
    heed_fit_options options = HEED_FIT_OPTIONS;
    options.switch_probability = 0.01;
    heed_gaussian fitted{};
    heed_error words{};
    ASSERT_EQ(heed_offline_fit(given.scores.data(), labels, windows, &options, &fitted, &words), HEED_OK);
    EXPECT_EQ(words.text, emission::columns_repeat_words);
    EXPECT_EQ(fitted.correlation, -1);

    heed_gaussian said{};
    options.spread = HEED_SPREAD_EXCHANGEABLE;
    ASSERT_EQ(heed_offline_fit(given.scores.data(), labels, windows, &options, &said, &words), HEED_OK);
    EXPECT_EQ(said.mu_attended, fitted.mu_attended);
    EXPECT_EQ(said.sigma_attended, fitted.sigma_attended);
    EXPECT_STREQ(words.text, "") << "who asks for it need not be told";
    options.spread = HEED_SPREAD_SHARED;
    ASSERT_EQ(heed_offline_fit(given.scores.data(), labels, windows, &options, &said, &words), HEED_OK);
    EXPECT_EQ(said.correlation, 0);
  }
}

TEST(COffline, NoiseDecidesNothingAndIsToldSo) {
  RandomStream random(std::uint64_t{8});
  Matrix noise(windows, 2);
  for (double& score : noise.reshaped()) score = 0.2 * random.normal();
  const heed_fit_options options = HEED_FIT_OPTIONS;
  heed_gaussian fitted{};
  heed_error words{};
  ASSERT_EQ(heed_offline_fit(noise.data(), nullptr, windows, &options, &fitted, &words), HEED_OK);
  EXPECT_EQ(fitted.mu_attended, fitted.mu_unattended);
  EXPECT_NE(std::string_view(words.text).find("do not tell the speakers apart"), std::string_view::npos) << words.text;
  EXPECT_NE(std::string_view(words.text).find("heed's reference"), std::string_view::npos) << "cut: " << words.text;
}

TEST(COffline, TheReferenceIsTheEngines) {
  heed_gaussian found{};
  ASSERT_EQ(heed_offline_reference(5, 1, &found, nullptr), HEED_OK);
  const Model expected = emission::reference_model(Seconds{5}, Seconds{1});
  const auto& emission = std::get<GaussianEmission>(expected.emission);
  EXPECT_EQ(found.fisher, 1U);
  EXPECT_EQ(found.mu_attended, emission.mu_attended);
  EXPECT_EQ(found.sigma_unattended, emission.sigma_unattended);
  EXPECT_EQ(found.temperature, expected.temperature);
}

// The second column repeats the first, so that its evidence counts twice where the emission takes it for another score.
TEST(COffline, EvidenceIsCountedAsTheProgramDoes) {
  Case given = case_of(2);
  given.scores.col(1) = -given.scores.col(0);
  heed_fit_options options = HEED_FIT_OPTIONS;
  options.spread = HEED_SPREAD_SHARED;
  heed_gaussian fitted;
  ASSERT_EQ(heed_offline_fit(given.scores.data(), given.attended.data(), windows, &options, &fitted, nullptr), HEED_OK);
  const ScoredParticipant participant{
      .id = "1", .speakers = {"0", "1"}, .trials = {{.scores = {given.scores}, .attention = {given.attended}}}};
  const GaussianEmission emission{.mu_attended = fitted.mu_attended,
                                  .mu_unattended = fitted.mu_unattended,
                                  .sigma_attended = fitted.sigma_attended,
                                  .sigma_unattended = fitted.sigma_unattended};
  const emission::LabelledTrials trials{
      {emission::log_likelihoods(emission, participant.trials[0].scores), participant.trials[0].attention}};
  const std::vector sums{emission::evidence_moments(trials, 1)};
  const double expected = *emission::evidence_scale(sums);
  EXPECT_LT(expected, 0.7);

  const auto counted = [&](heed_counting counting, double& scale, heed_error& words) {
    heed_gaussian own = fitted;
    const heed_evidence_options how{HEED_C_VERSION, static_cast<std::uint32_t>(counting), 1, 1};
    EXPECT_EQ(heed_offline_count_evidence(&own, given.scores.data(), given.attended.data(), windows, &options, &how,
                                          &scale, &words),
              HEED_OK);
    return own.temperature;
  };
  double scale = 0;
  heed_error words;
  EXPECT_EQ(counted(HEED_EVIDENCE_WHERE_UNUSUAL, scale, words), 1 / expected);
  EXPECT_EQ(scale, expected);
  EXPECT_EQ(words.text, "evidence scale " + emission::scale_words(expected, emission::Neighbours::apart) +
                            "; log-likelihoods are multiplied by it");
  EXPECT_EQ(counted(HEED_EVIDENCE_AS_IS, scale, words), 1);
  EXPECT_EQ(words.text,
            "evidence scale " + emission::scale_words(expected, emission::Neighbours::apart) + "; it is left as it is");
  EXPECT_EQ(scale, expected);
}

TEST(COffline, MeasuresAreTheEngines) {
  const Case given = case_of(2);
  std::vector<std::int32_t> decided(given.attended);
  decided.insert(decided.begin(), 5, 0);  // everything is noticed five windows late
  decided.resize(windows);
  decided[85] = 1;
  heed_measures measures{};
  measures.version = HEED_C_VERSION;
  ASSERT_EQ(heed_offline_evaluate(decided.data(), given.attended.data(), windows, 2, &measures, nullptr), HEED_OK);
  const std::vector trial{evaluate::measure_trial({.states = {decided.begin(), decided.end()}, .window = Seconds{2}},
                                                  {{given.attended.begin(), given.attended.end()}})};
  const auto expected = evaluate::pool(trial);
  EXPECT_EQ(measures.accuracy, *expected.accuracy);
  EXPECT_EQ(measures.whole_accuracy, *expected.whole_accuracy);
  EXPECT_EQ(measures.switch_time, *expected.switch_time);
  EXPECT_EQ(measures.switch_time, 10);
  EXPECT_EQ(measures.switches, 4);
}

TEST(COffline, TrialsArePooledAsTheEngineDoes) {
  const Case given = case_of(2);
  std::vector<std::int32_t> decided(given.attended);
  decided.insert(decided.begin(), 5, 0);
  decided.resize(windows);
  decided[85] = 1;  // a decision is never unknown
  const std::vector<std::size_t> lengths{130, 170};
  heed_measures measures{};
  measures.version = HEED_C_VERSION;
  ASSERT_EQ(heed_offline_evaluate_trials(decided.data(), given.attended.data(), lengths.data(), lengths.size(), 2,
                                         &measures, nullptr),
            HEED_OK);
  const auto part = [](const std::vector<std::int32_t>& labels, std::size_t first, std::size_t count) {
    const auto from = labels.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<Speaker>(from, from + static_cast<std::ptrdiff_t>(count));
  };
  std::vector<evaluate::TrialMetrics> trials;
  for (const auto& [first, count] : {std::pair{0, 130}, std::pair{130, 170}}) {
    trials.push_back(evaluate::measure_trial({.states = part(decided, first, count), .window = Seconds{2}},
                                             {part(given.attended, first, count)}));
  }
  const auto expected = evaluate::pool(trials);
  EXPECT_EQ(measures.accuracy, *expected.accuracy);
  EXPECT_EQ(measures.switch_time, *expected.switch_time);
  EXPECT_EQ(measures.switches, 4);  // none of them lies where one trial ends and the next begins
  EXPECT_EQ(
      heed_offline_evaluate_trials(decided.data(), given.attended.data(), lengths.data(), 0, 2, &measures, nullptr),
      HEED_WRONG_SIZE);
}

}  // namespace
}  // namespace heed::c
