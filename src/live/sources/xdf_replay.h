// SPDX-License-Identifier: MIT
// An XDF file sent as if it were recorded now: EEG, sound and markers, each stamped with its time on the clock of the
// computer that recorded. A pause of the EEG begins a trial.
#pragma once

#include <live/sources/open_source.h>

#include <memory>

namespace heed::live {

// Which stream is the EEG, and who speaks where, is said by the address's options eeg and speakers. Throws as
// io::XdfFile and io::plan_xdf do, and invalid_argument where there is no sound of at least two speakers.
[[nodiscard]] std::unique_ptr<Source> open_xdf(const SourceRequest& request);

}  // namespace heed::live
