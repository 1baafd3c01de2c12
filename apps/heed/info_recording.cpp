// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <fmt/format.h>
#include <heed/io/recording_file.h>

#include <algorithm>
#include <map>

#include "info.h"
#include "json_value.h"
#include "terminal.h"
#include "thumbnail.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t usual_width = 80;

void print_json(const RecordingHeader& header) {
  ordered_json json{{"format", header.format},
                    {"sampling_frequency", header.sampling_frequency.value},
                    {"samples", header.samples},
                    {"duration", duration_of(header).value},
                    {"start", json_value(header.start)},
                    {"channels", ordered_json::array()},
                    {"events", ordered_json::array()},
                    {"segments", ordered_json::array()},
                    {"notes", header.notes}};
  for (const RecordedChannel& channel : header.channels) {
    json["channels"].push_back(
        {{"name", channel.name}, {"unit", channel.unit}, {"sampling_frequency", channel.sampling_frequency.value}});
  }
  for (const RecordingEvent& event : header.events) {
    json["events"].push_back(
        {{"onset", event.onset.value}, {"duration", event.duration.value}, {"description", event.description}});
  }
  for (const RecordingSegment& segment : header.segments) {
    json["segments"].push_back({{"onset", segment.onset.value},
                                {"duration", static_cast<double>(segment.samples) / header.sampling_frequency.value},
                                {"first_sample", segment.first_sample}});
  }
  fmt::print("{}", json_text(json));
}

// Channels of one unit and one rate.
struct ChannelGroup {
  std::string unit;
  Hertz rate;
  std::vector<std::string> names;
};

std::vector<ChannelGroup> group_channels(const RecordingHeader& header) {
  std::vector<ChannelGroup> groups;
  for (const RecordedChannel& channel : header.channels) {
    const auto same = [&](const ChannelGroup& group) {
      return group.unit == channel.unit && group.rate == channel.sampling_frequency;
    };
    auto found = std::ranges::find_if(groups, same);
    if (found == groups.end()) found = groups.insert(found, {channel.unit, channel.sampling_frequency, {}});
    found->names.push_back(channel.name);
  }
  return groups;
}

std::string group_title(const ChannelGroup& group) {
  return fmt::format("{} at {} Hz{}", count_text(group.names.size(), "channel"), data::shown(group.rate.value),
                     group.unit.empty() ? ", no unit" : ", in " + group.unit);
}

void print_channels(const io::RecordingFile& file) {
  const RecordingHeader& header = file.header();
  const auto columns = terminal_columns();
  for (const ChannelGroup& group : group_channels(header)) {
    fmt::print("{}\n", group_title(group));
    if (!columns) fmt::print("{}", wrapped(group.names, usual_width, 2));
  }
  if (columns) fmt::print("\n{}", thumbnail(file, *columns, terminal_shows_utf8()));
}

struct EventKind {
  std::string description;
  std::size_t count = 0;
  std::vector<std::string> first{};
};

// In order of their first appearance.
std::vector<EventKind> event_kinds(const RecordingHeader& header) {
  constexpr std::size_t onsets = 3;
  std::vector<EventKind> kinds;
  std::map<std::string, std::size_t> places;
  for (const RecordingEvent& event : header.events) {
    const auto [place, is_new] = places.emplace(event.description, kinds.size());
    if (is_new) kinds.push_back({event.description});
    EventKind& kind = kinds[place->second];
    if (kind.count++ < onsets) kind.first.push_back(fmt::format("{:.3f}", event.onset.value));
  }
  return kinds;
}

void print_events(const RecordingHeader& header) {
  if (header.events.empty()) {
    fmt::print("no events\n");
    return;
  }
  constexpr std::size_t most_kinds = 20;
  const std::vector<EventKind> kinds = event_kinds(header);
  fmt::print("{} of {}\n", count_text(header.events.size(), "event"), count_text(kinds.size(), "kind"));
  TextTable table({"  description", "count", "first onsets (s)"});
  for (std::size_t i = 0; i < std::min(most_kinds, kinds.size()); ++i) {
    const EventKind& kind = kinds[i];
    table.add({"  " + kind.description, std::to_string(kind.count),
               fmt::format("{}{}", fmt::join(kind.first, ", "), kind.count > kind.first.size() ? " ..." : "")});
  }
  fmt::print("{}", table.text());
  if (kinds.size() > most_kinds) fmt::print("  and {} more\n", count_text(kinds.size() - most_kinds, "kind"));
}

}  // namespace

void show_recording(const std::filesystem::path& file, bool json) {
  const io::RecordingFile recording = io::RecordingFile::open(file);
  const RecordingHeader header = recording.header_with_events();
  if (json) {
    print_json(header);
    return;
  }
  fmt::print("{}: {}, {}, {} samples at {} Hz", file.filename().string(), header.format,
             shown_duration(duration_of(header)), header.samples, data::shown(header.sampling_frequency.value));
  fmt::print("{}\n\n", header.start ? ", started " + *header.start : "");
  print_channels(recording);
  fmt::print("\n");
  print_events(header);
  for (const std::string& note : header.notes) fmt::print("note: {}\n", note);
}

}  // namespace heed::app
