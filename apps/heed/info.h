// SPDX-License-Identifier: MIT
// What `heed info` says of each kind of file and folder: as text for people, or as JSON.
#pragma once

#include <heed/data/recording.h>

#include <filesystem>
#include <string>

namespace heed::app {

void show_recording(const std::filesystem::path& file, bool json);
void show_xdf(const std::filesystem::path& path, bool json);         // the streams of LabRecorder
void show_sound(const std::filesystem::path& file, bool json);       // audio
void show_envelope(const std::filesystem::path& file, bool json);    // table with SamplingFrequency beside it
void show_scores(const std::filesystem::path& file, bool json);      // a file or a folder of them
void show_posteriors(const std::filesystem::path& file, bool json);  // of heed track
void show_model(const std::filesystem::path& file, bool json);       // JSON that heed writes
void show_dataset(const std::filesystem::path& folder, bool json);   // BIDS

// "250 s", "12 min 05 s", "1 h 02 min".
std::string shown_duration(Seconds duration);
// On the recording's clock: to the end of the last segment.
Seconds duration_of(const RecordingHeader& header);

}  // namespace heed::app
