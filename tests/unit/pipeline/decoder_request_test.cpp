// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/pipeline/recipe.h>

#include <cmath>
#include <limits>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

TEST(DecoderChoice, ThePapersLagsAreTheDefault) {
  const auto cca = training_options({}, Seconds{1});
  EXPECT_EQ(cca.lags.eeg, (LagRange{0, 16}));
  EXPECT_EQ(cca.lags.stimulus, (LagRange{-16, 0}));
  EXPECT_EQ(cca.pairs, 10);
  EXPECT_EQ(cca.regularisation.ridge, 0.1);
  EXPECT_FALSE(cca.standardise);
  const auto ls = training_options({.kind = DecoderKind::least_squares}, Seconds{1});
  EXPECT_EQ(ls.lags.stimulus, (LagRange{0, 0}));
}

TEST(DecoderChoice, CausalSignalsAreStandardisedByTheDecoder) {
  EXPECT_TRUE(training_options({.preprocessing = {.filters = FilterMode::causal}}, Seconds{1}).standardise);
}

TEST(DecoderChoice, LagsFollowTheRate) {
  const DecoderChoice choice{.kind = DecoderKind::least_squares,
                             .preprocessing = {.sampling_frequency = Hertz{32}},
                             .first_lag = Seconds{0.0625},
                             .longest_lag = Seconds{0.5}};
  EXPECT_EQ(training_options(choice, Seconds{1}).lags.eeg, (LagRange{2, 16}));
}

TEST(DecoderChoice, RefusesWhatMakesNoDecoder) {
  const auto refuse = [](const DecoderChoice& choice) {
    test::expect_error(ErrorKind::invalid_argument, {"usual"}, [&] { (void)training_options(choice, Seconds{1}); });
  };
  refuse({.longest_lag = Seconds{-0.1}});
  refuse({.longest_lag = Seconds{11}});
  refuse({.first_lag = Seconds{0.3}, .longest_lag = Seconds{0.2}});
  refuse({.pairs = 0});
  refuse({.rule = {.measure = WindowMeasure::cosine, .shrinkage = -1}});
  refuse({.rule = {.measure = WindowMeasure::cosine, .memory = Seconds{0}}});
  for (const double rate : {0.0, -64.0, 1e308, std::numeric_limits<double>::infinity(), std::nan("")}) {
    refuse({.preprocessing = {.sampling_frequency = Hertz{rate}}});
  }
}

TEST(DecoderChoice, DecodersKeepTheRuleOfTheirScores) {
  EXPECT_EQ(training_options({}, Seconds{1}).rule, ScoreRule{});
  const ScoreRule live{.measure = WindowMeasure::cosine, .memory = Seconds{60}};
  EXPECT_EQ(training_options({.rule = live}, Seconds{1}).rule, live);
}

TEST(DecoderChoice, OnlyCspHasABandOfItsOwn) {
  EXPECT_EQ(signals_for({}).high, Hertz{9});
  const Preprocessing rhythms = signals_for({.kind = DecoderKind::csp});
  EXPECT_EQ(rhythms.low, Hertz{0.5});
  EXPECT_EQ(rhythms.high, Hertz{31});
  EXPECT_LT(signals_for({.kind = DecoderKind::csp, .preprocessing = {.sampling_frequency = Hertz{40}}}).high,
            Hertz{20});
}

TEST(DecoderChoice, OnlyCspLooksAtNoTarget) {
  const Preprocessing onsets{.targets = {SpeechTarget::onset}};
  EXPECT_EQ(signals_for({.kind = DecoderKind::cca, .preprocessing = onsets}).targets, onsets.targets);
  EXPECT_EQ(signals_for({.kind = DecoderKind::csp, .preprocessing = onsets}).targets, Preprocessing{}.targets);
}

TEST(DecoderChoice, NamesAreThoseOfFiles) {
  EXPECT_EQ(name(DecoderKind::least_squares), "ls");
  EXPECT_EQ(name(DecoderKind::cca), "cca");
  EXPECT_EQ(name(DecoderKind::csp), "csp");
}

// ---- requests ----

TEST(DecoderRequest, WhatIsNotSaidIsHeedsRecipe) {
  EXPECT_EQ(resolve({}), with_recipe({}, Recipe::heed));
  EXPECT_EQ(recipe_of({}), Recipe::heed);
  EXPECT_EQ(resolve({.recipe = Recipe::paper}), DecoderChoice{});
  EXPECT_TRUE(recipe_notes({}).empty());
}

