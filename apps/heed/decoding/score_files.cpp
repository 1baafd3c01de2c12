// SPDX-License-Identifier: MIT
#include "decoding/score_files.h"

#include <fmt/format.h>
#include <heed/data/error.h>
#include <io/bids/dataset_writer.h>

#include <algorithm>

namespace heed::app {
namespace {

void check(const ScoredParticipant& participant, const pipeline::ParticipantTrials& trials) {
  if (participant.speakers.size() < 2) {
    throw Error(ErrorKind::bad_data,
                fmt::format("sub-{}: has one speaker, '{}'; attention is decided between two or more", participant.id,
                            participant.speakers.front()));
  }
  for (std::size_t k = 0; k < trials.trials.size(); ++k) {
    const Scores& scores = participant.trials[k].scores;
    if (scores.values.rows() > 0) continue;
    const Trial& trial = trials.trials[k];
    throw Error(
        ErrorKind::bad_data,
        fmt::format("sub-{}: trial '{}' of {:g} s holds no window of {:g} s; take shorter windows, or leave the "
                    "run out",
                    participant.id, trial.name, static_cast<double>(trial.samples()) / trial.sampling_frequency.value,
                    scores.window.value));
  }
}

}  // namespace

std::string window_entity(Seconds window) {
  std::string number = fmt::format("{:g}", window.value);
  if (number.size() == 1) number.insert(0, "0");
  std::ranges::replace(number, '.', 'p');
  return "window-" + number + "s_";
}

std::string name_within_run(const std::string& trial, const std::string& run) {
  return trial.size() > run.size() ? trial.substr(run.size() + 1) : "";
}

ScoredParticipant of_run(const ScoredParticipant& participant, const pipeline::ParticipantTrials& trials,
                         const std::string& run) {
  ScoredParticipant result{.id = participant.id, .speakers = participant.speakers, .type = participant.type};
  for (std::size_t k = 0; k < trials.runs.size(); ++k) {
    if (trials.runs[k] != run) continue;
    result.trials.push_back(participant.trials[k]);
    result.trials.back().name = name_within_run(participant.trials[k].name, run);
  }
  return result;
}

std::vector<std::string> notes_on_missing(const ScoredParticipant& participant) {
  std::vector<std::string> notes;
  for (const ScoredTrial& trial : participant.trials) {
    const Matrix& values = trial.scores.values;
    const Index missing = values.array().isNaN().rowwise().any().count();
    if (missing == 0) continue;
    notes.push_back(
        fmt::format("{}: {} of {} windows are missing: EEG that was not recorded, or a speaker silent throughout",
                    trial.name, missing, values.rows()));
  }
  return notes;
}

void write_score_files(const ScoreFiles& files, const io::ParticipantRuns& runs,
                       const pipeline::ParticipantTrials& trials, std::span<const ScoredParticipant> by_window) {
  for (const ScoredParticipant& participant : by_window) check(participant, trials);
  for (const io::BidsRun& run : runs.runs) {
    io::ScoreWriteOptions options = files.options;
    options.sources = {run.eeg.filename().string()};
    for (const ScoredParticipant& participant : by_window) {
      const ScoredParticipant part = of_run(participant, trials, run.name);
      const std::string window = files.name_window ? window_entity(part.trials.front().scores.window) : "";
      io::write_scores(io::derivative_path(files.folder, run, window + "desc-" + files.description + "_scores.tsv"),
                       part, options);
    }
  }
}

}  // namespace heed::app
