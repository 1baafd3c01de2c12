// SPDX-License-Identifier: MIT
// Switches of attention made by exchanging what the talkers say: the rule of artificial_switches.h, carried out on the
// pieces of sound before anything is prepared, so that it can be decoded live.
#pragma once

#include <heed/data/random.h>
#include <heed/data/scored.h>
#include <io/bids/events_file.h>

namespace heed::pipeline {

// In block k of a trial the speaker who is attended sounds from place k mod N, and the others follow behind in their
// order; attention is told accordingly. Sound before the trial goes with its first block, sound after it with its last.
// Throws bad_data for a trial in which attention is never known, invalid_argument for an interval that is none.
[[nodiscard]] io::TrialPlan with_exchanged_talkers(const io::TrialPlan& trial, const SwitchInterval& interval,
                                                   RandomStream& random);

}  // namespace heed::pipeline
