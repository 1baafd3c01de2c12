// SPDX-License-Identifier: MIT
#include "population/lender.h"

#include <fmt/format.h>
#include <heed/io/bids/run_selection.h>
#include <heed/io/decoding/population_file.h>

#include <algorithm>
#include <utility>

#include "population/folder_population.h"

namespace heed::app {

Lender::Lender(const LenderSources& sources, const PopulationFlags& flags, Population population, bool given)
    : sources_(sources), population_(std::move(population)), weight_(prior_weight(flags)), given_(given) {
  words_ = fmt::format("a population of {} listeners ({}), prior weight {}", io::listeners_in(population_),
                       given ? flags.file : "of this folder", flags.weight);
}

Lender Lender::of_file(const LenderSources& sources, const PopulationFlags& flags, Population population) {
  pipeline::check_signals(population, sources.choice->preprocessing);
  return {sources, flags, std::move(population), true};
}

std::optional<Lender> Lender::of_folder(const LenderSources& sources, const PopulationFlags& flags,
                                        std::span<const io::ParticipantRuns> participants, pipeline::Threads threads) {
  if (participants.size() < pipeline::fewest_others) return std::nullopt;
  const pipeline::PopulationOptions options{
      .choice = *sources.choice, .window = sources.scores.value_or(Seconds{1}), .scores = sources.scores.has_value()};
  FolderPopulation found = entries_of_folder(participants, *sources.preparation, options, threads);
  // Who cannot be read is told where he is scored; here he is nobody.
  if (found.entries.empty()) return std::nullopt;
  const auto same = [&](const PopulationEntry& entry) { return entry.listener == found.entries.front().listener; };
  if (std::ranges::all_of(found.entries, same)) return std::nullopt;
  return Lender(sources, flags, pipeline::make_population(options, std::move(found.entries)), false);
}

pipeline::ListenerPrior Lender::prior(const std::string& id) const {
  return {population_, id, sources_.preparation->sources_of(runs_of(*sources_.dataset, id)), weight_};
}

std::optional<pipeline::ListenerPrior> Lender::prior_of(const std::string& id,
                                                        std::span<const std::vector<std::string>> tests,
                                                        std::vector<std::string>& notes) const {
  pipeline::ListenerPrior result = prior(id);
  std::size_t fewest = io::listeners_in(population_);
  for (const std::vector<std::string>& tested : tests) fewest = std::min(fewest, result.others(tested));
  if (fewest >= pipeline::fewest_others) return result;
  const std::string few = fmt::format("only {} others heard other sounds than the test plays", fewest);
  if (given_) {
    notes.push_back(few + "; a population helps from about 4 on");
    return result;
  }
  notes.push_back(few + ": decoded without a population");
  return std::nullopt;
}

std::optional<pipeline::LentPrior> Lender::lend(const std::string& id, const std::vector<Trial>& trained,
                                                std::vector<std::string>& notes) const {
  std::vector<std::string> names;
  for (const Trial& trial : trained) names.push_back(trial.name);
  const std::vector<std::string> tested = prior(id).all_but(names);
  const auto mine = prior_of(id, {&tested, 1}, notes);
  if (!mine) return std::nullopt;
  const auto lags = pipeline::training_options(*sources_.choice, population_.decoder.window).lags;
  return mine->lend(tested, {trained.front().channels, lags});
}

std::vector<io::ParticipantRuns> all_but(const io::BidsDataset& dataset, const std::string& id) {
  std::vector<io::ParticipantRuns> result = io::select_runs(dataset, {});
  std::erase_if(result, [&](const io::ParticipantRuns& one) { return one.id == id; });
  return result;
}

}  // namespace heed::app
