// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/pipeline/model_choice.h>

#include <cmath>

namespace heed::pipeline {
namespace {

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
    EXPECT_STREQ(error.what(), "no fit 'baumwelch'; there are adaptive, baum-welch, labels, memoryless");
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

TEST(KnownEmission, IsWhatWasGivenOrNeedsNoFit) {
  EXPECT_FALSE(known_emission({}, ScoreType::correlation));
  EXPECT_TRUE(std::holds_alternative<GivenLogLikelihoods>(
      *known_emission({.family = EmissionFamily::log_likelihood}, ScoreType::correlation)));
  const auto softmax =
      known_emission({.family = EmissionFamily::softmax, .class_priors = {0.2, 0.8}}, ScoreType::correlation);
  EXPECT_EQ(std::get<SoftmaxEmission>(*softmax).class_priors, (std::vector{0.2, 0.8}));
  const auto hard = known_emission({.family = EmissionFamily::hard_decision, .accuracy = 0.7}, ScoreType::correlation);
  EXPECT_EQ(std::get<HardDecisionEmission>(*hard).accuracy, 0.7);
  const auto probability =
      known_emission({.family = EmissionFamily::probability, .class_priors = {0.2, 0.8}}, ScoreType::correlation);
  EXPECT_EQ(std::get<ProbabilityEmission>(*probability).class_priors, (std::vector{0.2, 0.8}));
  EXPECT_FALSE(known_emission({.family = EmissionFamily::mixture}, ScoreType::correlation)) << "it has to be fitted";
  const auto given = known_emission({.given = GaussianEmission{.mu_attended = 5}}, ScoreType::correlation);
  EXPECT_EQ(gaussian(*given).mu_attended, 5);
}

using hmm::From;
using hmm::To;

TEST(MakeChain, DefaultsToThePapersSwitchProbability) {
  EXPECT_DOUBLE_EQ(make_chain({}, 2, Seconds{1}).transition(From{0}, To{1}), 0.001);
  EXPECT_DOUBLE_EQ(make_chain({}, 3, Seconds{5}).transition(From{2}, To{0}), 0.005);
}

TEST(MakeChain, ExactScalingIsTheChainOfOneSecondLookedAtLessOften) {
  const auto slow = make_chain({.scaling = SwitchScaling::exact}, 3, Seconds{2});
  const auto quick = make_chain({}, 3, Seconds{1});
  double two_steps = 0;
  for (Index k = 0; k < 3; ++k) two_steps += quick.transition(From{0}, To{k}) * quick.transition(From{k}, To{1});
  EXPECT_NEAR(slow.transition(From{0}, To{1}), two_steps, 1e-15);
}

TEST(MakeChain, AnExplicitProbabilityIsTakenAsItIs) {
  // the default would be beyond 1/N here, but nobody asked for it
  EXPECT_DOUBLE_EQ(make_chain({.switch_probability = 0.1}, 2, Seconds{900}).transition(From{0}, To{1}), 0.1);
  EXPECT_THROW((void)make_chain({.switch_probability = 0.0}, 2, Seconds{1}), Error);
  EXPECT_THROW((void)make_chain({.switch_probability = 0.51}, 2, Seconds{1}), Error);
}

TEST(MakeChain, TakesAMatrixOfTheRightSizeAndAnInitialDistribution) {
  const Matrix matrix = (Matrix(2, 2) << 0.9, 0.1, 0, 1).finished();
  const auto chain = make_chain({.transition = matrix, .initial = {0.25, 0.75}}, 2, Seconds{1});
  EXPECT_EQ(chain.transition(From{1}, To{0}), 0);
  EXPECT_EQ(chain.initial()[1], 0.75);
  EXPECT_THROW((void)make_chain({.transition = matrix}, 3, Seconds{1}), Error);
}

TEST(MakeBank, IsThereWhereTheSwitchProbabilityIsUnknown) {
  EXPECT_FALSE(make_bank({}, 2, Seconds{1}));
  const ChainChoice unknown{.initial = {0.25, 0.75}, .unknown_switch_probability = true};
  const auto bank = make_bank(unknown, 2, Seconds{0.25});
  ASSERT_TRUE(bank);
  EXPECT_EQ(bank->size(), 7U);
  EXPECT_EQ(bank->chain(3).initial()[1], 0.75);
  EXPECT_NEAR(bank->chain(4).as_sticky()->move(), (1 - std::pow(1 - 0.02, 0.25)) / 2, 1e-15);
  EXPECT_EQ(make_chain(unknown, 2, Seconds{1}).as_sticky()->move(), 0.001) << "for fits without labels";
  ChainChoice both = unknown;
  both.switch_probability = 0.01;
  EXPECT_THROW((void)make_bank(both, 2, Seconds{1}), Error);
  both = unknown;
  both.transition = Matrix{{0.9, 0.1}, {0.2, 0.8}};
  EXPECT_THROW((void)make_bank(both, 2, Seconds{1}), Error);
}

// Keys of caches and shared experiments compare choices by value.
TEST(Choices, AreEqualWhereAllTheyHoldIs) {
  const Matrix matrix{{0.9, 0.1}, {0.2, 0.8}};
  EXPECT_EQ((ChainChoice{.transition = matrix}), (ChainChoice{.transition = matrix}));
  EXPECT_NE((ChainChoice{.transition = matrix}), (ChainChoice{}));
  EXPECT_NE((ChainChoice{.transition = matrix}), (ChainChoice{.transition = Matrix::Identity(3, 3)}));
  EXPECT_NE((ChainChoice{.switch_probability = 0.1}), (ChainChoice{}));
  EXPECT_NE((ChainChoice{.unknown_switch_probability = true}), (ChainChoice{}));
  MixtureEmission one{.states = {"a"}, .features = {"x"}};
  one.mixtures = {{GaussianComponent{1, Eigen::VectorXd::Zero(1), Matrix::Identity(1, 1)}}};
  MixtureEmission two = one;
  EXPECT_EQ((EmissionChoice{.given = one}), (EmissionChoice{.given = two}));
  two.mixtures[0][0].mean = Eigen::VectorXd::Zero(2);
  EXPECT_NE((EmissionChoice{.given = one}), (EmissionChoice{.given = two}));
  EXPECT_NE((EmissionChoice{.given = one}), (EmissionChoice{.given = SoftmaxEmission{}}));
  EXPECT_NE((EmissionChoice{.calibrate = true}), EmissionChoice{});
}

}  // namespace
}  // namespace heed::pipeline
