// SPDX-License-Identifier: MIT
// A trial as decoders take it: EEG and what each speaker said, band-passed, on one clock; and what some decoder made of
// a run's EEG.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/series.h>
#include <heed/data/units.h>

#include <string>
#include <vector>

namespace heed::data {

struct SampleRange {
  Index first = 0;
  Index count = 0;
  friend bool operator==(const SampleRange&, const SampleRange&) = default;
};

struct AttendedRange {
  SampleRange samples{};
  Speaker speaker = unknown_speaker;
  friend bool operator==(const AttendedRange&, const AttendedRange&) = default;
};

struct Trial {
  std::string name{};  // of the run, "/" and the trial's own where a run has several
  Seconds onset{};     // of the first sample, on the recording's clock
  Hertz sampling_frequency{};
  std::vector<std::string> channels{};
  std::vector<std::string> speakers{};
  std::vector<std::string> targets{"envelope"};  // what is known of a speaker's sound
  Matrix eeg{};                                  // samples x channels; 0 where it is missing
  std::vector<Matrix> stimuli{};                 // [speaker] samples x targets
  std::vector<AttendedRange> attention{};        // by time, without overlap; samples in none are unknown
  std::vector<SampleRange> missing{};            // by time, without overlap: dropouts of the EEG

  [[nodiscard]] Index samples() const noexcept { return eeg.rows(); }
};

// What some decoder, anybody's, made of a run's EEG, with the envelopes it can be compared with.

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
using data::AttendedRange;
using data::Reconstruction;
using data::SampleRange;
using data::Trial;
}  // namespace heed
