// SPDX-License-Identifier: MIT
// The windows of a session, as its stream and its options describe them: how long they are, what their scores are, and
// how their clock and their gains go.
#pragma once

#include <heed/decode/score.h>
#include <heed/live/session.h>
#include <live/clock/referee.h>

namespace heed::live {

// Throws bad_data for a stream that nothing can be decided in, invalid_argument for windows that cannot be.
[[nodiscard]] decode::WindowLayout windows_of(const StreamDescription& stream, const SessionOptions& options);
[[nodiscard]] ScoreType type_of(const StreamDescription& stream, const SessionOptions& options);
// What the tracker gets: a decoder that learns hands over log-likelihoods.
[[nodiscard]] StreamContent tracked_content(const StreamDescription& stream, const SessionOptions& options);
// Of rows that are windows: a stamp belongs to the nearest.
[[nodiscard]] ClockOptions clock_of_windows(ClockOptions options, Seconds hop);
// A step is measured by the power of the last second, so that second is what it needs.
[[nodiscard]] Steering::Pace pace_of(const decode::WindowLayout& windows);

}  // namespace heed::live