TEST(DecoderRequest, WhatIsSaidWins) {
  const DecoderChoice choice = resolve({.band = Band{Hertz{2}, Hertz{8}},
                                        .sampling_frequency = Hertz{32},
                                        .reference = Reference{ReferenceKind::none, {}},
                                        .bad_channels = BadChannels::interpolate,
                                        .clip = 5,
                                        .targets = std::vector{SpeechTarget::envelope},
                                        .ridge = 0.7,
                                        .lags = LagSpan{Seconds{0.1}, Seconds{0.4}},
                                        .shrinkage = 0.1,
                                        .channels = {"Cz"}});
  EXPECT_EQ(choice.preprocessing, (Preprocessing{.low = Hertz{2},
                                                 .high = Hertz{8},
                                                 .sampling_frequency = Hertz{32},
                                                 .reference = {ReferenceKind::none, {}},
                                                 .bad_channels = BadChannels::interpolate,
                                                 .clip = 5}));
  EXPECT_EQ(choice.regularisation.ridge, 0.7);
  EXPECT_EQ(choice.first_lag, Seconds{0.1});
  EXPECT_EQ(choice.longest_lag, Seconds{0.4});
  EXPECT_EQ(choice.rule, (ScoreRule{.measure = WindowMeasure::cosine, .shrinkage = 0.1}));
  EXPECT_EQ(choice.channels, std::vector<std::string>{"Cz"});
  EXPECT_EQ(resolve({.regularisation = decode::RegularisationKind::ledoit_wolf}).regularisation.kind,
            decode::RegularisationKind::ledoit_wolf);
  EXPECT_EQ(resolve({.measure = WindowMeasure::pearson}).rule, ScoreRule{});
}

TEST(DecoderRequest, AllOfThePapersSaidIsThePapers) {
  const DecoderChoice all = resolve({.kind = DecoderKind::cca,
                                     .band = Band{Hertz{1}, Hertz{9}},
                                     .targets = std::vector{SpeechTarget::envelope},
                                     .ridge = 0.1,
                                     .measure = WindowMeasure::pearson});
  EXPECT_EQ(all, resolve({.recipe = Recipe::paper}));
}

TEST(DecoderRequest, CausalDecodersRememberAMinuteUnlessTold) {
  EXPECT_EQ(resolve({.filters = FilterMode::causal}).rule.memory, live_memory);
  EXPECT_EQ(resolve({.filters = FilterMode::causal, .memory = PowerMemory{}}).rule.memory, std::nullopt);
  EXPECT_EQ(resolve({.memory = PowerMemory{Seconds{7.5}}}).rule.memory, Seconds{7.5});
}

TEST(DecoderRequest, APopulationSaysTheRestUnlessARecipeIsNamed) {
  Population population{.preprocessing = {.low = Hertz{2}, .clip = 4}};
  population.decoder = {.kind = "cca", .regularisation = "ledoit-wolf", .longest_lag = Seconds{0.4}, .pairs = 3};
  population.decoder.rule = {.measure = WindowMeasure::cosine, .shrinkage = 0.2, .memory = Seconds{9}};
  const DecoderChoice theirs = resolve({}, &population);
  EXPECT_EQ(theirs, decoder_of(population));
  EXPECT_EQ(theirs.kind, DecoderKind::cca);
  EXPECT_EQ(theirs.regularisation.kind, decode::RegularisationKind::ledoit_wolf);
  EXPECT_EQ(theirs.rule, population.decoder.rule);
  EXPECT_EQ(recipe_of({}, &population), std::nullopt);
  EXPECT_EQ(resolve({.clip = 5}, &population).preprocessing.low, Hertz{2});
  EXPECT_EQ(resolve({.recipe = Recipe::heed}, &population), resolve({}));
}

TEST(DecoderRequest, CspHasSignalsOfItsOwnAndNoRecipe) {
  const DecoderChoice csp = resolve({.kind = DecoderKind::csp});
  EXPECT_EQ(csp, resolve({.recipe = Recipe::paper, .kind = DecoderKind::csp}));
  EXPECT_EQ(csp.preprocessing, signals_for({.kind = DecoderKind::csp}));
  EXPECT_EQ(csp.rule, ScoreRule{});
  EXPECT_EQ(recipe_of({.kind = DecoderKind::csp}), std::nullopt);
  EXPECT_EQ(recipe_notes({.kind = DecoderKind::csp}).size(), 1U);
  EXPECT_TRUE(recipe_notes({.recipe = Recipe::paper, .kind = DecoderKind::csp}).empty());
}

