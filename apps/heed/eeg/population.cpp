// SPDX-License-Identifier: MIT
// `heed population`: what the listeners of a BIDS folder have in common, as a small file.
#include <fmt/format.h>
#include <heed/emission/supervised.h>
#include <heed/io/model_file.h>
#include <io/atomic_file.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "eeg/folder_verbs.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* population_examples = R"(Examples:
  heed population BIDS_DIR -o pop.json
  heed score OTHER_BIDS_DIR --population pop.json -o scores
  heed live SOURCE --population pop.json               no calibration: a decoder that learns while it listens
  heed population NEW_BIDS_DIR --add pop.json -o pop.json
  heed train BIDS_DIR --participant 03 --label-free --population pop.json -o model.json

The file holds statistics and digests, no samples. A listener who is scored learns neither from his or her own entries nor
from entries with sounds of the test.)";

// How far apart attended and unattended scores lie, in standard deviations.
std::optional<double> separation(const std::vector<ScoreMoments>& runs) {
  if (runs.empty()) return std::nullopt;
  ScoreMoments all = runs.front();
  for (std::size_t k = 1; k < runs.size(); ++k) all = emission::sum(all, runs[k]);
  const auto fitted = emission::tied_gaussian(all, {.fisher = false});
  if (!fitted) return std::nullopt;
  return (fitted->mu_attended - fitted->mu_unattended) / fitted->sigma_attended;
}

const AdaptationTrial* trial_of(const Population& population, const std::string& listener) {
  if (!population.adaptation) return nullptr;
  const auto& trials = population.adaptation->trials;
  const auto found = std::ranges::find(trials, listener, &AdaptationTrial::listener);
  return found == trials.end() ? nullptr : &*found;
}

// While it learnt, with the seconds that were chosen, or those nearest to them.
std::optional<double> learnt_separation(const Population& population, const AdaptationTrial* trial) {
  if (trial == nullptr) return std::nullopt;
  const std::vector<double>& seconds = population.adaptation->seconds;
  const double chosen = pipeline::chosen_seconds(*population.adaptation);
  const auto nearest = std::ranges::min_element(seconds, {}, [&](double tried) { return std::abs(tried - chosen); });
  return trial->separations[static_cast<std::size_t>(nearest - seconds.begin())];
}

// For how many seconds of listening the population counts, and how the others fared by it.
void tell_adaptation(const Population& population) {
  if (!population.adaptation) return;
  const PopulationAdaptation& adaptation = *population.adaptation;
  std::string text;
  for (std::size_t k = 0; k < adaptation.seconds.size(); ++k) {
    double sum = 0;
    for (const AdaptationTrial& trial : adaptation.trials) sum += trial.separations[k];
    text += fmt::format("{}{:.2f} at {:g} s", k == 0 ? "" : ", ", sum / static_cast<double>(adaptation.trials.size()),
                        adaptation.seconds[k]);
  }
  tell(
      "a decoder that learns while it listens and starts from the others has a mean d' of {}, depending on how many "
      "seconds they count as; {:g} s are chosen\n",
      text, pipeline::chosen_seconds(adaptation));
}

void print_table(const Population& population) {
  std::map<std::string, std::vector<const PopulationEntry*>> listeners;
  for (const PopulationEntry& entry : population.entries) listeners[entry.listener].push_back(&entry);
  TextTable table({"listener", "entries", "labelled s", "channels", "windows", "d'", "start d'", "learnt d'"});
  for (const auto& [id, entries] : listeners) {
    const AdaptationTrial* trial = trial_of(population, id);
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
               std::to_string(entries.front()->channels.size()), shown(windows, 0), shown(separation(scores), 2),
               shown(trial != nullptr ? separation({trial->scores}) : std::nullopt, 2),
               shown(learnt_separation(population, trial), 2)});
  }
  say("{}", table.text());
}

int run_population(pipeline::SumUpRequest& request, const std::string& output) {
  if (!request.added_to_name.empty()) {
    request.added_to = std::make_shared<const Population>(io::read_population(request.added_to_name));
  }
  io::try_output(output);
  const pipeline::SumUpResult result = pipeline::sum_up(watched(request));
  const int code = conclude(result.participants);
  if (!result.population) return code;
  warn(result.notes);
  io::write_population(output, *result.population);
  print_table(*result.population);
  flush_output();
  tell_adaptation(*result.population);
  tell("{}: written to {}\n", io::describe(*result.population), output);
  return code;
}

}  // namespace

void add_population(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("population", "Summarise the listeners of a BIDS folder, for others to learn from");
  verb->footer(population_examples);
  auto request = std::make_shared<pipeline::SumUpRequest>();
  auto output = std::make_shared<std::string>();
  add_folder_options(*verb, request->folder);
  verb->add_option("-o,--output", *output, "Population file to write, JSON")->required()->type_name("POP");
  verb->add_option(
          "--add", request->added_to_name,
          "Population that the folder's listeners are added to; signals and decoder are then those of the population")
      ->type_name("POP");
  verb->add_option_function<double>(
          "--window", [request](double seconds) { request->window = Seconds{seconds}; },
          "Window length, in seconds, of the scores whose distribution is stored")
      ->default_str("1");
  add_decoder_options(*verb, request->decoder, false);
  add_signal_options(*verb, request->decoder);
  verb->callback(
      [&chosen, request, output] { chosen = [request, output] { return run_population(*request, *output); }; });
}

}  // namespace heed::app
