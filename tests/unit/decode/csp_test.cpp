// SPDX-License-Identifier: MIT
// CSP against scipy and scikit-learn; bad input.
#include <decode/csp.h>

#include "support/decode_cases.h"
#include "support/expect_error.h"
#include "unit/decode/oracle_values.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heed::decode {
namespace {

const CspOptions two_bands{.bands = {{Hertz{8}, Hertz{12}}, {Hertz{14}, Hertz{18}}}, .filters_per_side = 1};

// 24 s; attention changes every 6 s, and with it the power of two channels.
Trial lateralised(std::uint64_t seed = 3) {
  Trial trial = test::planted_trial({.samples = Index{24} * 64});
  trial.eeg = test::Draws(seed).matrix(Index{24} * 64, 4);
  trial.attention.clear();
  for (Index block = 0; block < 4; ++block) {
    trial.attention.push_back({{block * 384, 384}, static_cast<Speaker>(block % 2)});
    trial.eeg.col(block % 2 == 0 ? 1 : 2).segment(block * 384, 384) *= 1.5;
  }
  return trial;
}

CspModel fitted(const Trial& trial, const CspOptions& options = two_bands) {
  const Trial* one = &trial;
  return fit_csp({&one, 1}, options);
}

TEST(Csp, ScoresAreThoseOfScipyAndScikitLearn) {
  const Trial trial = lateralised();
  const Scores scores = score_csp(fitted(trial), trial, Seconds{1});
  ASSERT_EQ(scores.values.rows(), 24);
  for (Index w = 0; w < 8; ++w) {
    EXPECT_NEAR(scores.values(w, 0), test::csp_scores_oracle[static_cast<std::size_t>(w)], 1e-6) << w;
    EXPECT_EQ(scores.values(w, 1), -scores.values(w, 0));
  }
}

TEST(Csp, HasFourteenBandsAndLeavesOutThoseBeyondTheRate) {
  const auto bands = default_csp_bands();
  ASSERT_EQ(bands.size(), 14U);
  EXPECT_EQ(bands[0], (std::pair{Hertz{1}, Hertz{4}}));
  EXPECT_EQ(bands[1], (std::pair{Hertz{2}, Hertz{6}}));
  EXPECT_EQ(bands[13], (std::pair{Hertz{26}, Hertz{30}}));
  Trial slow = lateralised();
  slow.sampling_frequency = Hertz{32};
  EXPECT_EQ(fitted(slow).bands.size(), 1U);
}

TEST(Csp, MissingSamplesMakeAWindowMissing) {
  Trial trial = lateralised();
  const CspModel model = fitted(trial);
  trial.missing = {{70, 3}};
  const Scores scores = score_csp(model, trial, Seconds{1});
  EXPECT_FALSE(std::isnan(scores.values(0, 0)));
  EXPECT_TRUE(std::isnan(scores.values(1, 0)) && std::isnan(scores.values(1, 1)));
  EXPECT_FALSE(std::isnan(scores.values(2, 0)));
}

CspOptions with_window(Seconds window) {
  CspOptions options = two_bands;
  options.window = window;
  return options;
}

TEST(Csp, CrossValidationIsFittingToTheOthersTrialByTrial) {
  Trial quiet = lateralised();
  quiet.attention.clear();  // scored, not learnt from
  const std::vector<Trial> trials{lateralised(), lateralised(4), quiet};
  const std::vector<const Trial*> all{trials.data(), &trials[1], &trials[2]};
  const std::vector<Seconds> windows{{1}, {2}};
  const auto together = cross_validate_csp(all, windows, two_bands);
  for (std::size_t fold = 0; fold < 3; ++fold) {
    std::vector<const Trial*> training;
    for (std::size_t k = 0; k < 2; ++k) {
      if (k != fold) training.push_back(all[k]);
    }
    for (std::size_t w = 0; w < 2; ++w) {
      const CspModel model = fit_csp(training, with_window(windows[w]));
      const Scores alone = score_csp(model, trials[fold], windows[w]);
      ASSERT_EQ(together[fold][w].values.rows(), alone.values.rows());
      EXPECT_LT((together[fold][w].values - alone.values).cwiseAbs().maxCoeff(),
                1e-9 * alone.values.cwiseAbs().maxCoeff());
    }
  }
}

TEST(Csp, RefusesWhatItCannotTellApart) {
  const auto refused = [](ErrorKind kind, std::initializer_list<std::string_view> words, auto change) {
    Trial trial = lateralised();
    change(trial);
    test::expect_error(kind, words, [&] { (void)fitted(trial); });
  };
  refused(ErrorKind::unsupported, {"two sides", "1 speakers"}, [](Trial& t) {
    t.stimuli.pop_back();
    t.speakers.pop_back();
    t.attention = {{{0, 384}, 0}};
  });
  refused(ErrorKind::bad_data, {"both speakers"}, [](Trial& t) { t.attention = {{{0, 1536}, 0}}; });
  refused(ErrorKind::singular, {"flat"}, [](Trial& t) { t.eeg.setZero(); });
  refused(ErrorKind::bad_data, {"not a number"}, [](Trial& t) { t.eeg(0, 0) = std::nan(""); });
  refused(ErrorKind::bad_data, {"rate holds none"}, [](Trial& t) { t.sampling_frequency = Hertz{20}; });
  const Trial trial = lateralised();
  const CspModel model = fitted(trial);
  Trial other = trial;
  other.channels[0] = "Cz";
  test::expect_error(ErrorKind::bad_data, {"CSP was trained with"}, [&] { (void)score_csp(model, other, Seconds{1}); });
  test::expect_error(ErrorKind::invalid_argument, {"even order"}, [&] { (void)fitted(trial, {.order = 3}); });
  test::expect_error(ErrorKind::bad_data, {"no trial"}, [] { (void)fit_csp({}); });
}

}  // namespace
}  // namespace heed::decode
