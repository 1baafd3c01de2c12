// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <io/brainvision/brainvision_header.h>
#include <io/edf/edf_header.h>
#include <io/recording/header_text.h>
#include <io/recording/recording_source.h>
#include <io/tsv.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>

namespace heed::io {
namespace {

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

// A user who gives the samples or markers of BrainVision means their header.
Error wrong_part(const std::filesystem::path& path) {
  std::filesystem::path header = path;
  header.replace_extension(".vhdr");
  return {ErrorKind::unsupported,
          path.string() + ": is one of three files of a BrainVision recording; give its header, " + header.string()};
}

std::unique_ptr<RecordingSource> open_named(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (ending == ".vhdr" || ending == ".ahdr") return open_brainvision(path);
  if (ending == ".bdf" || ending == ".edf") return open_edf(path);
  const SampleFile file(path);
  std::string bytes(static_cast<std::size_t>(std::min<std::int64_t>(file.size(), 32)), '\0');
  file.read(0, bytes);
  if (looks_like_edf(bytes)) return open_edf(path);
  if (looks_like_brainvision(bytes)) return open_brainvision(path);
  if (ending == ".eeg" || ending == ".vmrk" || ending == ".avg" || ending == ".dat") throw wrong_part(path);
  throw Error(ErrorKind::unsupported,
              path.string() + ": is no recording heed reads; it reads BDF, EDF and BrainVision (.vhdr)");
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

std::unique_ptr<RecordingSource> open_source(const std::filesystem::path& path) {
  return naming(path, [&] { return open_named(path); });
}

// The channels asked for, as columns of the file.
std::vector<std::size_t> choose_channels(const RecordingHeader& header, const std::vector<std::string>& names) {
  std::vector<std::size_t> chosen;
  const auto& channels = header.channels;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(channels, name, &RecordedChannel::name);
    if (found == channels.end())
      throw Error(ErrorKind::not_found, "there is no channel " + in_quotes(name) + "; 'heed info' lists the channels");
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
    throw Error(ErrorKind::bad_data, "channels of one rate can be read together; " +
                                         header.channels[chosen.front()].name + " has " + data::shown(rate.value) +
                                         " Hz, not so " + odd);
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

// Memory of hundreds of megabytes is new to the process: a page of 2 MB is entered 512 times as fast as pages of 4 kB.
void prefer_large_pages(SampleMatrix& samples) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t large_page = std::size_t{1} << 21U;
  const std::size_t bytes = static_cast<std::size_t>(samples.size()) * sizeof(float);
  void* begin = samples.data();
  std::size_t rest = bytes;
  // Whole pages only. A refusal costs nothing but time.
  if (std::align(large_page, large_page, begin, rest) != nullptr) {
    ::madvise(begin, rest / large_page * large_page, MADV_HUGEPAGE);
  }
#endif
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
  prefer_large_pages(recording.samples);
  source.read_samples(chosen, range.first, recording.samples);
  return recording;
}

}  // namespace

bool is_recording_file(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 3> endings{".bdf", ".edf", ".vhdr"};
  return std::ranges::find(endings, ending_of(path)) != endings.end();
}

RecordingHeader read_recording_header(const std::filesystem::path& path) {
  const auto source = open_source(path);
  return naming(path, [&] { return source->take_header(); });
}

std::vector<std::filesystem::path> recording_files(const std::filesystem::path& path) {
  return open_source(path)->files(path);
}

Recording read_recording(const std::filesystem::path& path, const RecordingPart& part) {
  const auto source = open_source(path);
  return naming(path, [&] { return read_part(*source, part); });
}

}  // namespace heed::io
