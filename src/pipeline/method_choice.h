// SPDX-License-Identifier: MIT
// Which methods the scores of a cohort allow, and the options a method takes from other participants: the number of
// gain states of the Markov chain follows from how well their windows are decided.
#pragma once

#include <heed/data/note.h>
#include <heed/data/scored.h>
#include <heed/evaluate/chance.h>
#include <heed/track/method.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

// Why a method cannot be run on a participant's scores; nothing if it can.
[[nodiscard]] std::optional<std::string> obstacle(track::Method method, const ScoredParticipant& participant,
                                                  const track::MethodOptions& options = {});

// The methods asked for; all of them where none is, but for those that some participant's scores do not allow,
// with a note. Throws unsupported if such a method was asked for by name.
[[nodiscard]] std::vector<track::Method> methods_for(std::span<const ScoredParticipant> participants,
                                                     std::span<const track::Method> asked,
                                                     const track::MethodOptions& options, Notes& notes);

// Of the windows of all of them.
[[nodiscard]] evaluate::DecisionCounts count_decisions(std::span<const ScoredParticipant> participants);

// The options with a number of gain states by the rule of the MESD, from how the windows of others were decided, unless
// it is given. Without a labelled window it stays open; notes say so, and where the rule's number was capped.
[[nodiscard]] track::MethodOptions with_gain_states(track::MethodOptions options,
                                                    const evaluate::DecisionCounts& others, Notes& notes);

}  // namespace heed::pipeline
