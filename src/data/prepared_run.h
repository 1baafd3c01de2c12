// SPDX-License-Identifier: MIT
// A run after preprocessing and before scaling: what is kept in the cache, and what scaling makes trials of.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/trial.h>

#include <string>
#include <vector>

namespace heed::data {

struct PreparedTrial {
  std::string name{};                      // empty: the run is one trial
  Seconds onset{};                         // of the first sample, on the recording's clock
  SampleMatrix eeg{};                      // referenced, resampled, band-passed; the recording's unit
  std::vector<SampleMatrix> stimuli{};     // [speaker] samples x targets, likewise
  std::vector<AttendedRange> attention{};  // by time
  std::vector<SampleRange> missing{};      // by time
};

struct PreparedRun {
  std::string name{};  // sub-01_task-attend_run-01
  Hertz sampling_frequency{};
  std::vector<std::string> channels{};
  std::vector<std::string> speakers{};
  std::vector<std::string> targets{"envelope"};
  std::vector<PreparedTrial> trials{};
  std::vector<std::string> notes{};  // what a user should know
};

}  // namespace heed::data

namespace heed {
using data::PreparedRun;
using data::PreparedTrial;
}  // namespace heed
