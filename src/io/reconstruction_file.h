// SPDX-License-Identifier: MIT
// Reconstructions of anybody's decoder: `*_reconstruction.tsv` or `.npy`, one column, beside it a JSON that says its
// rate, who was attended and where the envelopes are. docs/formats.md, Reconstructions.
#pragma once

#include <heed/data/trial.h>

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace heed::io {

// One file with its envelopes. Throws not_found (a file, a sidecar), io, bad_data naming file and place: several
// columns, a rate, length or begin that the envelopes do not share, a name nobody bears, gaps, fewer than two speakers.
[[nodiscard]] Reconstruction read_reconstruction(const std::filesystem::path& path);

// Files as given, folders searched for *_reconstruction.tsv and *_reconstruction.npy; in order of names. Throws as
// find_files, and bad_data where two files bear one name.
[[nodiscard]] std::vector<std::filesystem::path> find_reconstructions(std::span<const std::filesystem::path> paths);

}  // namespace heed::io
