// SPDX-License-Identifier: MIT
// BioSemi's caps of 16, 32, 64, 128, 160 and 256 electrodes, whose amplifier numbers them A1 ... A32, B1 ... B32 and so
// on. The same number is at another place in each cap.
#pragma once

#include <dsp/montage.h>

#include <cstddef>
#include <vector>

namespace heed::dsp {

inline constexpr std::size_t largest_biosemi_cap = 256;

// The places, in the order of the numbers, of the smallest cap that has so many electrodes.
[[nodiscard]] std::vector<ElectrodePosition> biosemi_cap(std::size_t electrodes);

}  // namespace heed::dsp
