// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/recording/recording_source.h>
#include <io/recording/writing.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>

namespace heed::io {

void check_writable(const Recording& recording) {
  const SampleMatrix& samples = recording.samples;
  if (samples.size() == 0) throw Error(ErrorKind::invalid_argument, "there are no samples to write");
  if (static_cast<std::size_t>(samples.cols()) != recording.channels.size()) {
    throw Error(ErrorKind::invalid_argument, std::to_string(recording.channels.size()) +
                                                 " channels are named, the samples have " +
                                                 std::to_string(samples.cols()) + " columns");
  }
  if (!(recording.sampling_frequency.value > 0) || !std::isfinite(recording.sampling_frequency.value)) {
    throw Error(ErrorKind::invalid_argument,
                "a sampling frequency of " + data::shown(recording.sampling_frequency.value) + " Hz cannot be written");
  }
  for (Index c = 0; c < samples.cols(); ++c) {
    for (Index t = 0; t < samples.rows(); ++t) {
      if (!std::isfinite(samples(t, c))) {
        throw Error(ErrorKind::invalid_argument,
                    "channel " + in_quotes(recording.channels[static_cast<std::size_t>(c)].name) + ", sample " +
                        std::to_string(t + 1) + " is not a number; recordings have no missing samples");
      }
    }
  }
}

std::optional<LocalTime> start_of(const RecordingWriteOptions& options) {
  if (!options.start) return std::nullopt;
  const auto time = parse_time(*options.start);
  if (!time)
    throw Error(ErrorKind::invalid_argument,
                "the start " + in_quotes(*options.start) + " is no time; write it as 2026-11-15T09:30:00");
  return time;
}

std::vector<RecordingEvent> events_within(const Recording& recording, std::span<const RecordingEvent> events) {
  const double end = static_cast<double>(recording.samples.rows()) / recording.sampling_frequency.value;
  const double half = 0.5 / recording.sampling_frequency.value;
  std::vector<RecordingEvent> placed;
  for (RecordingEvent event : events) {
    event.onset = event.onset - recording.onset;
    if (event.onset.value < -half || event.onset.value >= end) continue;
    event.onset.value = std::max(0.0, event.onset.value);
    placed.push_back(std::move(event));
  }
  sort_by_onset(placed);
  return placed;
}

}  // namespace heed::io
