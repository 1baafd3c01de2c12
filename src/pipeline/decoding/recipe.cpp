// SPDX-License-Identifier: MIT
#include <heed/pipeline/decoding/recipe.h>

namespace heed::pipeline {

std::string_view name(Recipe recipe) noexcept {
  constexpr std::array<std::string_view, all_recipes.size()> names{"paper", "ridge", "cosine", "onset", "heed"};
  return names[static_cast<std::size_t>(recipe)];
}

DecoderChoice with_recipe(DecoderChoice choice, Recipe recipe) {
  if (recipe >= Recipe::ridge) {
    choice.kind = DecoderKind::least_squares;
    choice.regularisation = {.kind = decode::RegularisationKind::ridge, .ridge = 0.3};
  }
  if (recipe >= Recipe::cosine) {
    choice.preprocessing.low = Hertz{0.5};
    choice.rule.measure = WindowMeasure::cosine;
  }
  if (recipe >= Recipe::onset) choice.preprocessing.targets = {SpeechTarget::onset};
  return choice;
}

}  // namespace heed::pipeline
