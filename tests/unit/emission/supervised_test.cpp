// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/emission/supervised.h>

#include <cmath>
#include <limits>

namespace heed::emission {
namespace {

ScoredParticipant participant(Index windows, Index speakers, std::uint64_t seed) {
  RandomStream random(seed);
  ScoredTrial trial{.name = "1", .onset = {}, .scores = {Matrix(windows, speakers), Seconds{1}}, .attention = {}};
  for (Index t = 0; t < windows; ++t) {
    const auto attended = static_cast<Speaker>(random.integer(0, speakers - 1));
    trial.attention.attended.push_back(attended);
    const double common = 0.1 * random.normal();
    for (Index j = 0; j < speakers; ++j) {
      trial.scores.values(t, j) = std::tanh((j == attended ? 0.12 : 0.04) + common + (0.28 * random.normal()));
    }
  }
  return {"p", std::vector<std::string>(static_cast<std::size_t>(speakers), "s"), ScoreType::correlation, {trial}};
}

// Two passes over the windows themselves, as docs/mathematics.md words it.
struct TwoPass {
  double mu_attended = 0;
  double mu_unattended = 0;
  double variance = 0;
  double attended_variance = 0;
  double covariance = 0;
};

template <typename Visit>
void for_each_window(const ScoredParticipant& p, Visit visit) {
  for (const ScoredTrial& trial : p.trials) {
    for (Index t = 0; t < trial.scores.values.rows(); ++t) {
      visit(trial.scores.values.row(t).array().atanh().eval(), trial.attention.attended[static_cast<std::size_t>(t)]);
    }
  }
}

TwoPass two_pass(const std::vector<ScoredParticipant>& cohort) {
  TwoPass result;
  const auto count = static_cast<double>(cohort.size());
  for (const auto& p : cohort) {
    double attended = 0;
    double unattended = 0;
    double n = 0;
    for_each_window(p, [&](const auto& z, Speaker a) {
      attended += z(a);
      unattended += (z.sum() - z(a)) / static_cast<double>(z.size() - 1);
      n += 1;
    });
    result.mu_attended += attended / n / count;
    result.mu_unattended += unattended / n / count;
  }
  for (const auto& p : cohort) {
    double squares = 0;
    double attended_squares = 0;
    double products = 0;
    double n = 0;
    double pairs = 0;
    double windows = 0;
    for_each_window(p, [&](const auto& z, Speaker a) {
      for (Index i = 0; i < z.size(); ++i) {
        const double r = z(i) - (i == a ? result.mu_attended : result.mu_unattended);
        squares += r * r;
        n += 1;
        if (i == a) attended_squares += r * r;
        for (Index j = 0; j < i; ++j) {
          products += r * (z(j) - (j == a ? result.mu_attended : result.mu_unattended));
          pairs += 1;
        }
      }
      windows += 1;
    });
    result.variance += squares / n / count;
    result.attended_variance += attended_squares / windows / count;
    result.covariance += products / pairs / count;
  }
  return result;
}

std::vector<ScoreMoments> all_moments(const std::vector<ScoredParticipant>& cohort) {
  std::vector<ScoreMoments> result;
  for (const auto& p : cohort) result.push_back(moments(p, true));
  return result;
}

TEST(FitGaussian, EqualsTwoPassesOverTheWindows) {
  const std::vector<ScoredParticipant> cohort{participant(400, 3, 1), participant(250, 3, 2), participant(90, 3, 3)};
  const TwoPass expected = two_pass(cohort);
  const auto sums = all_moments(cohort);

  const GaussianEmission shared = fit_gaussian(sums);
  EXPECT_NEAR(shared.mu_attended, expected.mu_attended, 1e-13);
  EXPECT_NEAR(shared.mu_unattended, expected.mu_unattended, 1e-13);
  EXPECT_NEAR(shared.sigma_attended, std::sqrt(expected.variance), 1e-12);
  EXPECT_EQ(shared.sigma_attended, shared.sigma_unattended);
  EXPECT_EQ(shared.correlation, 0);

  const GaussianEmission separate = fit_gaussian(sums, {.spread = Spread::separate});
  EXPECT_NEAR(separate.sigma_attended, std::sqrt(expected.attended_variance), 1e-12);
  EXPECT_NE(separate.sigma_attended, separate.sigma_unattended);

  const GaussianEmission exchangeable = fit_gaussian(sums, {.spread = Spread::exchangeable});
  EXPECT_NEAR(exchangeable.correlation, expected.covariance / expected.variance, 1e-12);
}

TEST(FitGaussian, RecoversPerfectAntiCorrelation) {
  ScoredParticipant p = participant(200, 2, 9);
  p.trials[0].scores.values.col(1) = -p.trials[0].scores.values.col(0);
  const std::vector<ScoreMoments> sums{moments(p, false)};
  const GaussianEmission e = fit_gaussian(sums, {.fisher = false, .spread = Spread::exchangeable});
  // attended and unattended means are opposite here only in expectation over both positions
  EXPECT_NEAR(e.mu_attended, -e.mu_unattended, 1e-12);
  EXPECT_NEAR(e.correlation, -1, 1e-9);
}

TEST(FitGaussian, LeavesUnlabelledAndMissingWindowsOut) {
  ScoredParticipant whole = participant(300, 2, 4);
  ScoredParticipant holed = whole;
  ScoredTrial& trial = holed.trials[0];
  trial.attention.attended[10] = unknown_speaker;
  trial.scores.values(20, 1) = std::numeric_limits<double>::quiet_NaN();
  const ScoreMoments all = moments(whole, true);
  const ScoreMoments some = moments(holed, true);
  EXPECT_EQ(all.windows, 300);
  EXPECT_EQ(some.windows, 298);
}

TEST(FitGaussian, SaysWhatIsMissing) {
  ScoredParticipant unlabelled = participant(20, 2, 5);
  unlabelled.trials[0].attention.attended.assign(20, unknown_speaker);
  const std::vector<ScoreMoments> none{moments(unlabelled, true)};
  EXPECT_THROW((void)fit_gaussian(none), Error);
  EXPECT_THROW((void)fit_gaussian({}), Error);

  ScoredParticipant flat = participant(20, 2, 6);
  flat.trials[0].scores.values.setConstant(0.25);
  const std::vector<ScoreMoments> constant{moments(flat, false)};
  try {
    (void)fit_gaussian(constant, {.fisher = false});
    FAIL() << "a constant was fitted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::singular);
  }
}

}  // namespace
}  // namespace heed::emission
