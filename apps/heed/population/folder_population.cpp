// SPDX-License-Identifier: MIT
#include "population/folder_population.h"

#include "decoding/cohort_work.h"

namespace heed::app {

FolderPopulation entries_of_folder(std::span<const io::ParticipantRuns> participants,
                                   const pipeline::Preparation& preparation, const pipeline::PopulationOptions& options,
                                   pipeline::Threads threads) {
  std::vector<std::vector<PopulationEntry>> entries(participants.size());
  std::vector<std::vector<std::string>> notes(participants.size());
  FolderPopulation result;
  result.failures = for_each_participant(participants, {"population", threads}, [&](std::size_t k) {
    const io::ParticipantRuns& one = participants[k];
    const auto prepared = preparation.prepare(one.id, one.runs);
    entries[k] = pipeline::population_entries(pipeline::scaled_trials(prepared, options.choice),
                                              preparation.sources_of(one.runs), options);
    notes[k] = prepared.notes;
    if (entries[k].empty()) notes[k].emplace_back("no trial has attend rows: not in the population");
  });
  for (std::size_t k = 0; k < participants.size(); ++k) {
    for (PopulationEntry& entry : entries[k]) result.entries.push_back(std::move(entry));
    for (const std::string& note : notes[k]) result.notes.push_back("sub-" + participants[k].id + ": " + note);
  }
  return result;
}

}  // namespace heed::app
