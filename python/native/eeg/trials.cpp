// SPDX-License-Identifier: MIT
// heed.Trial: EEG and what each speaker said, on one clock, as decoders take them.
#include "native/eeg/trials.h"

#include <heed/io/model_file.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "native/bindings.h"
#include "native/docs/listener_texts.h"
#include "native/eeg/arguments.h"
#include "native/errors.h"
#include "native/pickling.h"
#include "native/views.h"

namespace heed::python {
namespace {

bool recorded(std::span<const double> row) {
  return std::ranges::none_of(row, [](double value) { return std::isnan(value); });
}

// One speaker throughout, one per sample, or nobody known.
std::vector<AttendedRange> attention_of_samples(const py::object& attended, Index samples, Index speakers) {
  if (attended.is_none()) return {};
  if (py::isinstance<py::int_>(attended)) {
    const auto one = attention_of(py::make_tuple(attended), "attended", speakers).attended.front();
    return ranges_of(std::vector<Speaker>(static_cast<std::size_t>(samples), one));
  }
  const std::vector<Speaker> labels = attention_of(attended, "attended", speakers).attended;
  if (std::ssize(labels) != samples) {
    refuse("attended", std::to_string(labels.size()) + " labels for " + std::to_string(samples) + " samples");
  }
  return ranges_of(labels);
}

std::vector<std::string> names_or_counted(const py::object& names, const char* argument, Index count) {
  std::vector<std::string> result = names.is_none() ? counted_names(count) : names_of(names, argument);
  if (std::ssize(result) != count) {
    refuse(argument, std::to_string(result.size()) + " names for " + std::to_string(count) + " columns");
  }
  return result;
}

struct TrialPlace {
  std::string name{};
  double onset = 0;
  double sampling_frequency = 64;
};

struct TrialNames {
  py::object channels;
  py::object speakers;
  py::object target;
};

struct TrialArrays {
  py::object eeg;
  py::object stimuli;
  py::object attended;
};

Trial make_trial(const TrialArrays& arrays, const TrialPlace& place, const TrialNames& names) {
  const Rows signal = rows_of(arrays.eeg, "eeg");
  const Rows speech = stimulus_rows(arrays.stimuli);
  if (signal.view.rows != speech.view.rows) {
    refuse("stimuli", std::to_string(speech.view.rows) + " samples, the EEG has " + std::to_string(signal.view.rows));
  }
  if (!(place.sampling_frequency > 0)) refuse("sampling_frequency", "must be above 0 Hz; 64 is usual");
  RecordedRows rows = recorded_rows(signal.view);
  Trial trial{.name = place.name, .onset = {place.onset}, .sampling_frequency = {place.sampling_frequency}};
  trial.channels = names_or_counted(names.channels, "channels", signal.view.columns);
  trial.targets = io::names_of(targets_of(names.target));
  trial.stimuli = one_a_speaker(speech.view, trial.targets.size());
  trial.speakers = names_or_counted(names.speakers, "speakers", std::ssize(trial.stimuli));
  trial.eeg = std::move(rows.values);
  trial.missing = std::move(rows.missing);
  trial.attention = attention_of_samples(arrays.attended, trial.samples(), std::ssize(trial.stimuli));
  return trial;
}

py::array eeg_view(const py::object& self) {
  const auto& eeg = self.cast<const Trial&>().eeg;
  return read_only_view(eeg.data(), {eeg.rows(), eeg.cols()}, self);
}

// samples x speakers, or x speakers x targets.
py::array_t<double> stimuli_of(const Trial& trial) {
  const auto speakers = std::ssize(trial.stimuli);
  const auto targets = std::ssize(trial.targets);
  Matrix together(trial.samples(), speakers * targets);
  for (Index s = 0; s < speakers; ++s) {
    together.middleCols(s * targets, targets) = trial.stimuli[static_cast<std::size_t>(s)];
  }
  py::array_t<double> result = to_numpy(std::move(together));
  if (targets == 1) return result;
  return py::array_t<double>(result.reshape({trial.samples(), speakers, targets}));
}

py::array_t<Speaker> attended_of(const Trial& trial) {
  std::vector<Speaker> labels(static_cast<std::size_t>(trial.samples()), unknown_speaker);
  for (const AttendedRange& range : trial.attention) {
    std::fill_n(labels.begin() + range.samples.first, range.samples.count, range.speaker);
  }
  return to_numpy(std::move(labels));
}

py::array_t<bool> missing_of(const Trial& trial) {
  py::array_t<bool> result(trial.samples());
  std::fill_n(result.mutable_data(), trial.samples(), false);
  for (const SampleRange& range : trial.missing) {
    std::fill_n(result.mutable_data() + range.first, range.count, true);
  }
  return result;
}

// ---- pickles: as it is in memory ----

py::tuple state_of(const Trial& trial) {
  py::list stimuli;
  for (const Matrix& stimulus : trial.stimuli) stimuli.append(to_numpy(Matrix(stimulus)));
  py::list attention;
  for (const AttendedRange& range : trial.attention) {
    attention.append(py::make_tuple(range.samples.first, range.samples.count, range.speaker));
  }
  py::list missing;
  for (const SampleRange& range : trial.missing) missing.append(py::make_tuple(range.first, range.count));
  return py::make_tuple(to_numpy(Matrix(trial.eeg)), stimuli, attention, missing, trial.name, trial.onset.value,
                        trial.sampling_frequency.value, trial.channels, trial.speakers, trial.targets);
}

// A damaged pickle must not say where to write.
SampleRange range_within(Index first, Index count, Index samples) {
  if (first < 0 || count < 0 || first > samples - count) refuse("state", "has a range beyond the trial");
  return {first, count};
}

Trial from_state(const py::tuple& state) {
  if (state.size() != 10) refuse("state", "is not of a heed.Trial");
  Trial trial;
  trial.eeg = copied(rows_of(state[0], "eeg").view);
  for (const py::handle stimulus : state[1]) trial.stimuli.push_back(copied(rows_of(stimulus, "stimuli").view));
  for (const py::handle range : state[2]) {
    const auto [first, count, speaker] = range.cast<std::tuple<Index, Index, Speaker>>();
    trial.attention.push_back({range_within(first, count, trial.samples()), speaker});
  }
  for (const py::handle range : state[3]) {
    const auto [first, count] = range.cast<std::pair<Index, Index>>();
    trial.missing.push_back(range_within(first, count, trial.samples()));
  }
  trial.name = state[4].cast<std::string>();
  trial.onset = Seconds{state[5].cast<double>()};
  trial.sampling_frequency = Hertz{state[6].cast<double>()};
  trial.channels = state[7].cast<std::vector<std::string>>();
  trial.speakers = state[8].cast<std::vector<std::string>>();
  trial.targets = state[9].cast<std::vector<std::string>>();
  return trial;
}

std::string described(const Trial& trial) {
  const double seconds = static_cast<double>(trial.samples()) / trial.sampling_frequency.value;
  return "<heed.Trial " + (trial.name.empty() ? "" : "'" + trial.name + "': ") +
         py::str("{:g} s at {:g} Hz").format(seconds, trial.sampling_frequency.value).cast<std::string>() + ", " +
         std::to_string(trial.channels.size()) + " channels, " + std::to_string(trial.speakers.size()) + " speakers>";
}

}  // namespace

RecordedRows recorded_rows(MatrixView eeg) {
  RecordedRows result{copied(eeg), {}};
  for (Index t = 0; t < eeg.rows; ++t) {
    if (recorded(eeg.row(t))) continue;
    result.values.row(t).setZero();
    auto& missing = result.missing;
    if (missing.empty() || missing.back().first + missing.back().count != t) missing.push_back({t, 0});
    ++missing.back().count;
  }
  return result;
}

Rows stimulus_rows(const py::object& stimuli) {
  const bool several = py::isinstance<py::array>(stimuli) && py::array(stimuli).ndim() == 3;
  if (!several) return rows_of(stimuli, "stimuli");
  return rows_of(stimuli.attr("reshape")(py::len(stimuli), -1), "stimuli");
}

std::vector<Matrix> one_a_speaker(MatrixView stimuli, std::size_t targets) {
  const Matrix together = copied(stimuli);
  if (!together.allFinite()) refuse("stimuli", "holds NaN or infinity; what was played is known throughout");
  const auto width = static_cast<Index>(targets);
  if (together.cols() % width != 0) {
    refuse("stimuli", std::to_string(together.cols()) + " columns, but every speaker has " + std::to_string(targets) +
                          " targets; give samples x speakers x targets");
  }
  std::vector<Matrix> result;
  for (Index first = 0; first < together.cols(); first += width) result.emplace_back(together.middleCols(first, width));
  return result;
}

std::vector<AttendedRange> ranges_of(const std::vector<Speaker>& attended) {
  std::vector<AttendedRange> ranges;
  for (Index t = 0; t < std::ssize(attended); ++t) {
    const Speaker speaker = attended[static_cast<std::size_t>(t)];
    if (speaker == unknown_speaker) continue;
    const bool goes_on = !ranges.empty() && ranges.back().speaker == speaker &&
                         ranges.back().samples.first + ranges.back().samples.count == t;
    if (!goes_on) ranges.push_back({{t, 0}, speaker});
    ++ranges.back().samples.count;
  }
  return ranges;
}

void bind_trials(py::module_& module) {
  py::class_<Trial> type(module, "Trial", texts::trial);
  type.def(py::init([](const py::object& eeg, const py::object& stimuli, const py::object& attended,
                       double sampling_frequency, const py::object& channels, const py::object& speakers,
                       std::string name, double onset, const py::object& target) {
             return make_trial({eeg, stimuli, attended}, {std::move(name), onset, sampling_frequency},
                               {channels, speakers, target});
           }),
           py::arg("eeg"), py::arg("stimuli"), py::arg("attended") = py::none(), py::kw_only(),
           py::arg("sampling_frequency") = Preprocessing{}.sampling_frequency.value, py::arg("channels") = py::none(),
           py::arg("speakers") = py::none(), py::arg("name") = "", py::arg("onset") = 0.0, py::arg("target") = "onset");
  type.def_property_readonly("eeg", &eeg_view);
  type.def_property_readonly("stimuli", &stimuli_of);
  type.def_property_readonly("attended", &attended_of);
  type.def_property_readonly("missing", &missing_of);
  type.def_property_readonly("sampling_frequency", [](const Trial& self) { return self.sampling_frequency.value; });
  type.def_property_readonly("onset", [](const Trial& self) { return self.onset.value; });
  type.def_readonly("name", &Trial::name);
  type.def_readonly("channels", &Trial::channels);
  type.def_readonly("speakers", &Trial::speakers);
  type.def_readonly("targets", &Trial::targets);
  type.def("__repr__", &described);
  add_pickling(type, &state_of, &from_state);
}

}  // namespace heed::python
