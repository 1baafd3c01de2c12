// SPDX-License-Identifier: MIT
// Listeners and their trials as Python values, and trials made of the caller's arrays.
#pragma once

#include <heed/data/preprocessing.h>
#include <pipeline/decoding/scaled_trials.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "native/arrays.h"

namespace heed::python {

// What was prepared, and how.
struct Listener {
  pipeline::ParticipantTrials participant{};
  Preprocessing how{};
};

// EEG of the caller: a row with NaN was not recorded. It becomes zeros, and `missing` says where.
struct RecordedRows {
  Matrix values{};
  std::vector<SampleRange> missing{};
};
[[nodiscard]] RecordedRows recorded_rows(MatrixView eeg);

// Samples x speakers; of samples x speakers x targets the columns side by side, a speaker's together.
[[nodiscard]] Rows stimulus_rows(const py::object& stimuli);

// [speaker] samples x targets of such columns. Throws InvalidArgument for NaN and infinities, and for columns that are
// no multiple of the targets.
[[nodiscard]] std::vector<Matrix> one_a_speaker(MatrixView stimuli, std::size_t targets);

// Stretches of one label; those of nobody are left out.
[[nodiscard]] std::vector<AttendedRange> ranges_of(const std::vector<Speaker>& attended);

void bind_trials(py::module_& module);

}  // namespace heed::python
