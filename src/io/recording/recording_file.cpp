// SPDX-License-Identifier: MIT
#include <data/large_pages.h>
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <io/open_file.h>
#include <io/recording/recording_format.h>
#include <io/tsv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

namespace heed::io {

// Each in the file of its reader.
RecordingFormat brainvision_format();
RecordingFormat edf_format();
RecordingFormat eeglab_format();
RecordingFormat fif_format();
RecordingFormat gdf_format();

namespace {

// Every format of recordings that heed reads: opening, listing, validation and messages go by this table. A new format
// is a source file of its own (recording_format.h), its declaration above, and an entry here.
const std::array<RecordingFormat, 5>& formats() {
  static const std::array table{brainvision_format(), edf_format(), eeglab_format(), fif_format(), gdf_format()};
  return table;
}

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

bool holds(const std::vector<std::string_view>& endings, std::string_view ending) {
  return std::ranges::find(endings, ending) != endings.end();
}

// By its name, else by how it begins.
std::unique_ptr<const RecordingSource> open_source(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  for (const RecordingFormat& format : formats()) {
    if (holds(format.endings, ending)) return format.open(path);
  }
  const SampleFile file(path);
  std::string bytes(static_cast<std::size_t>(std::min<std::int64_t>(file.size(), 32)), '\0');
  file.read(0, bytes);
  for (const RecordingFormat& format : formats()) {
    if (format.recognises(bytes)) return format.open(path);
  }
  std::string known;
  for (const RecordingFormat& format : formats()) {
    if (holds(format.parts, ending)) {
      const auto header = std::filesystem::path(path).replace_extension(format.endings.front());
      throw Error(ErrorKind::unsupported, path.string() + ": is only one part of a " + std::string(format.name) +
                                              " recording; give its header, " + header.string());
    }
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  }
  throw Error(ErrorKind::unsupported, path.string() + ": is not a recording that heed can read; it reads " + known +
                                          " (" + recording_endings() + ")");
}

// What `call` throws names the file.
template <typename Call>
auto naming(const std::filesystem::path& path, Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with((path.parent_path() / path.stem()).string())) throw;
    throw error.within(path.string());
  }
}

std::string names_in(const RecordingHeader& header) {
  constexpr std::size_t most = 16;
  std::string names;
  for (std::size_t c = 0; c < std::min(most, header.channels.size()); ++c) {
    names += (c == 0 ? "" : ", ") + header.channels[c].name;
  }
  return names + (header.channels.size() > most ? " ..." : "");
}

// The channels asked for, as columns of the file.
std::vector<std::size_t> choose_channels(const RecordingHeader& header, const std::vector<std::string>& names) {
  std::vector<std::size_t> chosen;
  const auto& channels = header.channels;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(channels, name, &RecordedChannel::name);
    if (found == channels.end())
      throw Error(ErrorKind::not_found,
                  "there is no channel " + in_quotes(name) + "; the recording has " + names_in(header));
    const auto index = static_cast<std::size_t>(found - channels.begin());
    if (std::ranges::find(chosen, index) != chosen.end())
      throw Error(ErrorKind::invalid_argument, "channel " + in_quotes(name) + " is asked for twice");
    chosen.push_back(index);
  }
  for (std::size_t c = 0; names.empty() && c < channels.size(); ++c) {
    if (channels[c].sampling_frequency == header.sampling_frequency) chosen.push_back(c);
  }
  return chosen;
}

void check_one_rate(const RecordingHeader& header, const std::vector<std::size_t>& chosen) {
  const Hertz rate = header.channels[chosen.front()].sampling_frequency;
  std::string odd;
  for (const std::size_t c : chosen) {
    const RecordedChannel& channel = header.channels[c];
    if (channel.sampling_frequency != rate)
      odd += (odd.empty() ? "" : ", ") + channel.name + " (" + data::shown(channel.sampling_frequency.value) + " Hz)";
  }
  if (!odd.empty()) {
    throw Error(ErrorKind::bad_data, "only channels of one sampling frequency can be read together; " +
                                         header.channels[chosen.front()].name + " has " + data::shown(rate.value) +
                                         " Hz, but " + odd);
  }
}

struct SampleRange {
  Index first = 0;
  Index count = 0;
  Seconds onset{};
};

std::string span_text(const RecordingPart& part) {
  return "from " + (part.from ? data::shown(part.from->value) + " s" : std::string("the start")) + " to " +
         (part.to ? data::shown(part.to->value) + " s" : std::string("the end"));
}

// The first sample at or after a time. Times that were written with a few digits may miss a sample by a hair.
Index sample_at(double seconds, double rate, Index samples) {
  constexpr double hair = 1e-6;
  const double index = std::ceil(seconds * rate - hair * std::max(1.0, std::abs(seconds)));
  return static_cast<Index>(std::clamp(index, 0.0, static_cast<double>(samples)));
}

// Samples of one segment that lie in the part; `scale` takes samples of the recording to those of the channels.
SampleRange within_segment(const RecordingSegment& segment, const RecordingPart& part, double rate, double scale) {
  const auto samples = static_cast<Index>(std::llround(static_cast<double>(segment.samples) * scale));
  const auto first = static_cast<Index>(std::llround(static_cast<double>(segment.first_sample) * scale));
  const Index from = part.from ? sample_at(part.from->value - segment.onset.value, rate, samples) : 0;
  const Index to = part.to ? sample_at(part.to->value - segment.onset.value, rate, samples) : samples;
  return {first + from, std::max<Index>(0, to - from), segment.onset + Seconds{static_cast<double>(from) / rate}};
}

