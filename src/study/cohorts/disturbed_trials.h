// SPDX-License-Identifier: MIT
// What befalls recordings: a decoder that learns while it listens must come through it (docs/adaptation.md).
#pragma once

#include <pipeline/scoring/scaled_trials.h>
#include <study/cohorts/study_cohort.h>

namespace heed::study {

// A participant's trials in turn as one listening. Where nobody is attended, the truth is unknown. Throws unsupported
// for a cap that slips where fewer than three channels have names that tell their places.
[[nodiscard]] pipeline::ParticipantTrials disturbed(pipeline::ParticipantTrials participant, Disturbance disturbance);

}  // namespace heed::study
