// SPDX-License-Identifier: MIT
#include "population/lender.h"

#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/bids_dataset.h>
#include <heed/io/decoder_file.h>
#include <io/digest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "population/folder_population.h"
#include "terminal.h"

namespace heed::app {
namespace {

// Throws invalid_argument, with both in milliseconds and a remedy, for lags the population does not cover.
void check_lags(const Population& population, const pipeline::DecoderChoice& choice) {
  const LagRange needed = decode::delays_for(pipeline::training_options(choice, population.decoder.window).lags);
  const LagRange held = population.delays;
  if (needed.first >= held.first && needed.last <= held.last) return;
  const auto ms = [&](Index samples) {
    return 1000 * static_cast<double>(samples) / choice.preprocessing.sampling_frequency.value;
  };
  const std::string_view decoder = pipeline::name(choice.kind);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the population holds delays of {:.0f} to {:.0f} ms, and {} of these lags needs {:.0f} to "
                          "{:.0f} ms; make it with --decoder {} --lags {:g}-{:g}, or leave --lags and --decoder away",
                          ms(held.first), ms(held.last), decoder, ms(needed.first), ms(needed.last), decoder,
                          1000 * choice.first_lag.value, 1000 * choice.longest_lag.value));
}

}  // namespace

Lender::Lender(const LenderSources& sources, const PopulationFlags& flags, Population population, bool given)
    : sources_(sources), population_(std::move(population)), weight_(prior_weight(flags)), given_(given) {
  words_ = fmt::format("a population of {} listeners ({}), prior weight {}", io::listeners_in(population_),
                       given ? flags.file : "of this folder", flags.weight);
  digest_ = io::Digest().add(io::population_text(population_)).hex();
}

Lender Lender::of_file(const LenderSources& sources, const PopulationFlags& flags, Population population) {
  try {
    pipeline::check_signals(population, sources.choice->preprocessing);
    check_lags(population, *sources.choice);
  } catch (const Error& error) {
    throw error.within(flags.file);
  }
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
  const std::string few = fmt::format("only {} heard other sounds than the test plays", count_text(fewest, "other"));
  if (given_) {
    notes.push_back(few + "; a population helps from about 4 on");
    return result;
  }
  notes.push_back(few + ": decoded without a population");
  return std::nullopt;
}

std::string Lender::words(const pipeline::ListenerPrior& prior, std::span<const std::vector<std::string>> tests) const {
  std::set<std::size_t> counts;
  for (const std::vector<std::string>& tested : tests) counts.insert(prior.others(tested));
  std::vector<std::string> lent;
  for (const std::size_t others : counts) {
    lent.push_back(fmt::format("{:.2g} of {}", weight_.value_or(decode::automatic_prior_weight(others)),
                               count_text(others, "other")));
  }
  return fmt::format("{}: {} (xxh3-128:{})", words_, fmt::join(lent, " or "), digest_);
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
