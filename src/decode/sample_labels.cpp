// SPDX-License-Identifier: MIT
#include "decode/sample_labels.h"

#include <heed/data/error.h>

#include <algorithm>

namespace heed::decode {
namespace {

[[noreturn]] void reject(const Trial& trial, const std::string& problem) {
  throw Error(ErrorKind::bad_data, place_of(trial) + ": " + problem);
}

// What of `range` lies within `samples`, counted from its first.
SampleRange part_within(const SampleRange& range, const SampleRange& samples) {
  const Index begin = std::max(range.first, samples.first);
  const Index end = std::min(range.first + range.count, samples.first + samples.count);
  return {begin - samples.first, std::max<Index>(0, end - begin)};
}

bool inside(const SampleRange& range, Index samples) {
  return range.first >= 0 && range.count >= 0 && range.first + range.count <= samples;
}

void check_stimuli(const Trial& trial) {
  if (trial.stimuli.empty()) reject(trial, "no speaker; a decoder needs the speech of at least one");
  if (trial.speakers.size() != trial.stimuli.size()) {
    reject(trial, std::to_string(trial.speakers.size()) + " names for " + std::to_string(trial.stimuli.size()) +
                      " speakers; give each a name");
  }
  for (std::size_t s = 0; s < trial.stimuli.size(); ++s) {
    const Matrix& stimulus = trial.stimuli[s];
    if (stimulus.rows() != trial.samples() || stimulus.cols() != static_cast<Index>(trial.targets.size())) {
      reject(trial, "the stimulus of speaker " + trial.speakers[s] + " is " + std::to_string(stimulus.rows()) +
                        " samples of " + std::to_string(stimulus.cols()) + " targets, the EEG has " +
                        std::to_string(trial.samples()) + " samples and the trial " +
                        std::to_string(trial.targets.size()) + " targets; cut them to the same length");
    }
  }
}

}  // namespace

std::string place_of(const Trial& trial) { return trial.name.empty() ? "trial" : "trial '" + trial.name + "'"; }

void check_trial(const Trial& trial) {
  if (!(trial.sampling_frequency.value > 0)) reject(trial, "no sampling frequency");
  if (trial.samples() == 0 || trial.eeg.cols() == 0) reject(trial, "no EEG");
  if (static_cast<Index>(trial.channels.size()) != trial.eeg.cols()) {
    reject(trial, std::to_string(trial.channels.size()) + " channel names for " + std::to_string(trial.eeg.cols()) +
                      " channels; give each a name");
  }
  check_stimuli(trial);
  for (const AttendedRange& range : trial.attention) {
    if (!inside(range.samples, trial.samples())) reject(trial, "a label of attention reaches beyond its samples");
    if (range.speaker < unknown_speaker || range.speaker >= static_cast<Speaker>(trial.stimuli.size())) {
      reject(trial, "attention is on speaker " + std::to_string(range.speaker + 1) + ", there are " +
                        std::to_string(trial.stimuli.size()));
    }
  }
  for (const SampleRange& range : trial.missing) {
    if (!inside(range, trial.samples())) reject(trial, "a range of missing samples reaches beyond its samples");
  }
}

std::vector<Speaker> sample_labels(const Trial& trial) {
  std::vector<Speaker> labels(static_cast<std::size_t>(trial.samples()), unknown_speaker);
  for (const AttendedRange& range : trial.attention) {
    std::fill_n(labels.begin() + range.samples.first, range.samples.count, range.speaker);
  }
  return labels;
}

std::vector<Speaker> usable_labels(const Trial& trial) {
  std::vector<Speaker> labels = sample_labels(trial);
  for (const SampleRange& range : trial.missing) {
    std::fill_n(labels.begin() + range.first, range.count, unknown_speaker);
  }
  return labels;
}

Trial slice(const Trial& trial, SampleRange samples) {
  Trial part;
  part.name = trial.name;
  part.onset = trial.onset + Seconds{static_cast<double>(samples.first) / trial.sampling_frequency.value};
  part.sampling_frequency = trial.sampling_frequency;
  part.channels = trial.channels;
  part.speakers = trial.speakers;
  part.targets = trial.targets;
  part.eeg = trial.eeg.middleRows(samples.first, samples.count);
  for (const Matrix& stimulus : trial.stimuli) {
    part.stimuli.emplace_back(stimulus.middleRows(samples.first, samples.count));
  }
  for (const AttendedRange& range : trial.attention) {
    const SampleRange kept = part_within(range.samples, samples);
    if (kept.count > 0) part.attention.push_back({kept, range.speaker});
  }
  for (const SampleRange& range : trial.missing) {
    if (const SampleRange kept = part_within(range, samples); kept.count > 0) part.missing.push_back(kept);
  }
  return part;
}

}  // namespace heed::decode
