// SPDX-License-Identifier: MIT
// What some decoder, anybody's, made of a run's EEG, with the envelopes it can be compared with.
#pragma once

#include <heed/data/decoding/trial.h>
#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <string>
#include <vector>

namespace heed::data {

struct Reconstruction {
  std::string listener{};  // "01" of sub-01
  std::string name{};      // sub-01_run-02
  Hertz sampling_frequency{};
  Seconds onset{};           // of the first sample
  Eigen::VectorXd values{};  // every one finite
  std::vector<std::string> speakers{};
  Matrix envelopes{};                      // samples x speakers, as many samples; before any band-pass
  std::vector<AttendedRange> attention{};  // by time, without overlap; samples in none are unknown
};

}  // namespace heed::data

namespace heed {
using data::Reconstruction;
}  // namespace heed
