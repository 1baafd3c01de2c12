// SPDX-License-Identifier: MIT
// Options that several verbs share: what the scores mean (emission) and how attention moves (chain).
#pragma once

#include <heed/pipeline/chain_choice.h>
#include <heed/pipeline/emission_choice.h>
#include <heed/track/method.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

struct ChainFlags {
  std::optional<double> switch_probability;
  std::string scaling = "linear";
  std::string transition_file;
  std::vector<double> initial;
};

struct EmissionFlags {
  std::string family;
  std::string spread = "shared";
  std::optional<double> mu_attended;
  std::optional<double> mu_unattended;
  std::optional<double> sigma;
  std::vector<double> class_priors;
  std::string model_file;
};

void add_chain_flags(CLI::App& verb, ChainFlags& flags);
void add_emission_flags(CLI::App& verb, EmissionFlags& flags);
void add_lag_flag(CLI::App& verb, double& seconds);

// Reads the files named; errors name the file.
pipeline::ChainChoice chain_choice(const ChainFlags& flags);
pipeline::EmissionChoice emission_choice(const EmissionFlags& flags, ScoreType type);

}  // namespace heed::app
