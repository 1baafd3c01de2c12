// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/pipeline/emission_choice.h>
#include <heed/sim/score_cohort.h>

#include <cmath>

namespace heed::pipeline {
namespace {

std::vector<ScoredParticipant> cohort(int participants) {
  return sim::simulate_scores({.participants = participants, .trials = 1, .accuracy_spread = 0.05, .seed = 3});
}

const GaussianEmission& gaussian(const Emission& emission) { return std::get<GaussianEmission>(emission); }

TEST(Names, LeadToWhatTheyName) {
  EXPECT_EQ(family_names().size(), 7U);
  EXPECT_EQ(family_named("hard-decision"), EmissionFamily::hard_decision);
  EXPECT_EQ(fit_named("baum-welch"), EmissionFit::baum_welch);
  EXPECT_EQ(spread_named("exchangeable"), Spread::exchangeable);
  EXPECT_EQ(covariance_named("diagonal"), CovarianceShape::diagonal);
}

TEST(Names, ThatDoNotExistAreAnsweredWithThoseThatDo) {
  try {
    (void)fit_named("baumwelch");
    FAIL() << "an error was expected";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_STREQ(error.what(), "no fit 'baumwelch'; there are baum-welch, labels, memoryless");
  }
  EXPECT_THROW((void)family_named(""), Error);
  EXPECT_THROW((void)spread_named("Shared"), Error);
  EXPECT_THROW((void)covariance_named("tied"), Error);
}

TEST(FamilyOf, FollowsTheTypeOfTheScoresUnlessChosen) {
  EXPECT_EQ(family_of({}, ScoreType::correlation), EmissionFamily::fisher_gaussian);
  EXPECT_EQ(family_of({}, ScoreType::log_odds), EmissionFamily::gaussian);
  EXPECT_EQ(family_of({.family = EmissionFamily::softmax}, ScoreType::correlation), EmissionFamily::softmax);
}

TEST(IsFisher, FollowsTheFamilyOrWhatIsGiven) {
  EXPECT_TRUE(is_fisher({}, ScoreType::correlation));
  EXPECT_FALSE(is_fisher({}, ScoreType::log_odds));
  EXPECT_TRUE(is_fisher({.given = GaussianEmission{.fisher = true}}, ScoreType::log_odds));
  EXPECT_FALSE(is_fisher({.given = SoftmaxEmission{}}, ScoreType::correlation));
}

TEST(LabelFree, IsWhatWasGivenOrNeedsNoFit) {
  EXPECT_FALSE(label_free({}, ScoreType::correlation));
  EXPECT_TRUE(std::holds_alternative<GivenLogLikelihoods>(
      *label_free({.family = EmissionFamily::log_likelihood}, ScoreType::correlation)));
  const auto softmax =
      label_free({.family = EmissionFamily::softmax, .class_priors = {0.2, 0.8}}, ScoreType::correlation);
  EXPECT_EQ(std::get<SoftmaxEmission>(*softmax).class_priors, (std::vector{0.2, 0.8}));
  const auto hard = label_free({.family = EmissionFamily::hard_decision, .accuracy = 0.7}, ScoreType::correlation);
  EXPECT_EQ(std::get<HardDecisionEmission>(*hard).accuracy, 0.7);
  const auto probability =
      label_free({.family = EmissionFamily::probability, .class_priors = {0.2, 0.8}}, ScoreType::correlation);
  EXPECT_EQ(std::get<ProbabilityEmission>(*probability).class_priors, (std::vector{0.2, 0.8}));
  EXPECT_FALSE(label_free({.family = EmissionFamily::mixture}, ScoreType::correlation)) << "it has to be fitted";
  const auto given = label_free({.given = GaussianEmission{.mu_attended = 5}}, ScoreType::correlation);
  EXPECT_EQ(gaussian(*given).mu_attended, 5);
}

TEST(LeaveOneOut, IsTheFitToTheOthersExactly) {
  const auto participants = cohort(4);
  const auto left_out = leave_one_out_emissions({}, participants);
  ASSERT_EQ(left_out.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    auto others = participants;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    const GaussianEmission expected = gaussian(fit_emission({}, others));
    EXPECT_EQ(gaussian(left_out[k]).mu_attended, expected.mu_attended);
    EXPECT_EQ(gaussian(left_out[k]).sigma_attended, expected.sigma_attended);
  }
}

TEST(LeaveOneOut, DoesNotSeeTheOneLeftOut) {
  auto participants = cohort(3);
  const GaussianEmission before = gaussian(leave_one_out_emissions({}, participants)[1]);
  participants[1].trials[0].scores.values.setConstant(0.9);
  participants[1].trials[0].scores.values(0, 0) = -0.9;
  const GaussianEmission after = gaussian(leave_one_out_emissions({}, participants)[1]);
  EXPECT_EQ(before.mu_attended, after.mu_attended);
  EXPECT_EQ(before.sigma_attended, after.sigma_attended);
}

TEST(LeaveOneOut, NeedsTwo) {
  EXPECT_THROW((void)leave_one_out_emissions({}, cohort(1)), Error);
  EXPECT_EQ(leave_one_out_emissions({.given = GaussianEmission{}}, cohort(1)).size(), 1U);
}

TEST(FitEmission, NamesTheParticipantWhoseScoresAreNoCorrelations) {
  auto participants = cohort(2);
  participants[1].trials[0].scores.values(5, 1) = 3;
  try {
    (void)fit_emission({}, participants);
    FAIL() << "3 was taken for a correlation";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("participant 02"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heed::pipeline
