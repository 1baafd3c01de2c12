// SPDX-License-Identifier: MIT
// A folder of results beside a dataset, as BIDS wants it: it says what made it, and of what.
#pragma once

#include <heed/io/bids_dataset.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace heed::io {

// Results among the data would be taken for data; BIDS keeps derivatives/ free for them. Throws cannot_create for
// another folder inside the dataset.
void refuse_output_inside(const std::filesystem::path& dataset, const std::filesystem::path& folder);

// Makes the folder, and writes dataset_description.json unless one of heed's is there. Throws cannot_create where a
// file is in its place, or another program's description (the folder is somebody else's), and for a folder inside the
// dataset, but for derivatives/.
void make_derivative_folder(const std::filesystem::path& folder, const BidsDataset& source);

// sub-01/[ses-A/]eeg/<name of the run>_<suffix> below the folder; its folders are made.
[[nodiscard]] std::filesystem::path derivative_path(const std::filesystem::path& folder, const BidsRun& run,
                                                    std::string_view suffix);

}  // namespace heed::io
