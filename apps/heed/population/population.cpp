// SPDX-License-Identifier: MIT
// `heed population`: what the listeners of a BIDS folder have in common, as a small file.
#include <fmt/format.h>
#include <heed/decode/window_sums.h>
#include <heed/emission/supervised.h>
#include <heed/io/decoder_file.h>

#include <map>
#include <memory>

#include "decoding/cohort_work.h"
#include "decoding/decoder_options.h"
#include "exit_code.h"
#include "population/folder_population.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* population_examples = R"(Examples:
  heed population BIDS_DIR -o pop.json
  heed score OTHER_BIDS_DIR --population pop.json -o scores
  heed train BIDS_DIR --participant 03 --label-free --population pop.json -o model.json

The file holds statistics and digests, no samples. Whoever is scored never learns from own entries, nor from sounds that
the test plays.)";

struct PopulationVerbFlags {
  std::string dataset;
  std::string output;
  double window = 1;
  SelectionFlags selection;
  SignalFlags signals;
  DecoderFlags decoder;
  CacheFlags cache;
  std::size_t threads = 0;
};

// How far apart attended and unattended scores lie, in standard deviations.
std::optional<double> separation(const std::vector<ScoreMoments>& runs) {
  if (runs.empty()) return std::nullopt;
  ScoreMoments all = runs.front();
  for (std::size_t k = 1; k < runs.size(); ++k) all = emission::sum(all, runs[k]);
  const auto fitted = emission::tied_gaussian(all, false);
  if (!fitted) return std::nullopt;
  return (fitted->mu_attended - fitted->mu_unattended) / fitted->sigma_attended;
}

void print_table(const Population& population) {
  std::map<std::string, std::vector<const PopulationEntry*>> listeners;
  for (const PopulationEntry& entry : population.entries) listeners[entry.listener].push_back(&entry);
  TextTable table({"listener", "entries", "labelled s", "channels", "windows", "d'"});
  for (const auto& [id, entries] : listeners) {
    double samples = 0;
    double windows = 0;
    std::vector<ScoreMoments> scores;
    for (const PopulationEntry* entry : entries) {
      samples += entry->samples;
      if (entry->scores) scores.push_back(*entry->scores);
      windows += entry->scores ? entry->scores->windows : 0;
    }
    table.add({"sub-" + id, std::to_string(entries.size()),
               shown(samples / population.preprocessing.sampling_frequency.value, 0),
               std::to_string(entries.front()->channels.size()), shown(windows, 0), shown(separation(scores), 2)});
  }
  fmt::print("{}", table.text());
}

int run_population(const PopulationVerbFlags& flags) {
  const io::BidsDataset dataset = io::read_dataset(flags.dataset);
  const auto participants = io::select_runs(dataset, selection(flags.selection));
  pipeline::PopulationOptions options{.choice = decoder_choice(flags.decoder, flags.signals), .window = {flags.window}};
  (void)decode::cells_per_window(options.window);
  pipeline::check_population(options);
  const pipeline::Preparation preparation(dataset, {options.choice.preprocessing, cache_folder(flags.cache)});
  FolderPopulation found = entries_of_folder(participants, preparation, options, {flags.threads});
  const int code = conclude(participants, found.failures);
  if (code >= exit_usage) return code;
  for (const std::string& note : found.notes) warn(note);
  Population population = pipeline::make_population(options, std::move(found.entries));
  population.origin += " of " + dataset.name;
  io::write_population(flags.output, population);
  print_table(population);
  flush_output();
  fmt::print(stderr, "{}: written to {}\n", io::describe(population), flags.output);
  return code;
}

}  // namespace

void add_population(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("population", "Sum up the listeners of a BIDS folder, for others to learn from");
  verb->footer(population_examples);
  auto flags = std::make_shared<PopulationVerbFlags>();
  verb->add_option("dataset", flags->dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  verb->add_option("-o,--output", flags->output, "File of the population, JSON")->required()->type_name("POP");
  verb->add_option("--window", flags->window, "Window length in seconds of the scores whose spread is kept")
      ->capture_default_str();
  add_threads_flag(*verb, flags->threads);
  add_cache_flags(*verb, flags->cache);
  add_selection_flags(*verb, flags->selection);
  flags->decoder.recipe = "heed";  // a population is a part of it
  add_decoder_flags(*verb, flags->decoder, false);
  add_signal_flags(*verb, flags->signals);
  show_recipe(*verb, flags->decoder, flags->signals);
  verb->callback([&chosen, flags, verb] {
    chosen = [flags, verb] {
      apply_recipe(*verb, flags->decoder, flags->signals);
      return run_population(*flags);
    };
  });
}

}  // namespace heed::app
