// SPDX-License-Identifier: MIT
// Recipes: what a window's score is made of. From the paper's to heed's own, each with one part more than the one
// before, so that a study can show what each part buys (docs/recipe.md).
#pragma once

#include <heed/pipeline/decoding/decoder_choice.h>

#include <array>
#include <string_view>

namespace heed::pipeline {

enum class Recipe {
  paper,   // whatever decoder, on the envelope, 1-9 Hz, ridge .1, Pearson
  ridge,   // least squares, ridge .3
  cosine,  // + 0.5-9 Hz, shrunk cosine
  onset,   // + onsets instead of the envelope
  heed,    // + a population's prior
};

inline constexpr std::array all_recipes{Recipe::paper, Recipe::ridge, Recipe::cosine, Recipe::onset, Recipe::heed};

[[nodiscard]] std::string_view name(Recipe recipe) noexcept;

// The choice with all parts of the recipe; of the paper's, as it was.
[[nodiscard]] DecoderChoice with_recipe(DecoderChoice choice, Recipe recipe);

[[nodiscard]] constexpr bool uses_population(Recipe recipe) noexcept { return recipe == Recipe::heed; }

}  // namespace heed::pipeline
