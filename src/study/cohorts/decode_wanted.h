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

[[nodiscard]] std::vector<std::vector<ScoredParticipant>> decode_wanted(std::span<const ScoresWanted> wanted,
                                                                        const PrepareParticipant& prepare);

// As the paper has it, but for what a setting names.
[[nodiscard]] pipeline::DecoderChoice choice_of(const Decoding& decoding);

// CSP tells left from right: two speakers.
[[nodiscard]] std::optional<std::string> csp_obstacle(const Decoding& decoding);

}  // namespace heed::study
