// SPDX-License-Identifier: MIT
// XDF files as a BIDS folder: EEG, the speakers' sound, and who was attended, on the clock of the EEG's samples. Each
// stretch of EEG without a pause becomes a run.
#pragma once

#include <io/public_sets/convert.h>
#include <io/xdf/xdf_plan.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heed::io {

struct XdfConvertOptions {
  XdfRules rules{};
  std::string subject{};  // of files whose names do not say it, as in sub-01_task-x_run-1.xdf; empty: 01
  std::string task{};     // likewise; empty: attend
  // Decoders are tested on trials that they were not trained on. A participant who has but one, with no marker of
  // trials in it, gets one from each change of attention to the next, unless it shall stay whole.
  bool whole = false;
  DatasetWriteOptions writing{};
  std::function<void(std::size_t done, std::size_t total)> progress{};  // files
};

// Several files of one participant become its runs, in the order given. Throws before anything is written where a file
// is not there or a rule does not fit; a participant whose files cannot be converted does not keep others from it.
[[nodiscard]] std::vector<ConvertedParticipant> convert_xdf(std::span<const std::filesystem::path> sources,
                                                            const std::filesystem::path& target,
                                                            const XdfConvertOptions& options = {});

}  // namespace heed::io
