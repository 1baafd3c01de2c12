// SPDX-License-Identifier: MIT
// One competitor more than was recorded: an unattended speaker whose scores are those of the unattended one half a
// trial later. It is as hard to tell from the attended speaker as a real one would be, and independent of what it
// copies.
#pragma once

#include <heed/data/scored.h>

namespace heed::study {

// The attended speaker stays where it is. Throws bad_data for a trial without any label.
[[nodiscard]] ScoredParticipant with_surrogate_speaker(const ScoredParticipant& participant);

}  // namespace heed::study
