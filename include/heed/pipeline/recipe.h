// SPDX-License-Identifier: MIT
// Which decoder to train on which signals. A user says as much as he likes (DecoderRequest); what he does not say is a
// population's or a recipe's; resolve() makes of it the one choice that every door works by (docs/recipe.md).
#pragma once

#include <heed/data/decoder.h>
#include <heed/data/note.h>
#include <heed/data/population.h>
#include <heed/decode/least_squares.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::pipeline {

enum class DecoderKind { least_squares, cca, csp };
inline constexpr std::array all_decoders{DecoderKind::least_squares, DecoderKind::cca, DecoderKind::csp};

inline constexpr std::array all_regularisations{decode::RegularisationKind::ridge,
                                                decode::RegularisationKind::cross_validated,
                                                decode::RegularisationKind::ledoit_wolf};

// From the paper's scores to heed's own, each with one part more than the one before, so that a study can show what
// each part buys.
enum class Recipe {
  paper,   // whatever decoder, on the envelope, 1-9 Hz, ridge .1, Pearson
  ridge,   // least squares, ridge .3
  cosine,  // + 0.5-9 Hz, shrunk cosine
  onset,   // + onsets instead of the envelope
  heed,    // + a population's prior
};
inline constexpr std::array all_recipes{Recipe::paper, Recipe::ridge, Recipe::cosine, Recipe::onset, Recipe::heed};
inline constexpr Recipe default_recipe = Recipe::heed;

// As options and files call them: ls, cca, csp; ridge, ridge-cv, ledoit-wolf; paper ... heed; pearson, cosine.
[[nodiscard]] std::string_view name(DecoderKind kind) noexcept;
[[nodiscard]] std::string_view name(decode::RegularisationKind kind) noexcept;
[[nodiscard]] std::string_view name(Recipe recipe) noexcept;
[[nodiscard]] std::string_view name(WindowMeasure measure) noexcept;

// What powers of the cosine are estimated from by default where filters are causal, as there is no whole trial live.
inline constexpr Seconds live_memory{60};

struct DecoderChoice {
  DecoderKind kind = DecoderKind::cca;
  Preprocessing preprocessing{};
  decode::Regularisation regularisation{};
  Seconds first_lag{0};                 // of the EEG behind the stimulus
  Seconds longest_lag{0.25};            // likewise; longer needs more data
  Index pairs = 10;                     // of CCA
  ScoreRule rule{};                     // of a window's score
  std::vector<std::string> channels{};  // use these only, in this order; empty: all that are good
  double stimulus_ridge = 1e-3;         // of CCA
  decode::DiscriminantForm discriminant = decode::DiscriminantForm::per_speaker;  // of CCA

  friend bool operator==(const DecoderChoice&, const DecoderChoice&) = default;
};

struct Band {
  Hertz low{};
  Hertz high{};
};

struct LagSpan {
  Seconds first{};
  Seconds last{};
};

struct PowerMemory {
  std::optional<Seconds> length{};  // nothing: the whole trial
};

// Everything a user can say; nothing: not said.
struct DecoderRequest {
  std::optional<Recipe> recipe{};
  std::optional<DecoderKind> kind{};
  std::optional<Band> band{};
  std::optional<Hertz> sampling_frequency{};
  std::optional<FilterMode> filters{};
  std::optional<Reference> reference{};
  std::optional<BadChannels> bad_channels{};
  std::optional<double> clip{};
  std::optional<std::vector<SpeechTarget>> targets{};
  std::optional<decode::RegularisationKind> regularisation{};
  std::optional<double> ridge{};
  std::optional<LagSpan> lags{};
  std::optional<Index> pairs{};
  std::optional<WindowMeasure> measure{};
  std::optional<double> shrinkage{};
  std::optional<PowerMemory> memory{};
  std::vector<std::string> channels{};  // empty: all that are good
};

// What is not said is as the population was made, unless a recipe is named; else the recipe's, by default heed's. CSP
// reads rhythms and no sound: signals and scores are its own, and no recipe is about it. Throws invalid_argument for
// what does not go together (a ridge beside another regularisation, pairs without CCA) or is out of range.
[[nodiscard]] DecoderChoice resolve(const DecoderRequest& request, const Population* population = nullptr);

// The recipe by which what was not said was filled in; nothing: it was a population's, or the decoder is CSP.
[[nodiscard]] std::optional<Recipe> recipe_of(const DecoderRequest& request, const Population* population = nullptr);

// What a user should know of a decoder that is not the recipe's own: CCA and CSP beside heed's.
[[nodiscard]] heed::Notes recipe_notes(const DecoderRequest& request, const Population* population = nullptr);

// The choice with all parts of the recipe; of the paper's, as it was.
[[nodiscard]] DecoderChoice with_recipe(DecoderChoice choice, Recipe recipe);

[[nodiscard]] constexpr bool uses_population(Recipe recipe) noexcept { return recipe == Recipe::heed; }

// The decoder that a population's scores were made by.
[[nodiscard]] DecoderChoice decoder_of(const Population& population);

// Throws invalid_argument for what makes no decoder: lags that are not positive, no pairs.
[[nodiscard]] decode::TrainingOptions training_options(const DecoderChoice& choice, Seconds window);

// The signals a decoder wants: CSP reads rhythms up to 30 Hz and no sound, so band and targets are its own.
[[nodiscard]] Preprocessing signals_for(const DecoderChoice& choice);

// "least squares, ridge 0.1, lags 0-250 ms"; how windows are scored where it is not by Pearson's correlation.
[[nodiscard]] std::string describe(const DecoderChoice& choice);

}  // namespace heed::pipeline
