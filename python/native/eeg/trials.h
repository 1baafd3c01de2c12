// SPDX-License-Identifier: MIT
// Listeners and their trials as Python values, and trials made of the caller's arrays.
#pragma once

#include <heed/data/preprocessing.h>
#include <pipeline/scoring/lender.h>
#include <pipeline/scoring/scaled_trials.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "native/arrays.h"

namespace heed::python {

// What was prepared, and how.
struct Listener {
  pipeline::ParticipantTrials participant{};
  Preprocessing preprocessing{};
  std::optional<pipeline::Recipe> recipe{};              // that a folder was read by; nothing: arrays of the caller
  std::shared_ptr<const pipeline::OpenFolder> folder{};  // where it comes from, if from a folder
  std::vector<pipeline::TrialSource> sources{};          // of a pickle: what the folder said
};

// The choice for a listener whose signals are there: what is said of the decoder, on these signals. Without a recipe it
// is the one the listener was read by. Throws InvalidArgument where another recipe is asked for.
[[nodiscard]] pipeline::DecoderChoice choice_for(const Listener& listener, pipeline::DecoderRequest request,
                                                 const Population* population = nullptr);

// What the trials were made from; of the caller's own arrays, digests of those.
[[nodiscard]] std::vector<pipeline::TrialSource> sources_of(const Listener& listener);

// Who lends, as `others` and `population` say it: a heed.Population, a BidsFolder, or a sequence of listeners.
class Others {
 public:
  // None lends nothing. `scores`: how scores in such windows spread is wanted too. Throws InvalidArgument for a weight
  // without anybody to weigh.
  Others(const py::object& others, const Listener& listener, const pipeline::DecoderRequest& request,
         std::optional<double> weight, std::optional<Seconds> scores = {});

  [[nodiscard]] const pipeline::Lender* lender() const noexcept { return lender_.get(); }
  [[nodiscard]] const pipeline::DecoderChoice& choice() const noexcept { return choice_; }
  [[nodiscard]] std::optional<pipeline::Recipe> recipe() const noexcept { return recipe_; }
  // Whether the program would have asked the folder's other listeners, and nobody was asked here.
  [[nodiscard]] bool were_forgotten() const noexcept { return forgotten_; }

 private:
  pipeline::DecoderChoice choice_;
  std::optional<pipeline::Recipe> recipe_;
  bool forgotten_ = false;
  std::unique_ptr<const pipeline::Lender> lender_;
};

void bind_population(py::module_& module);

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
