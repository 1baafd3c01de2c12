// SPDX-License-Identifier: MIT
// One run: does its recording open, and do sidecar, channels, events and stimuli fit to it?
#pragma once

#include <heed/data/recording.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/problems.h>
#include <io/bids/trial_plan.h>
#include <io/validation/stimulus_check.h>

#include <string>
#include <vector>

namespace heed::io {

struct RunFacts {
  Seconds recorded{};
  std::vector<std::string> eeg_channels{};  // names; empty: not known
  std::vector<TrialPlan> trials{};
};

// Everything found goes to `problems`; what is known of the run is handed back.
[[nodiscard]] RunFacts check_run(const BidsRun& run, StimulusCheck& stimuli, ProblemList& problems);

}  // namespace heed::io
