// SPDX-License-Identifier: MIT
// What `heed info` says of a recording: channels, events, and on a terminal the signals at a glance.
#include <data/text.h>
#include <fmt/format.h>
#include <heed/io/recording_file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "info.h"
#include "json_value.h"
#include "terminal.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

// A recording at a glance: for every channel a strip of blocks as high as the signal is wide (peak to peak) there.
// Half a second of each stretch is read, so that long recordings cost no more than short ones.

struct ChannelStrip {
  std::size_t channel = 0;        // of the header
  std::vector<double> heights{};  // peak to peak, from the recording's beginning to its end, in the channel's unit
};

// A stretch on the recording's clock that lies within one segment.
struct Stretch {
  Seconds from;
  Seconds to;
};

Stretch stretch_of(const RecordingHeader& header, Index sample, Index samples) {
  const double rate = header.sampling_frequency.value;
  const auto next = std::ranges::upper_bound(header.segments, sample, {}, &RecordingSegment::first_sample);
  const RecordingSegment& segment = *std::prev(next);
  const Index within = sample - segment.first_sample;
  const Seconds from = segment.onset + Seconds{static_cast<double>(within) / rate};
  return {from, from + Seconds{static_cast<double>(std::min(samples, segment.samples - within)) / rate}};
}

// Channels by rate: those of one are read together.
std::map<double, std::vector<std::size_t>> channels_by_rate(const RecordingHeader& header) {
  std::map<double, std::vector<std::size_t>> groups;
  for (std::size_t c = 0; c < header.channels.size(); ++c)
    groups[header.channels[c].sampling_frequency.value].push_back(c);
  return groups;
}

std::string padded_name(const std::string& name, std::size_t width) {
  return name + std::string(width - std::min(width, text_width(name)), ' ');
}

std::string median_height(ChannelStrip strip, const std::string& unit) {
  const auto middle = strip.heights.begin() + static_cast<std::ptrdiff_t>(strip.heights.size() / 2);
  std::ranges::nth_element(strip.heights, middle);
  return fmt::format("{:.{}f} {}", *middle, *middle < 1 ? 2 : *middle < 100 ? 1 : 0, unit);
}

// Strips of so many cells, fewer where the recording has fewer samples; every channel, whatever its rate.
std::vector<ChannelStrip> channel_strips(const io::RecordingFile& file, std::size_t cells) {
  const RecordingHeader& header = file.header();
  std::vector<ChannelStrip> strips(header.channels.size());
  for (std::size_t c = 0; c < strips.size(); ++c) strips[c].channel = c;
  const auto count = std::min<Index>(static_cast<Index>(cells), header.samples);
  for (const auto& [rate, channels] : channels_by_rate(header)) {
    io::RecordingPart part;
    for (const std::size_t c : channels) part.channels.push_back(header.channels[c].name);
    for (Index cell = 0; cell < count; ++cell) {
      const Index first = header.samples * cell / count;
      const Index all = header.samples * (cell + 1) / count - first;
      // Half a second, and two samples of a slow channel.
      const double enough = std::max(0.5, 2 / rate) * header.sampling_frequency.value;
      const Stretch stretch = stretch_of(header, first, std::max<Index>(1, std::min(all, static_cast<Index>(enough))));
      part.from = stretch.from;
      part.to = std::max(stretch.to, stretch.from + Seconds{1 / rate});
      const Recording piece = file.read(part);
      for (std::size_t k = 0; k < channels.size(); ++k) {
        const auto column = piece.samples.col(static_cast<Index>(k));
        strips[channels[k]].heights.push_back(static_cast<double>(column.maxCoeff() - column.minCoeff()));
      }
    }
  }
  return strips;
}

