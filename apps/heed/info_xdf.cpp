// SPDX-License-Identifier: MIT
// What `heed info` says of an XDF file: its streams, their clocks, and what could not be read.
#include <data/text.h>
#include <fmt/format.h>
#include <io/xdf/xdf_file.h>

#include <cmath>

#include "info.h"
#include "json_value.h"
#include "terminal.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

// From the first sample to the last.
struct StreamTimes {
  Seconds first{};
  Seconds last{};
};

std::optional<StreamTimes> times_of(io::XdfFile& file, std::size_t stream) {
  const Index samples = file.streams()[stream].samples;
  if (samples == 0) return std::nullopt;
  StreamTimes times;
  file.read_times(stream, 0, {&times.first.value, 1});
  file.read_times(stream, samples - 1, {&times.last.value, 1});
  return times;
}

ordered_json stream_json(io::XdfFile& file, std::size_t place) {
  const io::XdfStream& stream = file.streams()[place];
  ordered_json json{{"id", stream.id},
                    {"name", stream.header.name},
                    {"type", stream.header.type},
                    {"source_id", stream.header.source_id},
                    {"format", io::name(stream.header.format)},
                    {"channels", ordered_json::array()},
                    {"nominal_sampling_frequency", stream.header.sampling_frequency.value},
                    {"sampling_frequency", stream.effective_frequency().value},
                    {"samples", stream.samples},
                    {"declared_samples", json_value(stream.declared)},
                    {"clock_offsets", stream.clock_offsets},
                    {"clock_resets", stream.clock_resets},
                    {"segments", ordered_json::array()}};
  // As far as they are described: what a header claims is not made memory.
  for (Index c = 0; c < std::ssize(stream.header.described); ++c) {
    const io::XdfChannel& channel = stream.header.described[static_cast<std::size_t>(c)];
    json["channels"].push_back(
        {{"name", io::channel_name(stream.header, c)}, {"unit", channel.unit}, {"type", channel.type}});
  }
  json["channel_count"] = stream.header.channels;
  const auto times = times_of(file, place);
  json["first_time"] = times ? ordered_json(times->first.value) : ordered_json(nullptr);
  json["last_time"] = times ? ordered_json(times->last.value) : ordered_json(nullptr);
  for (const io::XdfSegment& segment : stream.segments) {
    json["segments"].push_back({{"first_sample", segment.first_sample},
                                {"samples", segment.samples},
                                {"onset", segment.onset.value},
                                {"sampling_frequency", 1 / segment.period.value},
                                {"jitter", segment.jitter.value}});
  }
  return json;
}

void print_json(io::XdfFile& file) {
  ordered_json json{
      {"format", "XDF"},
      {"start", json_value(file.start())},
      {"streams", ordered_json::array()},
      {"damage", {{"places", file.damage().places}, {"bytes", file.damage().bytes}, {"cut", file.damage().cut}}},
      {"notes", file.notes()}};
  for (std::size_t k = 0; k < file.streams().size(); ++k) json["streams"].push_back(stream_json(file, k));
  fmt::print("{}", json_text(json));
}

std::string rate_text(const io::XdfStream& stream) {
  return stream.header.is_regular() ? data::shown(stream.effective_frequency().value) + " Hz" : "irregular";
}

// To a millisecond, and never as "-0.000".
std::string time_text(Seconds time) { return fmt::format("{:.3f}", (std::round(1e3 * time.value) / 1e3) + 0.0); }

}  // namespace

void show_xdf(const std::filesystem::path& path, bool json) {
  io::XdfFile file = io::XdfFile::open(path);
  if (json) return print_json(file);
  say("{}: XDF, {}{}\n\n", path.filename().string(), count_text(file.streams().size(), "stream"),
      file.start() ? ", started " + *file.start() : "");
  TextTable table({"stream", "type", "format", "channels", "rate", "samples", "from (s)", "to (s)"});
  for (std::size_t k = 0; k < file.streams().size(); ++k) {
    const io::XdfStream& stream = file.streams()[k];
    const auto times = times_of(file, k);
    table.add({stream.header.name, stream.header.type, std::string(io::name(stream.header.format)),
               std::to_string(stream.header.channels), rate_text(stream), std::to_string(stream.samples),
               times ? time_text(times->first) : "-", times ? time_text(times->last) : "-"});
  }
  say("{}", table.text());
  for (const io::XdfStream& stream : file.streams()) {
    if (stream.segments.size() < 2) continue;
    say("'{}' is in {} pieces, with pauses between them\n", stream.header.name, stream.segments.size());
  }
  for (const std::string& note : file.notes()) say("note: {}\n", note);
}

}  // namespace heed::app
