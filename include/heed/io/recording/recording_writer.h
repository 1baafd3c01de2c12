// SPDX-License-Identifier: MIT
// Recordings written as other programs read them: BDF+ and EDF+ (24 and 16 bit integers, each channel scaled to its
// own range), BrainVision (32 bit floats, exact). Whole or not there: three files of BrainVision appear together.
#pragma once

#include <heed/data/recording.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace heed::io {

struct RecordingWriteOptions {
  std::optional<std::string> start{};  // local time, 2026-11-15T09:30:00; fractions of a second are kept
  std::string subject{"X"};            // EDF and BDF: who; X is "not told"
};

// A sample reads back to within half a step of the channel's range (2^-25 of it in BDF, 2^-17 in EDF), which the header
// states in eight characters. Events become annotations; those outside the samples are left out, and all are written
// relative to the first sample. Where no record length from an eighth of a second to a second divides the samples, the
// last record is filled up with the last sample. Throws invalid_argument (no channels or samples, a sample that is not
// finite, a name of more than 16 ASCII characters, an event without description, a rate for which no whole number of
// samples makes a record), cannot_create, io.
void write_bdf(const std::filesystem::path& path, const Recording& recording,
               std::span<const RecordingEvent> events = {}, const RecordingWriteOptions& options = {});
void write_edf(const std::filesystem::path& path, const Recording& recording,
               std::span<const RecordingEvent> events = {}, const RecordingWriteOptions& options = {});

// path is the .vhdr; the .eeg and .vmrk lie beside it under the same name. An event "Type/description" keeps both;
// other events become markers of type Stimulus; the first marker is a New Segment. Onsets and durations are rounded to
// samples.
void write_brainvision(const std::filesystem::path& path, const Recording& recording,
                       std::span<const RecordingEvent> events = {}, const RecordingWriteOptions& options = {});

}  // namespace heed::io