TEST(DecoderRequest, CcaTakesTheRestOfHeedsRecipeAndThatIsSaid) {
  DecoderChoice expected = resolve({});
  expected.kind = DecoderKind::cca;
  EXPECT_EQ(resolve({.kind = DecoderKind::cca}), expected);
  EXPECT_EQ(recipe_notes({.kind = DecoderKind::cca}).at(0).kind, NoteKind::chosen);
  EXPECT_TRUE(recipe_notes({.recipe = Recipe::paper, .kind = DecoderKind::cca}).empty());
}

TEST(DecoderRequest, RefusesWhatDoesNotGoTogether) {
  const auto refuse = [](const DecoderRequest& request, const char* words) {
    test::expect_error(ErrorKind::invalid_argument, {words}, [&] { (void)resolve(request); });
  };
  refuse({.regularisation = decode::RegularisationKind::ledoit_wolf, .ridge = 0.1}, "finds its own");
  refuse({.ridge = -1}, "at least 0");
  refuse({.ridge = std::nan("")}, "at least 0");
  refuse({.pairs = 3}, "only CCA");
  refuse({.kind = DecoderKind::csp, .measure = WindowMeasure::cosine}, "CSP does not compare signals");
  refuse({.measure = WindowMeasure::pearson, .shrinkage = 0.3}, "needs the cosine");
  refuse({.recipe = Recipe::paper, .memory = PowerMemory{}}, "needs the cosine");
  refuse({.shrinkage = -1}, "at least 0");
  refuse({.memory = PowerMemory{Seconds{0}}}, "above 0 s");
}

TEST(DecoderRequest, ChoicesAreToldInWords) {
  EXPECT_EQ(describe(resolve({})), "least squares, ridge 0.3, lags 0-250 ms, shrunk cosine 0.3");
  EXPECT_EQ(describe(DecoderChoice{}), "CCA, 10 pairs + LDA, ridge 0.1, lags 0-250 ms");
  EXPECT_EQ(describe({.regularisation = {.kind = decode::RegularisationKind::cross_validated}}),
            "CCA, 10 pairs + LDA, ridge-cv, lags 0-250 ms");
  EXPECT_EQ(describe({.kind = DecoderKind::csp}), "common spatial patterns + LDA");
}

// ---- recipes ----

TEST(Recipe, OfThePaperLeavesEverythingAsItWas) {
  const DecoderChoice choice = with_recipe({.kind = DecoderKind::csp, .pairs = 3}, Recipe::paper);
  EXPECT_EQ(choice.kind, DecoderKind::csp);
  EXPECT_EQ(choice.pairs, 3);
  EXPECT_EQ(choice.rule, ScoreRule{});
  EXPECT_EQ(choice.preprocessing, Preprocessing{});
}

TEST(Recipe, EachAddsOnePart) {
  const DecoderChoice ridge = with_recipe({}, Recipe::ridge);
  EXPECT_EQ(ridge.kind, DecoderKind::least_squares);
  EXPECT_EQ(ridge.regularisation.ridge, 0.3);
  EXPECT_EQ(ridge.rule, ScoreRule{});
  const DecoderChoice cosine = with_recipe({}, Recipe::cosine);
  EXPECT_EQ(cosine.preprocessing.low, Hertz{0.5});
  EXPECT_EQ(cosine.preprocessing.high, Hertz{9});
  EXPECT_EQ(cosine.rule.measure, WindowMeasure::cosine);
  EXPECT_EQ(cosine.preprocessing.targets, std::vector{SpeechTarget::envelope});
  const DecoderChoice onset = with_recipe({}, Recipe::onset);
  EXPECT_EQ(onset.preprocessing.targets, std::vector{SpeechTarget::onset});
  EXPECT_EQ(onset.rule, cosine.rule);
  EXPECT_EQ(with_recipe({}, Recipe::heed), onset);
  for (const Recipe recipe : all_recipes) EXPECT_EQ(uses_population(recipe), name(recipe) == "heed");
}

}  // namespace
}  // namespace heed::pipeline
