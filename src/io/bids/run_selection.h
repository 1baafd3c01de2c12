// SPDX-License-Identifier: MIT
// Which runs of a dataset a user means, participant by participant.
#pragma once

#include <heed/io/bids/dataset.h>

#include <string>
#include <vector>

namespace heed::io {

// Labels without their keys ("01"; "sub-01" is taken too); empty: all. Numbers match by value: 1 means 01.
struct RunSelection {
  std::vector<std::string> participants{};
  std::vector<std::string> sessions{};
  std::vector<std::string> tasks{};
  std::vector<std::string> runs{};
  std::vector<std::string> without_runs{};
};

struct ParticipantRuns {
  std::string id{};  // without sub-
  std::vector<BidsRun> runs{};
};

// In the dataset's order. Throws not_found for a label that no run has, naming those there are, and where nothing is
// left.
[[nodiscard]] std::vector<ParticipantRuns> select_runs(const BidsDataset& dataset, const RunSelection& selection);

}  // namespace heed::io
