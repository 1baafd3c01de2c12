// SPDX-License-Identifier: MIT
// What a run needs to know of its listener beyond the public truth.
#pragma once

#include <sim/background.h>
#include <sim/recording_run.h>

#include <string>
#include <vector>

namespace heed::sim {

std::vector<std::string> channels_of(const RecordingCohortOptions& options);

// Where the listener's other activity comes from; `head` says at which electrodes it is seen.
BackgroundSources background_of(const RecordingCohortOptions& options, int participant, const Head& head);

// A component's course over the lags of response_kernel; its sum is 1.
Eigen::VectorXd response_bell(const ResponseComponent& component, Hertz sampling_frequency);

}  // namespace heed::sim
