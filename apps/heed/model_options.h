// SPDX-License-Identifier: MIT
// Options that several verbs share: what the scores mean (emission) and how attention moves (chain).
#pragma once

#include <heed/pipeline/chain_choice.h>
#include <heed/pipeline/emission_choice.h>
#include <heed/track/method.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

inline constexpr const char* emission_group = "Emission (what a score says)";

struct ChainFlags {
  std::optional<double> switch_probability;
  std::string scaling = "linear";
  std::string transition_file;
  std::vector<double> initial;
};

struct EmissionFlags {
  std::string family;
  std::string spread;  // empty: shared
  std::optional<double> mu_attended;
  std::optional<double> mu_unattended;
  std::optional<double> sigma;
  std::vector<double> class_priors;
  std::string model_file;
};

void add_chain_flags(CLI::App& verb, ChainFlags& flags);
void add_emission_flags(CLI::App& verb, EmissionFlags& flags);
void add_lag_flag(CLI::App& verb, double& seconds);
void add_seed_flag(CLI::App& verb, std::uint64_t& seed, const std::string& description);

// Reads the file named, if one is; errors name it.
pipeline::ChainChoice chain_choice(const ChainFlags& flags);

// Without the model of --model. Throws invalid_argument for options that do not go together.
pipeline::EmissionChoice emission_choice(const EmissionFlags& flags, ScoreType type);

// The model of --model, with a note if it was fitted to windows of another length.
std::optional<Model> given_model(const EmissionFlags& flags, Seconds window, std::vector<std::string>& notes);

}  // namespace heed::app
