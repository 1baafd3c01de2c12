// SPDX-License-Identifier: MIT
#include <dsp/standardise.h>
#include <heed/data/error.h>
#include <io/digest.h>
#include <pipeline/scoring/scaled_trials.h>

#include <algorithm>
#include <map>

namespace heed::pipeline {
namespace {

std::vector<Index> columns_of(const PreparedRun& run, const std::vector<std::string>& wanted) {
  std::vector<Index> columns;
  for (const std::string& name : wanted) {
    const auto found = std::ranges::find(run.channels, name);
    if (found == run.channels.end()) {
      std::string known;
      for (const std::string& channel : run.channels) known += " " + channel;
      throw Error(ErrorKind::not_found, run.name + ": there is no good EEG channel '" + name + "'; there are" + known);
    }
    columns.push_back(found - run.channels.begin());
  }
  return columns;
}

void scale(Matrix& signal, const std::vector<SampleRange>& missing) {
  dsp::standardise(data::view(signal), dsp::measure_scales(data::view(signal), missing), missing);
}

// Missing rows hold nothing that was recorded.
void clear(Matrix& signal, const std::vector<SampleRange>& missing) {
  for (const SampleRange& range : missing) signal.middleRows(range.first, range.count).setZero();
}

Trial trial_of(const PreparedRun& run, const PreparedTrial& prepared, const DecoderChoice& choice) {
  Trial trial;
  trial.name = run.name + (prepared.name.empty() ? "" : "/" + prepared.name);
  trial.onset = prepared.onset;
  trial.sampling_frequency = run.sampling_frequency;
  trial.channels = choice.channels.empty() ? run.channels : choice.channels;
  trial.speakers = run.speakers;
  trial.targets = run.targets;
  const auto columns = columns_of(run, trial.channels);
  trial.eeg = prepared.eeg(Eigen::all, columns).cast<double>();
  for (const SampleMatrix& stimulus : prepared.stimuli) trial.stimuli.emplace_back(stimulus.cast<double>());
  trial.attention = prepared.attention;
  trial.missing = prepared.missing;
  if (choice.preprocessing.filters == FilterMode::causal) {
    clear(trial.eeg, trial.missing);
  } else {
    scale(trial.eeg, trial.missing);
    for (Matrix& stimulus : trial.stimuli) scale(stimulus, {});
  }
  return trial;
}

std::string digest_of(const SampleMatrix& samples) {
  const auto* bytes = reinterpret_cast<const char*>(samples.data());  // NOLINT(*-reinterpret-cast): bytes of floats
  return io::Digest().add({bytes, static_cast<std::size_t>(samples.size()) * sizeof(float)}).hex();
}

}  // namespace

ParticipantTrials scaled_trials(const PreparedParticipant& participant, const DecoderChoice& choice) {
  ParticipantTrials result{.id = participant.id, .notes = participant.notes};
  std::map<std::string, std::string> seen;
  for (const PreparedRun& run : participant.runs) {
    for (const PreparedTrial& prepared : run.trials) {
      Trial trial = trial_of(run, prepared, choice);
      const auto [known, is_new] = seen.try_emplace(digest_of(prepared.eeg), trial.name);
      if (!is_new) {
        throw Error(ErrorKind::bad_data, trial.name + " holds the same EEG as " + known->second +
                                             ": a decoder would be tested on what it was trained on; leave one out");
      }
      result.trials.push_back(std::move(trial));
      result.runs.push_back(run.name);
    }
  }
  return result;
}

}  // namespace heed::pipeline
