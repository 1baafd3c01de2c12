// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/decode/score.h>
#include <heed/io/model_file.h>
#include <heed/pipeline/recipe.h>

#include <algorithm>
#include <cmath>

namespace heed::pipeline {
namespace {

using decode::RegularisationKind;

// Rhythms of 1-30 Hz, with room below and above so that CSP's own band-passes have the last word.
constexpr Hertz rhythms_low{0.5};
constexpr Hertz rhythms_high{31};

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

double finite_and_not_negative(double value, const std::string& noun, const std::string& usual) {
  if (value >= 0 && value <= 1e6) return value;
  refuse("the " + noun + " is " + data::shown(value) + "; it must be a finite number of at least 0, such as " + usual);
}

template <typename Value>
void take(const std::optional<Value>& given, Value& value) {
  if (given) value = *given;
}

void take_signals(const DecoderRequest& request, Preprocessing& signals) {
  if (request.band) {
    signals.low = request.band->low;
    signals.high = request.band->high;
  }
  take(request.sampling_frequency, signals.sampling_frequency);
  take(request.filters, signals.filters);
  take(request.reference, signals.reference);
  take(request.bad_channels, signals.bad_channels);
  take(request.clip, signals.clip);
  take(request.targets, signals.targets);
}

void take_regularisation(const DecoderRequest& request, decode::Regularisation& regularisation) {
  if (request.regularisation && *request.regularisation != regularisation.kind) {
    regularisation = {.kind = *request.regularisation};
  }
  if (!request.ridge) return;
  if (regularisation.kind != RegularisationKind::ridge) {
    refuse("a ridge was given, but " + std::string(name(regularisation.kind)) +
           " finds its own; omit it, or use the regularisation 'ridge'");
  }
  regularisation.ridge = finite_and_not_negative(*request.ridge, "ridge", "0.3");
}

void take_rule(const DecoderRequest& request, bool from_population, DecoderChoice& choice) {
  ScoreRule& rule = choice.rule;
  const WindowMeasure measure = request.measure.value_or(rule.measure);
  if (choice.kind == DecoderKind::csp && measure != WindowMeasure::pearson) {
    refuse("CSP does not compare signals, so it has no cosine; that needs least squares or CCA");
  }
  if (measure != rule.measure) rule = {.measure = measure};
  if (measure == WindowMeasure::pearson) {
    if (request.shrinkage || request.memory) {
      refuse("a shrinkage or a memory of the score needs the cosine; Pearson's correlation has neither");
    }
    return;
  }
  rule.shrinkage = finite_and_not_negative(request.shrinkage.value_or(rule.shrinkage), "shrinkage of the score", "0.3");
  if (request.memory) {
    rule.memory = request.memory->length;
  } else if (!from_population && choice.preprocessing.filters == FilterMode::causal) {
    rule.memory = live_memory;
  }
  constexpr double longest = 1e6;
  if (rule.memory && !(rule.memory->value > 0 && rule.memory->value <= longest)) {
    refuse("the memory of the score is " + data::shown(rule.memory->value) +
           " s; it must be above 0 s, such as 60, or the whole trial");
  }
}

bool takes_over(const DecoderRequest& request, const Population* population) {
  return population != nullptr && !request.recipe;
}

}  // namespace

std::string_view name(DecoderKind kind) noexcept {
  constexpr std::array<std::string_view, all_decoders.size()> names{"ls", "cca", "csp"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(RegularisationKind kind) noexcept {
  constexpr std::array<std::string_view, all_regularisations.size()> names{"ridge", "ridge-cv", "ledoit-wolf"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(Recipe recipe) noexcept {
  constexpr std::array<std::string_view, all_recipes.size()> names{"paper", "ridge", "cosine", "onset", "heed"};
  return names[static_cast<std::size_t>(recipe)];
}

std::string_view name(WindowMeasure measure) noexcept {
  return measure == WindowMeasure::cosine ? "cosine" : "pearson";
}

DecoderChoice resolve(const DecoderRequest& request, const Population* population) {
  const bool from_population = takes_over(request, population);
  DecoderChoice choice =
      from_population ? decoder_of(*population) : with_recipe({}, request.recipe.value_or(default_recipe));
  if (request.kind == DecoderKind::csp) choice = {};
  take(request.kind, choice.kind);
  take_signals(request, choice.preprocessing);
  take_regularisation(request, choice.regularisation);
  take_rule(request, from_population, choice);
  if (request.lags) {
    choice.first_lag = request.lags->first;
    choice.longest_lag = request.lags->last;
  }
  if (request.pairs && choice.kind != DecoderKind::cca) {
    refuse("a number of canonical pairs was given, which only CCA has; the decoder is " +
           std::string(name(choice.kind)));
  }
  take(request.pairs, choice.pairs);
  choice.channels = request.channels;
  choice.preprocessing = signals_for(choice);
  return choice;
}

std::optional<Recipe> recipe_of(const DecoderRequest& request, const Population* population) {
  if (request.kind == DecoderKind::csp || takes_over(request, population)) return std::nullopt;
  return request.recipe.value_or(default_recipe);
}

heed::Notes recipe_notes(const DecoderRequest& request, const Population* population) {
  if (takes_over(request, population) || request.recipe.value_or(default_recipe) == Recipe::paper) return {};
  if (request.kind == DecoderKind::csp) {
    return {{"", NoteKind::chosen,
             "CSP decodes EEG rhythms and not the sound, so it uses its own signals, and neither a recipe nor a "
             "population applies"}};
  }
  if (request.kind == DecoderKind::cca) {
    return {{"", NoteKind::chosen,
             "CCA uses the signals, ridge and score of heed's recipe, whose own decoder is least squares; the paper's "
             "recipe has CCA as it was published"}};
  }
  return {};
}

DecoderChoice with_recipe(DecoderChoice choice, Recipe recipe) {
  if (recipe >= Recipe::ridge) {
    choice.kind = DecoderKind::least_squares;
    choice.regularisation = {.kind = RegularisationKind::ridge, .ridge = 0.3};
  }
  if (recipe >= Recipe::cosine) {
    choice.preprocessing.low = Hertz{0.5};
    choice.rule.measure = WindowMeasure::cosine;
  }
  if (recipe >= Recipe::onset) choice.preprocessing.targets = {SpeechTarget::onset};
  return choice;
}

DecoderChoice decoder_of(const Population& population) {
  const PopulationDecoder& made = population.decoder;
  DecoderChoice choice{.kind = made.kind == name(DecoderKind::cca) ? DecoderKind::cca : DecoderKind::least_squares,
                       .preprocessing = population.preprocessing,
                       .first_lag = made.first_lag,
                       .longest_lag = made.longest_lag,
                       .pairs = made.pairs,
                       .rule = made.rule};
  for (const RegularisationKind kind : all_regularisations) {
    if (name(kind) == made.regularisation) choice.regularisation.kind = kind;
  }
  choice.regularisation.ridge = made.ridge;
  return choice;
}

decode::TrainingOptions training_options(const DecoderChoice& choice, Seconds window) {
  const bool in_order = choice.first_lag.value >= -10 && choice.first_lag <= choice.longest_lag;
  if (!in_order || !(choice.longest_lag.value >= 0) || choice.longest_lag.value > 10) {
    refuse("lags must increase and stay below 10 s; 0 to 0.25 s is usual");
  }
  if (choice.pairs < 1) refuse("CCA needs at least one pair; 10 is usual");
  decode::check_rule(choice.rule);
  const Hertz rate = choice.preprocessing.sampling_frequency;
  constexpr double most = 1e6;  // Hz
  if (!(rate.value > 0 && rate.value <= most)) {
    refuse("the sampling frequency must be above 0 and at most 1 MHz; 64 Hz is usual");
  }
  decode::TrainingOptions options;
  options.lags = choice.kind == DecoderKind::cca ? decode::cca_lags(rate, choice.longest_lag)
                                                 : decode::least_squares_lags(rate, choice.longest_lag);
  options.lags.eeg.first = std::lround(choice.first_lag * rate);
  options.regularisation = choice.regularisation;
  options.rule = choice.rule;
  options.standardise = choice.preprocessing.filters == FilterMode::causal;
  options.pairs = choice.pairs;
  options.stimulus_ridge = choice.stimulus_ridge;
  options.discriminant = choice.discriminant;
  options.window = window;
  return options;
}

Preprocessing signals_for(const DecoderChoice& choice) {
  Preprocessing signals = choice.preprocessing;
  if (choice.kind == DecoderKind::csp) {
    const double half = signals.sampling_frequency.value / 2;
    signals.low = rhythms_low;
    signals.high = Hertz{std::min(rhythms_high.value, 0.97 * half)};
    signals.targets = Preprocessing{}.targets;  // of which it looks at none
  }
  return signals;
}

std::string describe(const DecoderChoice& choice) {
  if (choice.kind == DecoderKind::csp) return "common spatial patterns + LDA";
  const bool least_squares = choice.kind == DecoderKind::least_squares;
  std::string text = least_squares ? "least squares" : "CCA, " + std::to_string(choice.pairs) + " pairs + LDA";
  text += ", " + std::string(name(choice.regularisation.kind));
  if (choice.regularisation.kind == RegularisationKind::ridge) text += " " + data::shown(choice.regularisation.ridge);
  constexpr double milliseconds = 1000;
  text += ", lags " + data::shown(milliseconds * choice.first_lag.value) + "-" +
          data::shown(milliseconds * choice.longest_lag.value) + " ms";
  return choice.rule.measure == WindowMeasure::pearson ? text : text + ", " + io::describe(choice.rule);
}

}  // namespace heed::pipeline
