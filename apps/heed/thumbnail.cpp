// SPDX-License-Identifier: MIT
#include "thumbnail.h"

#include <fmt/format.h>
#include <heed/io/recording_file.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "terminal.h"

namespace heed::app {
namespace {

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

// One character a cell.
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

}  // namespace

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

}  // namespace heed::app
