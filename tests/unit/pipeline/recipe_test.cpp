// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <heed/io/decoder_file.h>
#include <heed/pipeline/decoding/recipe.h>

namespace heed::pipeline {
namespace {

TEST(Recipe, OfThePaperLeavesEverythingAsItWas) {
  const DecoderChoice choice = with_recipe({.kind = DecoderKind::csp, .pairs = 3}, Recipe::paper);
  EXPECT_EQ(choice.kind, DecoderKind::csp);
  EXPECT_EQ(choice.pairs, 3);
  EXPECT_EQ(choice.rule, ScoreRule{});
  EXPECT_EQ(io::describe(choice.preprocessing), io::describe(Preprocessing{}));
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
  EXPECT_EQ(io::describe(with_recipe({}, Recipe::heed).preprocessing), io::describe(onset.preprocessing));
  for (const Recipe recipe : all_recipes) EXPECT_EQ(uses_population(recipe), name(recipe) == "heed");
}

}  // namespace
}  // namespace heed::pipeline
