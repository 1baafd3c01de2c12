// SPDX-License-Identifier: MIT
// What was played: sound as an audio file holds it, or an envelope that somebody made of it.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <string>
#include <vector>

namespace heed::data {

// One channel, or the mean of several. Full scale is 1.
struct Sound {
  Hertz sampling_frequency{};
  Seconds onset{};  // of the first sample, in the file
  std::vector<float> samples{};
};

// Time down the rows, one column or several (bands) across; every value is finite.
struct Envelope {
  Hertz sampling_frequency{};
  Seconds onset{};  // of the first row, in the stimulus
  std::vector<std::string> columns{};
  Matrix values{};
};

}  // namespace heed::data

namespace heed {
using data::Envelope;
using data::Sound;
}  // namespace heed
