// SPDX-License-Identifier: MIT
// The decoder that a session begins with: the one it was given, or one that says what signals are like until another is
// trained or learnt.
#pragma once

#include <dsp/prepare.h>
#include <heed/live/session.h>

#include <string>
#include <vector>

namespace heed::live {

// Throws invalid_argument for filters that are not causal.
void check_causal(const Preprocessing& preprocessing);

// The stream's EEG, as filters take it.
[[nodiscard]] dsp::EegSource source_of(const StreamDescription& stream);

// The channels that are left of a stream where bad ones are excluded or mended, in the order in which they are decoded.
[[nodiscard]] std::vector<std::string> good_channels(const StreamDescription& stream,
                                                     const Preprocessing& preprocessing);

// Throws invalid_argument where the options name more than one kind of decoder; there must be one.
[[nodiscard]] Decoder first_decoder(const StreamDescription& stream, const SessionOptions& options);

}  // namespace heed::live
