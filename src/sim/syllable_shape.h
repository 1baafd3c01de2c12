// SPDX-License-Identifier: MIT
// The rise and fall of a talker's voice: a quick attack and a slower decay for each syllable.
#pragma once

#include <sim/recording_story.h>

namespace heed::sim {

// Amplitude at the times; 0 before the story and after it.
Eigen::VectorXd story_amplitude(const Story& story, const SampleTimes& times);

}  // namespace heed::sim
