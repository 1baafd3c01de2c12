// SPDX-License-Identifier: MIT
// The speakers' sound from files that were started with the EEG, or by a marker: for streams that bring EEG alone.
#pragma once

#include <heed/live/stream.h>
#include <live/sources/open_source.h>

#include <memory>

namespace heed::live {

// The source with the request's files beside its EEG; the source itself where it brings scores, or sound of its own.
// Sound is handed on as EEG of its time comes, before it. Throws invalid_argument where sound is missing or given
// twice, and as reading sound does.
[[nodiscard]] std::unique_ptr<Source> with_sound_files(std::unique_ptr<Source> source, const SourceRequest& request);

}  // namespace heed::live
