// SPDX-License-Identifier: MIT
// What goes wrong in recordings: blinks, bursts of muscle and movement, the mains, and stretches without EEG. Each
// has random numbers of its own, so that one kind does not change another.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/trial.h>
#include <sim/background.h>
#include <sim/recording_options.h>

#include <vector>

namespace heed::sim {

struct RunPlace {
  int participant = 1;
  int trial = 1;
};

void add_blinks(const RecordingCohortOptions& options, RunPlace place, const Head& head, SampleMatrix& samples);
void add_bursts(const RecordingCohortOptions& options, RunPlace place, const Head& head, SampleMatrix& samples);
void add_line_noise(const RecordingCohortOptions& options, SampleMatrix& samples);
// Sets them to NaN. By time, without overlap.
std::vector<SampleRange> drop_out(const RecordingCohortOptions& options, RunPlace place, SampleMatrix& samples);

}  // namespace heed::sim
