// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <io/atomic_file.h>
#include <io/recording/recording_format.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>

namespace heed::io {
namespace {

// A comma separates fields; in a name it is written "\1".
std::string field_text(std::string_view text) {
  std::string field = clean_text(text);
  for (std::size_t at = field.find(','); at != std::string::npos; at = field.find(',', at + 2))
    field.replace(at, 1, "\\1");
  return field;
}

std::string header_text(const std::string& stem, const Recording& recording) {
  std::string text =
      "Brain Vision Data Exchange Header File Version 1.0\n"
      "; written by heed\n\n"
      "[Common Infos]\n"
      "Codepage=UTF-8\n"
      "DataFile=" +
      stem +
      ".eeg\n"
      "MarkerFile=" +
      stem +
      ".vmrk\n"
      "DataFormat=BINARY\n"
      "DataOrientation=MULTIPLEXED\n"
      "NumberOfChannels=" +
      std::to_string(recording.channels.size()) +
      "\n"
      "; in microseconds\n"
      "SamplingInterval=" +
      number_text(1e6 / recording.sampling_frequency.value, 17) +
      "\n\n"
      "[Binary Infos]\n"
      "BinaryFormat=IEEE_FLOAT_32\n\n"
      "[Channel Infos]\n"
      "; name, reference, resolution, unit\n";
  for (std::size_t c = 0; c < recording.channels.size(); ++c) {
    const RecordedChannel& channel = recording.channels[c];
    text += "Ch" + std::to_string(c + 1) + "=" + field_text(channel.name) + ",,1," + field_text(channel.unit) + "\n";
  }
  return text;
}

// Year to microsecond, twenty digits.
std::string date_digits(const LocalTime& start) {
  LocalTime time = start;
  time.microsecond = 0;
  std::string digits = time_text(time);
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  const std::string fraction = std::to_string(start.microsecond);
  return digits + std::string(6 - fraction.size(), '0') + fraction;
}

struct Marker {
  std::string type;
  std::string description;
};

Marker marker_of(const RecordingEvent& event) {
  const std::size_t slash = event.description.find('/');
  if (slash == std::string::npos) return {"Stimulus", event.description};
  return {event.description.substr(0, slash), event.description.substr(slash + 1)};
}

std::string marker_text(const std::string& stem, const Recording& recording, std::span<const RecordingEvent> events,
                        const std::optional<LocalTime>& start) {
  std::string text =
      "Brain Vision Data Exchange Marker File Version 1.0\n\n"
      "[Common Infos]\n"
      "Codepage=UTF-8\n"
      "DataFile=" +
      stem +
      ".eeg\n\n"
      "[Marker Infos]\n"
      "; type, description, position from 1, size, channel (0: all)\n";
  const std::string date = start ? "," + date_digits(*start) : "";
  std::size_t number = 1;
  const bool has_first =
      !events.empty() && events.front().onset.value == 0 && events.front().description.starts_with("New Segment/");
  if (!has_first) text += "Mk" + std::to_string(number++) + "=New Segment,,1,1,0" + date + "\n";
  for (const RecordingEvent& event : events) {
    const Marker marker = marker_of(event);
    const long long position = std::llround(event.onset * recording.sampling_frequency) + 1;
    const long long size = std::llround(event.duration * recording.sampling_frequency);
    text += "Mk" + std::to_string(number) + "=" + field_text(marker.type) + "," + field_text(marker.description) + "," +
            std::to_string(position) + "," + std::to_string(size) + ",0" + (number == 1 ? date : "") + "\n";
    ++number;
  }
  return text;
}

}  // namespace

void write_brainvision(const std::filesystem::path& path, const Recording& recording,
                       std::span<const RecordingEvent> events, const RecordingWriteOptions& options) {
  if (path.extension() != ".vhdr") {
    throw Error(ErrorKind::invalid_argument,
                path.string() + ": a BrainVision recording is written under the name of its header; end it in .vhdr");
  }
  check_writable(recording, true);
  const std::string stem = path.stem().string();
  const std::string markers = marker_text(stem, recording, events_within(recording, events), start_of(options));
  std::filesystem::path data_path = path;
  std::filesystem::path marker_path = path;
  // Row-major samples are multiplexed samples: they go out as they lie.
  const auto* const bytes = reinterpret_cast<const char*>(recording.samples.data());  // NOLINT(*-reinterpret-cast)
  const auto size = static_cast<std::size_t>(recording.samples.size()) * sizeof(float);
  StagedFile data(data_path.replace_extension(".eeg"), {bytes, size});
  StagedFile marker_file(marker_path.replace_extension(".vmrk"), markers);
  StagedFile header(path, header_text(stem, recording));
  data.commit();
  marker_file.commit();
  header.commit();
}

}  // namespace heed::io
