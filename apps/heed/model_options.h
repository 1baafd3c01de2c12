// SPDX-License-Identifier: MIT
// Options that several verbs share: what the scores mean (emission), how attention moves (chain) and how it is tracked
// (method).
#pragma once

#include <heed/io/score_tables.h>
#include <heed/pipeline/model_choice.h>
#include <heed/track/method.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

inline constexpr const char* emission_group = "Emission (what a score says)";
inline constexpr const char* chain_group = "Markov chain";

struct ChainFlags {
  std::string switch_probability;          // a number, or auto; empty: the usual one
  std::optional<double> between_switches;  // seconds
  std::string scaling = "linear";
  std::string transition_file;
  std::vector<double> initial;
};

struct EmissionFlags {
  std::string family;
  std::string spread;  // empty: shared, unless the columns repeat each other
  std::optional<double> mu_attended;
  std::optional<double> mu_unattended;
  std::optional<double> sigma;
  std::vector<double> class_priors;
  std::optional<double> accuracy;
  std::optional<Index> components;
  std::string covariance;  // empty: full
  std::optional<std::uint64_t> mixture_seed;
  std::vector<std::string> states;
  std::string model_file;
  std::string fit;  // empty: labels, unless there are none
  bool fit_switch_probability = false;
  bool calibrate = false;
  std::string evidence;    // empty: scaled where it has to be
  std::string dependence;  // empty: none, or as the model has it
};

struct MethodFlags {
  double lag = track::MethodOptions{}.lag.value;
  std::optional<int> gain_states;
  double gain_step = track::MethodOptions{}.gain_step;
  bool state_space_compatible = false;
};

// A check of seconds and seeds: CLI11 would wrap a negative seed around.
std::string refuse_negative(const std::string& text);

void add_chain_flags(CLI::App& verb, ChainFlags& flags);
// Of these only how often attention moves, and whether nobody may know.
enum class UnknownSwitching : std::uint8_t { refused, allowed };
void add_switching_flags(CLI::App& verb, ChainFlags& flags, UnknownSwitching unknown);
// ", p = 0.01"; empty where nobody chose.
std::string switching_words(const ChainFlags& flags);
// The same to be typed again: " -p 0.01".
std::string switching_options(const ChainFlags& flags);
void add_emission_flags(CLI::App& verb, EmissionFlags& flags);
void add_method_flags(CLI::App& verb, MethodFlags& flags);
void add_seed_flag(CLI::App& verb, std::uint64_t& seed, const std::string& description);

// Reads the file named, if one is; errors name it.
pipeline::ChainChoice chain_choice(const ChainFlags& flags);

track::MethodOptions method_options(const MethodFlags& flags);

// A file, or the word `reference`.
Model read_model(const std::string& file);
// The model of --model.
std::optional<Model> given_model(const EmissionFlags& flags);
// The same for these scores: the reference is known for windows of any length. Throws invalid_argument where it is not
// for such scores at all.
std::optional<Model> suited_to(const ScoredParticipant& participant, const std::optional<Model>& model);

// How files are to be read: as features where states are named, by --states or by a model of features.
// Throws invalid_argument where both are, and differ.
io::ScoreReadOptions read_options(const EmissionFlags& flags, const std::optional<Model>& model);

// What a model leaves to be chosen, where one is given. Throws invalid_argument for options that do not go together.
pipeline::EmissionChoice emission_choice(const EmissionFlags& flags, ScoreType type, const std::optional<Model>& model);

}  // namespace heed::app
