// SPDX-License-Identifier: MIT
// `heed train` of one listener who leans on others, or of whom nobody knows whom they attended.
#pragma once

#include <heed/io/bids_dataset.h>
#include <pipeline/decoding/training.h>

#include <optional>
#include <string>
#include <vector>

#include "population/lender.h"

namespace heed::app {

struct ListenerFlags {
  bool label_free = false;
  std::string posteriors;  // file; empty: not written
  double window = 1;
};

struct TrainedListener {
  pipeline::TrainedDecoder trained{};
  std::vector<std::string> notes{};  // what a user should know
};

// lender: null where there is none. Writes the posteriors and tells how the passes of label-free training went.
[[nodiscard]] TrainedListener train_listener(const io::ParticipantRuns& participant, const LenderSources& sources,
                                             const ListenerFlags& flags, const Lender* lender);

}  // namespace heed::app
