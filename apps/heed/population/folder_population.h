// SPDX-License-Identifier: MIT
// The listeners of a BIDS folder as a population.
#pragma once

#include <heed/data/error.h>
#include <heed/data/population.h>
#include <heed/io/bids_dataset.h>
#include <pipeline/decoding/in_parallel.h>
#include <pipeline/decoding/population.h>
#include <pipeline/preparation/preparation.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::app {

struct FolderPopulation {
  std::vector<PopulationEntry> entries{};        // by participant, in the folder's order
  std::vector<std::optional<Error>> failures{};  // [participant]
  std::vector<std::string> notes{};              // what a user should know, beginning with the participant
};

// One participant in memory a thread.
[[nodiscard]] FolderPopulation entries_of_folder(std::span<const io::ParticipantRuns> participants,
                                                 const pipeline::Preparation& preparation,
                                                 const pipeline::PopulationOptions& options, pipeline::Threads threads);

}  // namespace heed::app
