// SPDX-License-Identifier: MIT
#include <io/brainvision/brainvision_header.h>

#include <algorithm>

namespace heed::io {
namespace {

// "20131113161403794232": year to microsecond, without separators. Zeros: not known.
std::optional<LocalTime> marker_date(std::string_view text) {
  constexpr std::size_t length = 20;
  if (text.size() != length || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t count) {
    return static_cast<int>(parse_integer(text.substr(at, count)).value_or(0));
  };
  const LocalTime time{number(0, 4),  number(4, 2),  number(6, 2), number(8, 2),
                       number(10, 2), number(12, 2), number(14, 6)};
  return exists(time) ? std::optional(time) : std::nullopt;
}

}  // namespace

// "Mk2=Stimulus,S253,487,1,0": type, description, position from 1, size, channel.
BrainVisionMarkers parse_brainvision_markers(std::string_view text, const MarkerLimits& limits) {
  BrainVisionMarkers markers;
  std::size_t damaged = 0;
  std::size_t left_out = 0;
  KeyValueReader lines(text);
  while (lines.next()) {
    const KeyValueLine& line = lines.line();
    if (!equal_ignoring_case(line.section, "Marker Infos")) continue;
    const auto position = parse_integer(trimmed(field_of(line.value, 2)));
    const auto size = parse_integer(trimmed(field_of(line.value, 3)));
    constexpr std::int64_t farthest = std::int64_t{1} << 50U;  // samples; beyond it a double cannot tell them apart
    if (!position || *position < 0 || *position > farthest) {
      ++damaged;
      continue;
    }
    if (markers.events.size() == limits.most_events) {
      ++left_out;
      continue;
    }
    const std::string type = field_of(line.value, 0);
    const Index sample = std::max<Index>(0, *position - 1);
    if (type == "New Segment") {
      markers.segments.push_back(sample);
      if (!markers.start) markers.start = marker_date(trimmed(field_of(line.value, 5)));
    }
    const double length = size ? static_cast<double>(std::clamp<std::int64_t>(*size, 0, farthest)) : 0;
    markers.events.push_back({Seconds{static_cast<double>(sample) / limits.sampling_frequency.value},
                              Seconds{length / limits.sampling_frequency.value}, type + "/" + field_of(line.value, 1)});
  }
  if (damaged > 0)
    markers.notes.push_back(std::to_string(damaged) + " lines of the marker file are damaged and left out");
  if (left_out > 0)
    markers.notes.push_back("there are more markers than a recording of this size can mean; " +
                            std::to_string(left_out) + " of them are left out");
  return markers;
}

}  // namespace heed::io
