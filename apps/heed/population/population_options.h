// SPDX-License-Identifier: MIT
// Options of the verbs that use a population, and a population as one listener may use it.
#pragma once

#include <heed/data/population.h>
#include <pipeline/decoding/listener_prior.h>
#include <pipeline/preparation/preparation.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "decoding/decoder_options.h"

namespace heed::app {

inline constexpr const char* population_group = "Population (what other listeners lend)";

struct PopulationFlags {
  std::string file;  // "none": nobody lends, not even by a recipe
  std::string weight = "auto";
  CLI::Option* file_option = nullptr;
  CLI::Option* weight_option = nullptr;
};

void add_population_flags(CLI::App& verb, PopulationFlags& flags);

// Nothing: by the number of others. Throws invalid_argument.
[[nodiscard]] std::optional<double> prior_weight(const PopulationFlags& flags);

// Whether anybody may lend: not with --population none, nor with a weight of 0. Throws as prior_weight.
[[nodiscard]] bool may_lend(const PopulationFlags& flags);

// Signals and decoder as the population's file has them, wherever no option was typed; a recipe that was typed stays
// what it is. Nothing happens without a file.
void take_over(const CLI::App& verb, const PopulationFlags& flags, DecoderFlags& decoder, SignalFlags& signals);

// All runs of a participant in the dataset, chosen or not, that say what was played.
[[nodiscard]] std::vector<io::BidsRun> runs_of(const io::BidsDataset& dataset, const std::string& id);

}  // namespace heed::app