std::string segment_list(const RecordingHeader& header) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, header.segments.size()); ++i) {
    const RecordingSegment& segment = header.segments[i];
    const double end = segment.onset.value + static_cast<double>(segment.samples) / header.sampling_frequency.value;
    text += (i == 0 ? "" : ", ") + data::shown(segment.onset.value) + " to " + data::shown(end) + " s";
  }
  return text + (header.segments.size() > most ? " ..." : "");
}

SampleRange choose_samples(const RecordingSource& source, const RecordingPart& part, std::size_t channel) {
  const RecordingHeader& header = source.header();
  const double rate = header.channels[channel].sampling_frequency.value;
  const double scale = static_cast<double>(source.samples_of(channel)) / static_cast<double>(header.samples);
  SampleRange range;
  for (const RecordingSegment& segment : header.segments) {
    const SampleRange piece = within_segment(segment, part, rate, scale);
    if (piece.count == 0) continue;
    const double due = range.onset.value + static_cast<double>(range.count) / rate;
    if (range.count > 0 && std::abs(piece.onset.value - due) > 0.5 / rate) {
      throw Error(ErrorKind::unsupported,
                  "the part " + span_text(part) +
                      " holds a pause of the recording; read one segment at a time: " + segment_list(header));
    }
    if (range.count == 0) range = {piece.first, 0, piece.onset};
    range.count += piece.count;
  }
  if (range.count == 0) {
    throw Error(ErrorKind::invalid_argument,
                "there are no samples " + span_text(part) + "; the recording has " + segment_list(header));
  }
  return range;
}

Recording read_part(const RecordingSource& source, const RecordingPart& part) {
  const RecordingHeader& header = source.header();
  const std::vector<std::size_t> chosen = choose_channels(header, part.channels);
  check_one_rate(header, chosen);
  const SampleRange range = choose_samples(source, part, chosen.front());
  Recording recording;
  for (const std::size_t c : chosen) recording.channels.push_back(header.channels[c]);
  recording.sampling_frequency = recording.channels.front().sampling_frequency;
  recording.onset = range.onset;
  recording.samples.resize(range.count, static_cast<Index>(chosen.size()));
  data::prefer_large_pages(recording.samples.data(),
                           static_cast<std::size_t>(recording.samples.size()) * sizeof(float));
  source.read_samples(chosen, range.first, recording.samples);
  return recording;
}

}  // namespace

bool is_recording_file(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  return std::ranges::any_of(formats(), [&](const RecordingFormat& format) { return holds(format.endings, ending); });
}

std::optional<std::filesystem::path> find_beside(const std::filesystem::path& header, std::string name,
                                                 const std::vector<std::string>& endings) {
  name.erase(0, name.find_last_of("/\\") + 1);  // of a folder on somebody else's machine
  const std::filesystem::path folder = header.parent_path();
  std::error_code ignored;
  if (!name.empty() && std::filesystem::is_regular_file(folder / name, ignored)) return folder / name;
  for (const std::string& ending : endings) {
    const auto like_header = folder / (header.stem().string() + ending);
    if (std::filesystem::is_regular_file(like_header, ignored)) return like_header;
  }
  return std::nullopt;
}

bool is_recording_part(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  return std::ranges::any_of(formats(), [&](const RecordingFormat& format) { return holds(format.parts, ending); });
}

std::string recording_endings() {
  std::vector<std::string_view> endings;
  for (const RecordingFormat& format : formats()) {
    endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  }
  std::string text;
  for (std::size_t k = 0; k < endings.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == endings.size() ? " or " : ", ") + std::string(endings[k]);
  }
  return text;
}

RecordingFile RecordingFile::open(const std::filesystem::path& path) {
  return {path, naming(path, [&] { return open_source(path); })};
}

RecordingFile::RecordingFile(std::filesystem::path path, std::unique_ptr<const RecordingSource> source)
    : path_(std::move(path)), source_(std::move(source)) {}
RecordingFile::~RecordingFile() = default;
RecordingFile::RecordingFile(RecordingFile&&) noexcept = default;
RecordingFile& RecordingFile::operator=(RecordingFile&&) noexcept = default;

const RecordingHeader& RecordingFile::header() const noexcept { return source_->header(); }

RecordingHeader RecordingFile::header_with_events() const {
  RecordingHeader header = source_->header();
  header.events = naming(path_, [&] { return source_->read_events(header.notes); });
  return header;
}

std::vector<std::filesystem::path> RecordingFile::files() const { return source_->files(path_); }

Recording RecordingFile::read(const RecordingPart& part) const {
  return naming(path_, [&] { return read_part(*source_, part); });
}

RecordingHeader read_recording_header(const std::filesystem::path& path) {
  return RecordingFile::open(path).header_with_events();
}

Recording read_recording(const std::filesystem::path& path, const RecordingPart& part) {
  return RecordingFile::open(path).read(part);
}

void check_writable(const Recording& recording, bool has_floats) {
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
      if (!std::isfinite(samples(t, c)) && !(has_floats && std::isnan(samples(t, c)))) {
        throw Error(ErrorKind::invalid_argument,
                    "channel " + in_quotes(recording.channels[static_cast<std::size_t>(c)].name) + ", sample " +
                        std::to_string(t + 1) + " is not a number, which " +
                        (has_floats ? "no recording can hold" : "only BrainVision can hold, as a missing sample"));
      }
    }
  }
}

std::optional<LocalTime> start_of(const RecordingWriteOptions& options) {
  if (!options.start) return std::nullopt;
  const auto time = parse_time(*options.start);
  if (!time)
    throw Error(ErrorKind::invalid_argument,
                "the start " + in_quotes(*options.start) + " is not a time; write it as 2026-11-15T09:30:00");
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
