// SPDX-License-Identifier: MIT
// What the verbs on BIDS folders share: options that fill in requests, progress, and how participants fared.
#pragma once

#include <heed/pipeline/population.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::app {

using Options = std::vector<CLI::Option*>;

using CacheFolder = std::optional<std::filesystem::path>;  // nothing: no cache
void add_cache_options(CLI::App& verb, CacheFolder& cache);
void add_threads_option(CLI::App& verb, std::size_t& threads);

// --participant, --session, --task, --run, --exclude-run.
void add_run_options(CLI::App& verb, io::RunSelection& selection);
inline constexpr const char* exclude_run_words =
    "All runs except these: 02, or the name of one, sub-01_task-attend_run-02";
// The folder itself, --threads, --cache, --no-cache, and which runs.
void add_folder_options(CLI::App& verb, pipeline::FolderRequest& request);
void add_window_option(CLI::App& verb, std::vector<Seconds>& windows);  // several
CLI::Option* add_hop_option(CLI::App& verb, std::optional<Seconds>& hop);
void add_step_option(CLI::App& verb, std::optional<Seconds>& step);  // excludes --hop and --window, which are there
void add_digits_option(CLI::App& verb, int& digits);

// All of them fill in what was typed; help shows what holds otherwise by the default recipe.
CLI::Option* add_recipe_option(CLI::App& verb, pipeline::DecoderRequest& request);
Options add_signal_options(CLI::App& verb, pipeline::DecoderRequest& request);
// --recipe among them. with_csp: whether CSP is among the decoders.
Options add_decoder_options(CLI::App& verb, pipeline::DecoderRequest& request, bool with_csp);

struct PopulationFlags {
  std::string file;  // "none": nobody lends, not even by a recipe
  std::optional<double> weight;
};
Options add_population_options(CLI::App& verb, PopulationFlags& flags);
// Reads the file, if one was named.
[[nodiscard]] pipeline::PopulationRequest population_request(const PopulationFlags& flags);

// "1-9". Throws invalid_argument, naming the option.
[[nodiscard]] pipeline::Band parse_band(const std::string& option, const std::string& text);

// Bars on stderr, one per stage of the work.
[[nodiscard]] std::function<void(std::string_view, std::size_t, std::size_t)> progress_bars();

// The request with such bars, which are gone when it is.
template <typename Request>
[[nodiscard]] Request watched(Request request) {
  request.folder.progress = progress_bars();
  return request;
}

// "sub-01: ...", as files of BIDS are named: one line on stderr each.
void warn(const Notes& notes);
[[nodiscard]] std::string note_text(const Note& note);

// What to do next with scores in a folder: windows of one length can be tracked, several lengths be compared.
[[nodiscard]] std::string next_step(const std::string& folder, std::size_t lengths);

// Tells every failure on stderr. The exit code: 0, 1 if some failed, the first failure's if all did.
int conclude(const std::vector<pipeline::ParticipantOutcome>& participants);

// The same of any results with an id and a failure.
template <typename Result>
int conclude(const std::vector<Result>& results) {
  std::vector<pipeline::ParticipantOutcome> outcomes;
  for (const Result& one : results) outcomes.push_back({one.id, one.failure});
  return conclude(outcomes);
}

}  // namespace heed::app
