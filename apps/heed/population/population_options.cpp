// SPDX-License-Identifier: MIT
#include "population/population_options.h"

#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/decoder_file.h>

#include <algorithm>
#include <charconv>

namespace heed::app {
namespace {

constexpr const char* nobody = "none";

// Whether the option was typed by hand.
bool typed(const std::vector<CLI::Option*>& options, const std::string& name) {
  return std::ranges::any_of(
      options, [&](const CLI::Option* option) { return option->check_name(name) && option->count() > 0; });
}

std::string target_word(const std::vector<SpeechTarget>& targets) {
  if (targets.size() > 1) return "both";
  return targets == std::vector{SpeechTarget::onset} ? "onset" : "envelope";
}

std::vector<std::string> reference_words(const Reference& reference) {
  if (reference.kind == ReferenceKind::channels) return reference.channels;
  return {reference.kind == ReferenceKind::none ? "none" : "average"};
}

void take_over(const ScoreRule& rule, DecoderFlags& flags) {
  if (rule.measure != WindowMeasure::cosine) return;
  flags.score = "cosine";
  if (!typed(flags.options, "--score-shrinkage")) flags.score_shrinkage = rule.shrinkage;
  if (!typed(flags.options, "--score-memory")) {
    flags.score_memory = rule.memory ? fmt::format("{}", rule.memory->value) : "trial";
  }
}

}  // namespace

void add_population_flags(CLI::App& verb, PopulationFlags& flags) {
  flags.file_option = verb.add_option("--population", flags.file,
                                      "Lean on other listeners: a file of 'heed population'. What it was made with is "
                                      "the default of signals and decoder. none: no others, whatever the recipe")
                          ->type_name("POP")
                          ->group(population_group);
  flags.weight_option =
      verb.add_option("--prior-weight", flags.weight,
                      "How much of a decoder is theirs: 0 to 1, or auto (by their number: 0.34 of 8, 0.43 of 17)")
          ->type_name("B")
          ->capture_default_str()
          ->group(population_group);
}

std::optional<double> prior_weight(const PopulationFlags& flags) {
  if (flags.weight == "auto") return std::nullopt;
  double weight = 0;
  const char* end = flags.weight.data() + flags.weight.size();
  const auto [stopped, fault] = std::from_chars(flags.weight.data(), end, weight);
  if (fault == std::errc{} && stopped == end && weight >= 0 && weight <= 1) return weight;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("--prior-weight: '{}' is neither auto nor a number from 0 to 1", flags.weight));
}

bool may_lend(const PopulationFlags& flags) { return flags.file != nobody && prior_weight(flags) != 0.0; }

void take_over(const CLI::App& verb, const PopulationFlags& flags, DecoderFlags& decoder, SignalFlags& signals) {
  (void)prior_weight(flags);
  const bool none = flags.file.empty() || flags.file == nobody;
  if ((flags.file == nobody || (none && decoder.recipe != "heed")) && flags.weight_option->count() > 0) {
    throw Error(ErrorKind::invalid_argument, "--prior-weight is of a population; name one with --population");
  }
  if (none || verb.get_option("--recipe")->count() > 0) return;
  const Population population = io::read_population(flags.file);
  const Preprocessing& how = population.preprocessing;
  const auto signal = [&](const char* name) { return !typed(signals.options, name); };
  if (signal("--band")) signals.band = fmt::format("{}-{}", how.low.value, how.high.value);
  if (signal("--rate")) signals.rate = how.sampling_frequency.value;
  if (signal("--filters")) signals.filters = how.filters == FilterMode::causal ? "causal" : "zero-phase";
  if (signal("--reference")) signals.reference = reference_words(how.reference);
  if (signal("--bad-channels")) {
    signals.bad_channels = how.bad_channels == BadChannels::interpolate ? "interpolate" : "exclude";
  }
  if (signal("--clip")) signals.clip = how.clip;
  if (signal("--target")) signals.target = target_word(how.targets);
  const PopulationDecoder& made = population.decoder;
  const auto free = [&](const char* name) { return !typed(decoder.options, name); };
  if (free("--decoder")) decoder.decoder = made.kind;
  if (free("--regularisation")) decoder.regularisation = made.regularisation;
  if (free("--ridge") && decoder.regularisation == "ridge") decoder.ridge = made.ridge;
  if (free("--lags")) {
    decoder.lags = fmt::format("{}-{}", 1000 * made.first_lag.value, 1000 * made.longest_lag.value);
  }
  if (free("--pairs") && decoder.decoder == "cca") decoder.pairs = made.pairs;
  if (free("--score")) take_over(made.rule, decoder);
}

std::vector<io::BidsRun> runs_of(const io::BidsDataset& dataset, const std::string& id) {
  std::vector<io::BidsRun> runs;
  for (const io::BidsRun& run : dataset.runs) {
    if (run.entities.subject == id && run.events) runs.push_back(run);
  }
  return runs;
}

}  // namespace heed::app
