// SPDX-License-Identifier: MIT
// What both writers of recordings check and arrange first.
#pragma once

#include <heed/io/recording_file.h>
#include <io/recording/header_text.h>

#include <optional>
#include <span>
#include <vector>

namespace heed::io {

// Throws invalid_argument: no channels, no samples, shapes that differ, no rate, a sample that is not finite.
void check_writable(const Recording& recording);

// Throws invalid_argument for a start that is no time.
[[nodiscard]] std::optional<LocalTime> start_of(const RecordingWriteOptions& options);

// The events that begin within the samples, on a clock whose 0 is the first sample, by onset.
[[nodiscard]] std::vector<RecordingEvent> events_within(const Recording& recording,
                                                        std::span<const RecordingEvent> events);

}  // namespace heed::io
