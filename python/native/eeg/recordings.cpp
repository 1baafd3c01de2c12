// SPDX-License-Identifier: MIT
// Recordings read from their files. heed/recordings.py makes a heed.Recording of what is handed over here.
#include <heed/io/recording_file.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "native/bindings.h"
#include "native/eeg/arguments.h"
#include "native/interrupt.h"
#include "native/views.h"

namespace heed::python {
namespace {

std::optional<Seconds> time_of(std::optional<double> seconds) {
  return seconds ? std::optional(Seconds{*seconds}) : std::nullopt;
}

py::list events_of(const RecordingHeader& header) {
  py::list events;
  for (const RecordingEvent& event : header.events) {
    events.append(py::make_tuple(event.onset.value, event.duration.value, event.description));
  }
  return events;
}

py::dict read_recording(const std::filesystem::path& path, const py::object& channels, std::optional<double> start,
                        std::optional<double> stop) {
  const io::RecordingPart part{names_of(channels, "channels"), time_of(start), time_of(stop)};
  RecordingHeader header;
  Recording recording;
  {
    const Released released;
    const io::RecordingFile file = io::RecordingFile::open(path);
    header = file.header_with_events();
    recording = file.read(part);
  }
  py::list names;
  py::list units;
  for (const RecordedChannel& channel : recording.channels) {
    names.append(channel.name);
    units.append(channel.unit);
  }
  py::dict result;
  result["samples"] = handed_over(std::move(recording.samples));
  result["sampling_frequency"] = recording.sampling_frequency.value;
  result["channels"] = names;
  result["units"] = units;
  result["onset"] = recording.onset.value;
  result["events"] = events_of(header);
  result["format"] = header.format;
  result["start"] = header.start;
  result["notes"] = header.notes;
  return result;
}

}  // namespace

void bind_recordings(py::module_& module) { module.def("_read_recording", &read_recording); }

}  // namespace heed::python
