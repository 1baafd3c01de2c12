// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/brainvision/brainvision_header.h>
#include <io/open_file.h>
#include <io/recording/recording_format.h>

#include <algorithm>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

// $b stands for the header's own name.
std::string with_stem(const fs::path& header, std::string name) {
  const std::string stem = header.stem().string();
  for (std::size_t at = name.find("$b"); at != std::string::npos; at = name.find("$b", at + stem.size()))
    name.replace(at, 2, stem);
  return name;
}

class BrainVisionSource final : public RecordingSource {
 public:
  explicit BrainVisionSource(const fs::path& path);

  [[nodiscard]] std::vector<fs::path> files(const fs::path& path) const override { return {path, data_->name()}; }
  [[nodiscard]] Index samples_of(std::size_t /*channel*/) const override { return header_.samples; }
  void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const override;

 protected:
  [[nodiscard]] std::vector<RecordingEvent> read_events(std::vector<std::string>& /*notes*/) const override {
    return events_;
  }

 private:
  void note_if_renamed(const std::string& named, const fs::path& found);
  void count_samples();
  void read_markers(const fs::path& path);
  void read_multiplexed(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const;
  void read_vectorised(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const;

  BrainVisionHeader layout_;
  std::optional<SampleFile> data_;
  std::vector<RecordingEvent> events_;
  std::int64_t text_size_ = 0;
};

BrainVisionSource::BrainVisionSource(const fs::path& path) {
  {
    const SampleFile file(path);
    text_size_ = file.size();
    layout_ = parse_brainvision_header(decode_brainvision_text(file.text()));
  }
  header_.format = "BrainVision";
  header_.sampling_frequency = layout_.sampling_frequency;
  header_.notes = layout_.notes;
  for (const BrainVisionChannel& channel : layout_.channels) {
    header_.channels.push_back({channel.name, channel.unit, layout_.sampling_frequency});
  }
  const auto found = find_beside(path, with_stem(path, layout_.data_file), {".eeg", ".dat", ".avg"});
  if (!found) {
    const fs::path samples = path.parent_path() / layout_.data_file;
    if (fs::is_symlink(samples)) throw Error(ErrorKind::not_found, samples.string() + ": " + why_missing(samples));
    throw Error(ErrorKind::not_found, path.string() + ": the samples, " + samples.string() +
                                          ", do not exist, nor does " + path.stem().string() +
                                          ".eeg; put the file beside its header");
  }
  note_if_renamed(layout_.data_file, *found);
  data_.emplace(*found);
  count_samples();
  read_markers(path);
}

void BrainVisionSource::note_if_renamed(const std::string& named, const fs::path& found) {
  if (named.find("$b") != std::string::npos || named == found.filename().string()) return;
  header_.notes.push_back("the header names " + named + "; " + found.filename().string() + " is read instead");
}

void BrainVisionSource::count_samples() {
  const auto row = static_cast<std::int64_t>(layout_.channels.size()) * bytes_of(layout_.encoding);
  const std::int64_t there = data_->size() / row;
  const std::int64_t stated = layout_.samples.value_or(there);
  if (there == 0 || (!layout_.multiplexed && stated > there)) {
    throw Error(ErrorKind::bad_data,
                data_->name() + ": byte " + std::to_string(data_->size() + 1) + ": the file ends after " +
                    std::to_string(there) + " samples of " + std::to_string(layout_.channels.size()) + " channels, " +
                    (layout_.samples ? std::to_string(stated) + " are expected" : std::string("not even one")) +
                    "; it is truncated, copy it again");
  }
  // Channel after channel, only the stated length says where the next one begins.
  header_.samples = layout_.multiplexed ? there : stated;
  if (stated != there) {
    header_.notes.push_back("the header says " + std::to_string(stated) + " samples, the file holds " +
                            std::to_string(there) + "; " + std::to_string(header_.samples) + " are read");
  }
  if (const std::int64_t rest = data_->size() % row; rest != 0 && layout_.multiplexed) {
    header_.notes.push_back("the last " + std::to_string(rest) +
                            " bytes of the samples are less than one of each channel and are left out");
  }
}

void BrainVisionSource::read_markers(const fs::path& path) {
  BrainVisionMarkers markers;
  const auto found = find_beside(path, with_stem(path, layout_.marker_file), {".vmrk", ".amrk"});
  if (found) {
    if (!layout_.marker_file.empty()) note_if_renamed(layout_.marker_file, *found);
    const SampleFile file(*found);
    const MarkerLimits limits{layout_.sampling_frequency, most_events(text_size_ + file.size() + data_->size())};
    markers = parse_brainvision_markers(decode_brainvision_text(file.text()), limits);
  } else if (!layout_.marker_file.empty()) {
    header_.notes.push_back("the marker file " + layout_.marker_file + " is missing: no events are read");
  }
  header_.notes.insert(header_.notes.end(), markers.notes.begin(), markers.notes.end());
  if (markers.start) header_.start = time_text(*markers.start);
  events_ = std::move(markers.events);
  sort_by_onset(events_);

  markers.segments.push_back(0);
  std::ranges::sort(markers.segments);
  markers.segments.erase(std::unique(markers.segments.begin(), markers.segments.end()), markers.segments.end());
  std::erase_if(markers.segments, [&](Index sample) { return sample >= header_.samples; });
  for (std::size_t i = 0; i < markers.segments.size(); ++i) {
    const Index first = markers.segments[i];
    const Index next = i + 1 < markers.segments.size() ? markers.segments[i + 1] : header_.samples;
    header_.segments.push_back(
        {Seconds{static_cast<double>(first) / header_.sampling_frequency.value}, first, next - first});
  }
  if (header_.segments.size() > 1) {
    header_.notes.push_back("the recording was paused " + std::to_string(header_.segments.size() - 1) +
                            " times (New Segment markers); the format leaves no gaps: times count samples");
  }
}

void BrainVisionSource::read_multiplexed(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const {
  const std::int64_t size = bytes_of(layout_.encoding);
  const auto step = static_cast<std::int64_t>(layout_.channels.size()) * size;
  const Index together = std::clamp<Index>(piece_of(data_->size()) / step, 1, into.rows());
  std::vector<char> bytes(static_cast<std::size_t>(together * step));
  std::vector<ChannelBytes> sources;
  for (const std::size_t c : channels) {
    sources.push_back({bytes.data() + static_cast<std::int64_t>(c) * size, layout_.channels[c].resolution, 0});
  }
  for (Index row = 0; row < into.rows(); row += together) {
    const Index count = std::min(together, into.rows() - row);
    data_->read((first + row) * step, std::span(bytes).first(static_cast<std::size_t>(count * step)));
    decode_multiplexed(layout_.encoding, sources, step, {into.row(row).data(), into.cols(), count});
  }
}

void BrainVisionSource::read_vectorised(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const {
  const std::int64_t size = bytes_of(layout_.encoding);
  const auto width = static_cast<std::int64_t>(channels.size()) * size;
  const Index together = std::clamp<Index>(piece_of(data_->size()) / width, 1, into.rows());
  std::vector<char> bytes(static_cast<std::size_t>(together * width) + 1);
  std::vector<ChannelBytes> sources(channels.size());
  for (Index row = 0; row < into.rows(); row += together) {
    const Index count = std::min(together, into.rows() - row);
    const auto length = static_cast<std::size_t>(count * size);
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const auto mine = std::span(bytes).subspan(c * length, length);
      data_->read((static_cast<std::int64_t>(channels[c]) * header_.samples + first + row) * size, mine);
      sources[c] = {mine.data(), layout_.channels[channels[c]].resolution, 0};
    }
    decode_channels(layout_.encoding, sources, {into.row(row).data(), into.cols(), count});
  }
}

void BrainVisionSource::read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const {
  if (layout_.multiplexed) {
    read_multiplexed(channels, first, into);
  } else {
    read_vectorised(channels, first, into);
  }
}

}  // namespace

RecordingFormat brainvision_format() {
  return {"BrainVision",
          {".vhdr", ".ahdr"},
          {".eeg", ".vmrk", ".amrk", ".avg", ".dat"},
          looks_like_brainvision,
          [](const fs::path& path) {
            return std::unique_ptr<const RecordingSource>(std::make_unique<BrainVisionSource>(path));
          }};
}

}  // namespace heed::io
