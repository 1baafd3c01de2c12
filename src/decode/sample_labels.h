// SPDX-License-Identifier: MIT
// What is known of each sample of a trial, and whether a trial is one.
#pragma once

#include <heed/data/trial.h>

#include <string>
#include <vector>

namespace heed::decode {

// Throws bad_data if the parts of a trial do not fit together: names, lengths, ranges, rate.
void check_trial(const Trial& trial);

// How messages name it: "trial 'run-01'".
[[nodiscard]] std::string place_of(const Trial& trial);

// The attended speaker of each sample, or unknown_speaker.
[[nodiscard]] std::vector<Speaker> sample_labels(const Trial& trial);

// Samples that a fit may use: the attended speaker where he is known and the EEG is there, else unknown_speaker.
[[nodiscard]] std::vector<Speaker> usable_labels(const Trial& trial);

// These samples as a trial of their own.
[[nodiscard]] Trial slice(const Trial& trial, SampleRange samples);

}  // namespace heed::decode
