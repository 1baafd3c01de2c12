// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/data/error.h>
#include <heed/track/method.h>

#include <string>

namespace heed::track {
namespace {

TEST(Method, NamesLeadBackToTheMethod) {
  for (const Method method : all_methods()) EXPECT_EQ(method_named(name(method)), method);
  EXPECT_EQ(all_methods().size() + 1, std::variant_size_v<AnyTracker>) << "that of a bank is several methods";
}

TEST(Method, AnUnknownNameListsTheKnownOnes) {
  try {
    (void)method_named("kalman");
    FAIL() << "there is no method kalman";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("viterbi"), std::string::npos);
  }
}

TEST(MakeTracker, GivesTheTrackerOfTheMethod) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  EXPECT_TRUE(std::holds_alternative<RawTracker>(make_tracker(Method::raw, chain)));
  EXPECT_TRUE(std::holds_alternative<CausalTracker>(make_tracker(Method::causal, chain)));
  EXPECT_TRUE(std::holds_alternative<SmoothTracker>(make_tracker(Method::smooth, chain)));
  EXPECT_TRUE(std::holds_alternative<ViterbiTracker>(make_tracker(Method::viterbi, chain)));
  const AnyTracker lagged = make_tracker(Method::fixed_lag, chain, {.lag = Seconds{7}});
  EXPECT_EQ(look_ahead(lagged, Seconds{1}), Seconds{7});
  EXPECT_EQ(look_ahead(lagged, Seconds{2}), Seconds{8}) << "whole windows are waited for";
}

TEST(MakeTracker, HandsTheRivalsTheirOptions) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  const MethodOptions options{.gain_states = 9, .gain_step = 0.3, .state_space = {.compatible = true}};
  EXPECT_EQ(std::get<MarkovChainTracker>(make_tracker(Method::markov_chain, chain, options)).states, 9);
  EXPECT_EQ(std::get<MarkovChainTracker>(make_tracker(Method::markov_chain, chain)).states, 17);
  EXPECT_EQ(std::get<ProbabilisticGainTracker>(make_tracker(Method::probabilistic_gain, chain, options)).step, 0.3);
  EXPECT_TRUE(std::get<StateSpaceTracker>(make_tracker(Method::state_space, chain, options)).options.compatible);
}

TEST(Method, IsToldFromItsTracker) {
  const auto chain = hmm::Chain::sticky(2, 0.01);
  for (const Method method : all_methods()) EXPECT_EQ(method_of(make_tracker(method, chain)), method) << name(method);
}

TEST(MakeTracker, TakesABankWhereThereWouldBeAChain) {
  const auto bank = hmm::Bank::per_second(2, Seconds{1});
  for (const Method method : all_methods()) {
    const AnyTracker tracker = make_tracker(method, bank, {.lag = Seconds{7}});
    EXPECT_EQ(method_of(tracker), method) << name(method);
    EXPECT_EQ(std::holds_alternative<BankTracker>(tracker), needs(method).chain) << name(method);
    EXPECT_EQ(look_ahead(tracker, Seconds{2}),
              look_ahead(make_tracker(method, bank.chain(0), {.lag = Seconds{7}}), Seconds{2}));
  }
}

TEST(Method, SaysWhatItNeeds) {
  EXPECT_TRUE(needs(Method::smooth).chain);
  EXPECT_FALSE(needs(Method::probabilistic_gain).chain);
  EXPECT_TRUE(needs(Method::probabilistic_gain).emission);
  EXPECT_FALSE(needs(Method::markov_chain).emission);
  EXPECT_FALSE(needs(Method::state_space).emission);
}

}  // namespace
}  // namespace heed::track
