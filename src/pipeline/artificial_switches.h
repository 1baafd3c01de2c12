// SPDX-License-Identifier: MIT
// Switches of attention made by permuting the speakers of recorded scores (the paper's Section IV-A;
// docs/mathematics.md): recorded switches are undone, then the columns are rotated from block to block.
#pragma once

#include <heed/data/random.h>
#include <heed/data/scored.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heed::pipeline {

// In block k of a trial the attended speaker is column k mod N. A shorter last block stays. A
// window that straddles a switch has no label and, where windows overlap, no scores. Where no label is known the last
// known one counts (at the start the next); a trial without any label is an error (bad_data). Trials are joined first
// where no interval is shorter than the longest trial, as no switch would fit.
[[nodiscard]] ScoredParticipant with_artificial_switches(const ScoredParticipant& participant,
                                                         const SwitchInterval& interval, RandomStream& random);

// Random intervals by number: every participant and repeat has a draw of its own, the same whoever asks.
struct SwitchDraw {
  std::uint64_t seed = 1;
  std::size_t participant = 0;
  int repeat = 0;
};
[[nodiscard]] ScoredParticipant with_artificial_switches(const ScoredParticipant& participant,
                                                         const SwitchInterval& interval, const SwitchDraw& draw);

// "300" or "60-125" seconds, as users write how long attention stays. Throws invalid_argument that names the option.
[[nodiscard]] SwitchInterval parse_interval(const std::string& option, const std::string& text);

}  // namespace heed::pipeline
