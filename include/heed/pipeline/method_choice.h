// SPDX-License-Identifier: MIT
// Which methods the scores of a cohort allow, and the options a method takes from other participants: the number of
// gain states of the Markov chain follows from how well their windows are decided.
#pragma once

#include <heed/data/scored.h>
#include <heed/track/method.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

using Notes = std::vector<std::string>;  // for people: what was left out or chosen, and why

// Why a method cannot be run on a participant's scores; nothing if it can.
[[nodiscard]] std::optional<std::string> obstacle(track::Method method, const ScoredParticipant& participant,
                                                  const track::MethodOptions& options = {});

// The methods asked for; all of them where none is, but for those that some participant's scores do not allow,
// with a note. Throws unsupported if such a method was asked for by name.
[[nodiscard]] std::vector<track::Method> methods_for(std::span<const ScoredParticipant> participants,
                                                     std::span<const track::Method> asked,
                                                     const track::MethodOptions& options, Notes& notes);

// The options with a number of gain states from these labelled participants by the rule of the MESD, unless it is
// given. Without a labelled window it stays open; notes say so, and where the rule's number was capped.
[[nodiscard]] track::MethodOptions with_gain_states(const track::MethodOptions& options,
                                                    std::span<const ScoredParticipant> training, Notes& notes);

// [k]: the same from everybody but participant k.
[[nodiscard]] std::vector<track::MethodOptions> leave_one_out_gain_states(
    const track::MethodOptions& options, std::span<const ScoredParticipant> participants, Notes& notes);

}  // namespace heed::pipeline