// One character per cell.
std::string strip_text(const ChannelStrip& strip, bool utf8) {
  constexpr std::array<std::string_view, 9> blocks{"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array<std::string_view, 9> plain{"_", ".", ":", "-", "=", "+", "*", "%", "#"};
  const double highest = *std::ranges::max_element(strip.heights);
  std::string text;
  for (const double height : strip.heights) {
    const double share = highest > 0 && height > 0 ? height / highest : 0;
    const auto level = static_cast<std::size_t>(std::ceil(8 * share));
    text += (utf8 ? blocks : plain).at(std::isfinite(share) ? level : 8);
  }
  return text;
}

struct Layout {
  std::size_t columns = 1;
  std::size_t rows = 1;
  std::size_t name_width = 0;
  std::size_t cells = 1;  // of a strip
};

Layout layout_of(const RecordingHeader& header, std::size_t width) {
  constexpr std::size_t rows_at_once = 24;
  constexpr std::size_t shortest = 12;  // cells
  constexpr std::size_t longest = 60;
  constexpr std::size_t height_width = 12;
  Layout layout;
  for (const RecordedChannel& channel : header.channels) {
    layout.name_width = std::max(layout.name_width, text_width(channel.name));
  }
  const std::size_t wanted = (header.channels.size() + rows_at_once - 1) / rows_at_once;
  const std::size_t fitting = (width + 2) / (layout.name_width + shortest + 3);
  layout.columns = std::max<std::size_t>(1, std::min(wanted, fitting));
  layout.rows = (header.channels.size() + layout.columns - 1) / layout.columns;
  const std::size_t room = (width + 2) / layout.columns;
  const std::size_t taken = layout.name_width + 3 + (layout.columns == 1 ? height_width : 0);
  layout.cells = std::clamp(room - std::min(room, taken), shortest, longest);
  return layout;
}

// Names and strips, as many side by side as make it fit a screen of `width` columns; with few channels each has its
// line, and behind it the median height in its unit. The highest stretch of a channel is a full block, a flat one a
// dot; without UTF-8 they are ASCII characters.
std::string thumbnail(const io::RecordingFile& file, std::size_t width, bool utf8) {
  const RecordingHeader& header = file.header();
  const Layout layout = layout_of(header, width);
  const std::vector<ChannelStrip> strips = channel_strips(file, layout.cells);
  std::string text;
  for (std::size_t row = 0; row < layout.rows; ++row) {
    std::string line;
    for (std::size_t i = row; i < strips.size(); i += layout.rows) {
      const RecordedChannel& channel = header.channels[strips[i].channel];
      line +=
          (line.empty() ? "" : "  ") + padded_name(channel.name, layout.name_width) + " " + strip_text(strips[i], utf8);
      if (layout.columns == 1) line += "  " + median_height(strips[i], channel.unit);
    }
    text += line + "\n";
  }
  return text;
}

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
  const auto columns = terminal_columns(STDOUT_FILENO);
  for (const ChannelGroup& group : group_channels(header)) {
    say("{}\n", group_title(group));
    if (!columns) say("{}", wrapped(group.names, usual_width, 2));
  }
  if (columns) say("\n{}", thumbnail(file, *columns, terminal_shows_utf8()));
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
    say("no events\n");
    return;
  }
  constexpr std::size_t most_kinds = 20;
  const std::vector<EventKind> kinds = event_kinds(header);
  say("{} of {}\n", count_text(header.events.size(), "event"), count_text(kinds.size(), "kind"));
  TextTable table({"  description", "count", "first onsets (s)"});
  for (std::size_t i = 0; i < std::min(most_kinds, kinds.size()); ++i) {
    const EventKind& kind = kinds[i];
    table.add({"  " + kind.description, std::to_string(kind.count),
               fmt::format("{}{}", fmt::join(kind.first, ", "), kind.count > kind.first.size() ? " ..." : "")});
  }
  say("{}", table.text());
  if (kinds.size() > most_kinds) say("  and {} more\n", count_text(kinds.size() - most_kinds, "kind"));
}

}  // namespace

void show_recording(const std::filesystem::path& file, bool json) {
  const io::RecordingFile recording = io::RecordingFile::open(file);
  const RecordingHeader header = recording.header_with_events();
  if (json) {
    print_json(header);
    return;
  }
  say("{}: {}, {}, {} samples at {} Hz", file.filename().string(), header.format, shown_duration(duration_of(header)),
      header.samples, data::shown(header.sampling_frequency.value));
  say("{}\n\n", header.start ? ", started " + *header.start : "");
  print_channels(recording);
  say("\n");
  print_events(header);
  for (const std::string& note : header.notes) say("note: {}\n", note);
}

}  // namespace heed::app
