// SPDX-License-Identifier: MIT
// Switches of attention made by permuting the speakers of recorded scores (the paper's Section IV-A;
// docs/mathematics.md): recorded switches are undone, then the columns are rotated from block to block. The same with
// what the talkers say, before anything is prepared, so that it can be decoded live.
#pragma once

#include <heed/data/random.h>
#include <heed/data/scored.h>
#include <io/bids/events_file.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace heed::pipeline {

// Which trials of a participant are given switches.
enum class SwitchedTrials {
  all,        // recorded switches are undone first; trials are joined where no interval is shorter than the longest
  sustained,  // only those in which attention stays, as recorded, for longer than the shortest interval
};

// Random intervals by number: every participant and repeat has a draw of its own, the same whoever asks.
struct SwitchDraw {
  std::uint64_t seed = 1;
  std::size_t participant = 0;
  int repeat = 0;
};

// In block k of trial i the attended speaker is column (k + i + participant + repeat) mod N: so no column has the start
// more often than others, and a method that begins with the first gains nothing by it. A shorter last block stays. A
// window that straddles a switch has no label and, where windows overlap, no scores. Where no label is known the last
// known one counts (at the start the next); a trial without any label is an error (bad_data).
[[nodiscard]] ScoredParticipant with_artificial_switches(const ScoredParticipant& participant,
                                                         const SwitchInterval& interval, const SwitchDraw& draw,
                                                         SwitchedTrials trials = SwitchedTrials::all);

// With every switch undone: attention stays with one column throughout a trial, the start as above.
[[nodiscard]] ScoredParticipant without_switches(const ScoredParticipant& participant, const SwitchDraw& draw);

// The same rule for pieces of sound: in block k of a trial the speaker who is attended sounds from place k mod N, and
// the others follow behind in their order; attention is told accordingly. Sound before the trial goes with its first
// block, sound after it with its last. Throws bad_data for a trial in which attention is never known, invalid_argument
// for an interval that is none.
[[nodiscard]] io::TrialPlan with_exchanged_talkers(const io::TrialPlan& trial, const SwitchInterval& interval,
                                                   RandomStream& random);

// "300" or "60-125" seconds, as users write how long attention stays. Throws invalid_argument that names the option.
[[nodiscard]] SwitchInterval parse_interval(const std::string& option, const std::string& text);

}  // namespace heed::pipeline
