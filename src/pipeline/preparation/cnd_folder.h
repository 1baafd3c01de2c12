// SPDX-License-Identifier: MIT
// A BIDS folder as CND, the structure of the CNSP workshop: dataSub1.mat with `eeg` and dataStim1.mat with `stim` for
// each participant, both at the rate of the EEG. The reverse of io/cnd/cnd_file.h, which reads them back.
#pragma once

#include <io/public_sets/convert.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace heed::pipeline {

struct CndWriteOptions {
  std::vector<std::string> subjects{};  // none: all there are
  bool resume = false;                  // files of an earlier conversion may be there; they stay as they are
  std::function<void(std::size_t done, std::size_t total)> progress{};  // participants
};

// Trials are those of the events; samples are as recorded, and sound becomes its envelope. Throws as io::read_dataset
// and io::select_runs do, cannot_create (the folder is not empty), io. A participant who cannot be written does not
// keep the others from it.
[[nodiscard]] std::vector<io::ConvertedParticipant> write_cnd_folder(const std::filesystem::path& dataset,
                                                                     const std::filesystem::path& target,
                                                                     const CndWriteOptions& options = {});

}  // namespace heed::pipeline
