// SPDX-License-Identifier: MIT
// What cohorts with EEG share: one participant decoded in all the ways that are wanted, the EEG prepared once for those
// that need the same signals.
#pragma once

#include <heed/pipeline/preparation/preparation.h>
#include <heed/study/cohort.h>

#include <functional>

namespace heed::study {

// Called once for least squares and CCA together, and once for CSP, with a decoder of that kind.
using PrepareParticipant = std::function<pipeline::PreparedParticipant(const pipeline::DecoderChoice&)>;

// A decoding that cannot be learnt from these trials says why; so does one whose longest windows are too few.
[[nodiscard]] std::vector<DecodedScores> decode_wanted(std::span<const ScoresWanted> wanted,
                                                       const PrepareParticipant& prepare);

// Says of scores that lack the longest windows why they do: the same when they are made and when they are found again.
void note_missing_windows(DecodedScores& decoded, std::span<const Seconds> windows);

// As the paper has it, but for what a setting names.
[[nodiscard]] pipeline::DecoderChoice choice_of(const Decoding& decoding);

// CSP tells left from right: two speakers.
[[nodiscard]] std::optional<std::string> csp_obstacle(const Decoding& decoding);

}  // namespace heed::study
