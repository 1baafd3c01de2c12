// SPDX-License-Identifier: MIT
// Where the electrodes of a run were: electrodes.tsv, and coordsystem.json, which says how its axes lie.
#pragma once

#include <heed/io/bids_dataset.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct PlacedElectrode {
  std::string name{};
  std::array<double, 3> direction{};  // of length one, from the middle of the head: right, front, up
};

// Columns name, x, y and z; electrodes without a place (n/a) are left out. `system`: EEGCoordinateSystem; those of CTF,
// 4D, KIT and EEGLAB count to the front and the left, all others to the right and the front. Coordinates have their
// origin at the ears, in millimetres or metres: the sphere that fits all electrodes best says where the middle is.
// Throws bad_data with row and column, and for fewer than four electrodes, or ones that lie in a plane.
[[nodiscard]] std::vector<PlacedElectrode> parse_electrodes(std::string_view text, std::string_view system);

// Of the run's participant (and session and acquisition, where files name them); empty without an electrodes.tsv.
// Throws bad_data, io, naming the file.
[[nodiscard]] std::vector<PlacedElectrode> read_electrodes(const BidsDataset& dataset, const BidsRun& run);

}  // namespace heed::io
