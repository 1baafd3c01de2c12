// SPDX-License-Identifier: MIT
// A recording that lies in one file, without a folder around it, sent as if it were recorded now: EEG, and its events
// as markers. Sound comes from files beside it. After each pause of a discontinuous recording another trial begins.
#pragma once

#include <live/sources/open_source.h>

#include <memory>

namespace heed::live {

// Throws as io::RecordingFile and with_sound_files do.
[[nodiscard]] std::unique_ptr<Source> open_recording(const SourceRequest& request);

}  // namespace heed::live
