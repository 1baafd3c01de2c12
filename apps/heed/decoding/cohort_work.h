// SPDX-License-Identifier: MIT
// Work on the participants of a dataset, several at once: one that fails does not stop the others.
#pragma once

#include <heed/data/error.h>
#include <heed/io/bids_dataset.h>
#include <pipeline/decoding/in_parallel.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::app {

struct CohortWork {
  std::string title;  // of the progress bar
  pipeline::Threads threads;
};

// [k] why participant k failed, or nothing. What is no Error of heed (a bug) is thrown on.
std::vector<std::optional<Error>> for_each_participant(std::span<const io::ParticipantRuns> participants,
                                                       const CohortWork& how,
                                                       const std::function<void(std::size_t)>& work);

// Tells every failure on stderr. The exit code: 0, 1 if some failed, the first failure's if all did.
int conclude(std::span<const io::ParticipantRuns> participants, std::span<const std::optional<Error>> failures);

}  // namespace heed::app
