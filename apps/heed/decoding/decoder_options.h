// SPDX-License-Identifier: MIT
// Options that the verbs between recordings and scores share: which runs, how signals are prepared, which decoder.
#pragma once

#include <heed/io/bids_dataset.h>
#include <heed/pipeline/decoding/decoder_choice.h>
#include <pipeline/decoding/in_parallel.h>
#include <pipeline/preparation/preparation.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace heed::app {

inline constexpr const char* signal_group = "Signals (how they are prepared)";
inline constexpr const char* decoder_group = "Decoder";

struct SelectionFlags {
  std::vector<std::string> participants;
  std::vector<std::string> sessions;
  std::vector<std::string> tasks;
  std::vector<std::string> runs;
  std::vector<std::string> without_runs;
};

struct SignalFlags {
  std::string band = "1-9";
  double rate = Preprocessing{}.sampling_frequency.value;
  std::string filters = "zero-phase";
  std::vector<std::string> reference{"average"};
  std::string bad_channels = "exclude";
  double clip = 0;
  std::string target = "envelope";
  std::vector<CLI::Option*> options;  // all of them: a decoder from a file has its own
};

struct DecoderFlags {
  std::string recipe = "paper";
  std::string decoder = "cca";
  std::string regularisation = "ridge";
  std::optional<double> ridge;
  std::string lags = "0-250";
  std::optional<Index> pairs{};
  std::vector<std::string> channels;
  std::string score = "pearson";
  std::optional<double> score_shrinkage;
  std::string score_memory;  // seconds, or "trial"; empty: the trial, with causal filters a minute
  std::vector<CLI::Option*> options;
};

struct CacheFlags {
  std::string folder;
  bool none = false;
};

void add_selection_flags(CLI::App& verb, SelectionFlags& flags);
void add_signal_flags(CLI::App& verb, SignalFlags& flags);
// with_csp: whether CSP is among the decoders.
void add_decoder_flags(CLI::App& verb, DecoderFlags& flags, bool with_csp);
void add_cache_flags(CLI::App& verb, CacheFlags& flags);
void add_threads_flag(CLI::App& verb, std::size_t& threads);

[[nodiscard]] io::RunSelection selection(const SelectionFlags& flags);
// What the recipe says of everything that was not typed. To be called once, when the verb has been parsed; throws
// invalid_argument for a decoder that no recipe is about.
void apply_recipe(const CLI::App& verb, DecoderFlags& flags, SignalFlags& signals);
// Help then shows what holds by the recipe of the flags. For a verb whose recipe is not the paper's; before it is
// parsed.
void show_recipe(CLI::App& verb, DecoderFlags flags, SignalFlags signals);
// A line on stderr for a recipe other than the default: what it came to.
void tell_recipe(const DecoderFlags& flags, const pipeline::DecoderChoice& choice);

// Throw invalid_argument, naming the option.
[[nodiscard]] Preprocessing preprocessing(const SignalFlags& flags);
[[nodiscard]] pipeline::DecoderChoice decoder_choice(const DecoderFlags& flags, const SignalFlags& signals);
[[nodiscard]] std::optional<std::filesystem::path> cache_folder(const CacheFlags& flags);

// "least squares, ridge 0.1, lags 0-250 ms"; how windows are scored where it is not by Pearson's correlation.
[[nodiscard]] std::string decoder_text(const pipeline::DecoderChoice& choice);

}  // namespace heed::app
