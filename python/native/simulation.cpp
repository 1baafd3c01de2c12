// SPDX-License-Identifier: MIT
// Data with known attention. heed/simulation.py declares the keywords of recordings.
#include <heed/sim/score_cohort.h>
#include <pipeline/simulated_folder.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/docs/simulation_texts.h"
#include "native/errors.h"
#include "native/interrupt.h"
#include "native/keywords.h"
#include "native/model_arguments.h"
#include "native/scores.h"
#include "native/views.h"

namespace heed::python {
namespace {

py::list simulate_scores(const sim::ScoreCohortOptions& options) {
  std::vector<ScoredParticipant> cohort;
  {
    Released released;
    cohort = sim::simulate_scores(options, [&] { released.check(); });
  }
  return to_list(std::move(cohort));
}

void bind_scores_of_cohorts(py::module_& module) {
  const sim::ScoreCohortOptions usual;
  module.def(
      "simulate_scores",
      [](int participants, int speakers, int trials, double minutes, double window, double accuracy,
         double accuracy_spread, double autocorrelation, const py::object& switch_every, double artefacts,
         double artefact_length, std::uint64_t seed, double offset_share) {
        return simulate_scores({.speakers = speakers,
                                .participants = participants,
                                .trials = trials,
                                .trial = Seconds{minutes * 60},
                                .window = Seconds{window},
                                .accuracy = accuracy,
                                .accuracy_spread = accuracy_spread,
                                .autocorrelation = autocorrelation,
                                .offset_share = offset_share,
                                .interval = interval_of(switch_every),
                                .artefact_rate = artefacts,
                                .artefact_length = Seconds{artefact_length},
                                .seed = seed});
      },
      py::kw_only(), py::arg("participants") = usual.participants, py::arg("speakers") = usual.speakers,
      py::arg("trials") = usual.trials, py::arg("minutes") = usual.trial.value / 60,
      py::arg("window") = usual.window.value, py::arg("accuracy") = usual.accuracy,
      py::arg("accuracy_spread") = usual.accuracy_spread, py::arg("autocorrelation") = usual.autocorrelation,
      py::arg("switch_every") = usual.interval.shortest.value, py::arg("artefacts") = usual.artefact_rate,
      py::arg("artefact_length") = usual.artefact_length.value, py::arg("seed") = usual.seed,
      py::arg("offset_share") = usual.offset_share, texts::simulate_scores);
}

// A number of electrodes, or their names.
std::vector<std::string> channels_of(const Keywords& keywords) {
  const py::object channels = keywords.object("channels");
  if (channels.is_none()) return pipeline::RecordingWishes{}.channels;
  if (py::isinstance<py::int_>(channels) || py::isinstance<py::str>(channels)) {
    return {py::str(channels).cast<std::string>()};
  }
  return *keywords.optional<std::vector<std::string>>("channels", "a number of electrodes, or their names");
}

void set_signal(const Keywords& keywords, sim::RecordingCohortOptions& options) {
  const auto set = [&](const char* name, double& value) { value = keywords.number(name).value_or(value); };
  set("rate", options.sampling_frequency.value);
  set("sound_rate", options.sound_frequency.value);
  set("signal", options.signal);
  set("signal_spread", options.signal_spread);
  set("noise", options.noise);
  set("gaze", options.gaze);
  set("blinks", options.blinks);
  set("artefacts", options.artefacts);
  set("dropouts", options.dropouts);
  set("dropout_length", options.dropout_length.value);
  set("line_noise", options.line_noise);
  set("line_frequency", options.line_frequency.value);
}

sim::RecordingCohortOptions recording_options(const Keywords& keywords) {
  pipeline::RecordingWishes wishes;
  if (const auto minutes = keywords.number("minutes")) wishes.options.trial = Seconds{*minutes * 60};
  wishes.options.seed = keywords.seed("seed").value_or(wishes.options.seed);
  wishes.participants = keywords.whole("participants");
  wishes.trials = keywords.whole("trials");
  wishes.sustained = keywords.whole("sustained");
  wishes.speakers = keywords.whole("speakers");
  wishes.conversations = keywords.whole("conversations");
  if (const py::object every = keywords.object("switch_every"); !every.is_none()) wishes.interval = interval_of(every);
  wishes.channels = channels_of(keywords);
  set_signal(keywords, wishes.options);
  return pipeline::recording_options(wishes);
}

py::list events_list(const ListeningEvents& events) {
  using py::literals::operator""_a;
  py::list rows;
  for (const StimulusPiece& piece : events.stimuli) {
    rows.append(py::dict("onset"_a = piece.onset.value, "duration"_a = piece.duration.value,
                         "trial_type"_a = "stimulus", "speaker"_a = piece.speaker, "stim_file"_a = piece.file,
                         "stim_onset"_a = piece.file_onset.value));
  }
  for (const AttentionStretch& stretch : events.attention) {
    rows.append(py::dict("onset"_a = stretch.onset.value, "duration"_a = stretch.duration.value,
                         "trial_type"_a = "attend", "speaker"_a = stretch.speaker));
  }
  return rows;
}

struct RunPlace {
  int participant = 1;
  int trial = 1;
};

py::dict run_dict(sim::SimulatedRun&& run, const std::vector<std::string>& speakers, RunPlace place) {
  using py::literals::operator""_a;
  AttentionTrack attended = pipeline::attended_samples(run, speakers);
  std::vector<std::string> channels;
  for (const RecordedChannel& channel : run.recording.channels) channels.push_back(channel.name);
  return py::dict("participant"_a = (place.participant < 10 ? "0" : "") + std::to_string(place.participant),
                  "trial"_a = place.trial, "eeg"_a = handed_over(std::move(run.recording.samples)),
                  "sampling_frequency"_a = run.recording.sampling_frequency.value, "channels"_a = channels,
                  "speakers"_a = speakers, "envelopes"_a = to_numpy(std::move(run.truth.envelopes)),
                  "attended"_a = to_numpy(std::move(attended.attended)), "events"_a = events_list(run.events));
}

py::list simulated_runs(const py::dict& keywords) {
  const sim::RecordingCohortOptions options = recording_options(Keywords(keywords));
  const auto speakers = sim::speaker_names(options);
  std::vector<sim::Programme> programmes;
  py::list runs;
  for (RunPlace place; place.participant <= options.participants; ++place.participant) {
    for (place.trial = 1; place.trial <= options.trials; ++place.trial) {
      sim::SimulatedRun run;
      {
        Released released;
        if (place.participant == 1) programmes.push_back(sim::simulate_programme(options, place.trial));
        const auto& programme = programmes[static_cast<std::size_t>(place.trial) - 1];
        run = sim::simulate_run(options, place.participant, place.trial, programme);
      }
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      runs.append(run_dict(std::move(run), speakers, place));
    }
  }
  return runs;
}

void simulated_folder(const std::filesystem::path& folder, const py::dict& options) {
  const Keywords keywords(options);
  const sim::RecordingCohortOptions cohort = recording_options(keywords);
  const std::string format = keywords.word("format").value_or("bdf");
  pipeline::SimulatedFolderOptions writing;
  writing.sounds = keywords.word("sounds").value_or(writing.sounds);
  writing.replace = keywords.flag("force");
  if (format != "bdf" && format != "brainvision") refuse("format", "is '" + format + "'; give bdf or brainvision");
  if (writing.sounds != "flac" && writing.sounds != "wav") {
    refuse("sounds", "is '" + writing.sounds + "'; give flac or wav");
  }
  writing.format = format == "bdf" ? io::EegFormat::bdf : io::EegFormat::brainvision;
  Released released;
  pipeline::write_simulated_folder(folder, cohort, writing, [&](std::size_t, std::size_t) { released.check(); });
}

}  // namespace

void bind_simulation(py::module_& module) {
  bind_scores_of_cohorts(module);
  module.def("simulated_runs", &simulated_runs, py::arg("options"));
  module.def("simulated_folder", &simulated_folder, py::arg("folder"), py::arg("options"));
}

}  // namespace heed::python
