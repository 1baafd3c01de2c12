// SPDX-License-Identifier: MIT
// Raw FIF recordings as a source of samples.
#include <data/text.h>
#include <heed/data/error.h>
#include <io/fif/fif_tags.h>
#include <io/recording/recording_format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

class FifSource final : public RecordingSource {
 public:
  explicit FifSource(const fs::path& path) : file_(path), content_(walk_fif(file_)) {
    header_.format = "FIF";
    header_.sampling_frequency = content_.sampling_frequency;
    if (content_.start) header_.start = time_text(utc_time(*content_.start));
    name_channels();
    place_segments();
    if (!content_.continued_in.empty()) {
      header_.notes.push_back("the recording continues in " + content_.continued_in +
                              ", which is not read; make it a run of its own, or save the recording as one file");
    }
  }

  [[nodiscard]] Index samples_of(std::size_t /*channel*/) const override { return header_.samples; }

  void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const override {
    std::vector<std::size_t> stored;
    for (const std::size_t channel : channels) stored.push_back(columns_[channel]);
    read_columns(stored, first, into);
  }

  // Annotations, and where a trigger channel takes another value that is not 0.
  [[nodiscard]] std::vector<RecordingEvent> read_events(std::vector<std::string>& notes) const override {
    std::vector<RecordingEvent> events = content_.annotations;
    for (std::size_t c = 0; c < content_.channels.size(); ++c) {
      if (content_.channels[c].is_trigger) read_triggers(c, events, notes);
    }
    sort_by_onset(events);
    return events;
  }

 private:
  void name_channels() {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < content_.channels.size(); ++c) {
      if (content_.channels[c].is_trigger) continue;
      columns_.push_back(c);
      names.push_back(content_.channels[c].name);
    }
    if (columns_.empty()) throw Error(ErrorKind::bad_data, "there are trigger channels only, and no signals");
    make_unique(names, header_.notes);
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      header_.channels.push_back({names[k], content_.channels[columns_[k]].unit, content_.sampling_frequency});
    }
  }

  void place_segments() {
    const double rate = content_.sampling_frequency.value;
    Index skipped = 0;
    for (const FifBuffer& buffer : content_.buffers) {
      skipped += buffer.skipped;
      if (header_.segments.empty() || buffer.after_pause) {
        const double onset = static_cast<double>(buffer.first_sample + skipped) / rate;
        header_.segments.push_back({Seconds{onset}, buffer.first_sample, 0});
      }
      header_.segments.back().samples += buffer.samples;
      header_.samples += buffer.samples;
    }
  }

  void read_columns(std::span<const std::size_t> columns, Index first, SampleMatrix& into) const {
    auto buffer = std::ranges::upper_bound(content_.buffers, first, {}, &FifBuffer::first_sample) - 1;
    for (Index row = 0; row < into.rows(); ++buffer) {
      const Index from = first + row - buffer->first_sample;
      const Index count = std::min(buffer->samples - from, into.rows() - row);
      read_buffer(*buffer, from, count, columns, into.middleRows(row, count));
      row += count;
    }
  }

  // A piece of a buffer at a time: a file may be one buffer.
  void read_buffer(const FifBuffer& buffer, Index from, Index count, std::span<const std::size_t> columns,
                   Eigen::Ref<SampleMatrix> into) const {
    const std::int64_t each = bytes_of(buffer.type);
    const std::int64_t step = each * static_cast<std::int64_t>(content_.channels.size());
    const Index together = std::clamp<Index>(piece_of(file_.size()) / step, 1, count);
    std::vector<char> bytes(static_cast<std::size_t>(together * step));
    for (Index row = 0; row < count; row += together) {
      const Index rows = std::min(together, count - row);
      file_.read(buffer.offset + ((from + row) * step), std::span(bytes).first(static_cast<std::size_t>(rows * step)));
      for (Index r = 0; r < rows; ++r) {
        for (std::size_t k = 0; k < columns.size(); ++k) {
          const char* number = bytes.data() + (r * step) + (static_cast<std::int64_t>(columns[k]) * each);
          into(row + r, static_cast<Index>(k)) =
              static_cast<float>(content_.channels[columns[k]].gain * fif_number(buffer.type, number));
        }
      }
    }
  }

  void read_triggers(std::size_t column, std::vector<RecordingEvent>& events, std::vector<std::string>& notes) const {
    const std::size_t most = most_events(file_.size());
    constexpr Index together = 65536;
    SampleMatrix piece;
    long before = 0;
    for (const RecordingSegment& segment : header_.segments) {
      for (Index row = 0; row < segment.samples; row += together) {
        piece.resize(std::min(together, segment.samples - row), 1);
        read_columns({&column, 1}, segment.first_sample + row, piece);
        for (Index t = 0; t < piece.rows(); ++t) {
          const long value = std::lround(std::isfinite(piece(t, 0)) ? std::clamp(piece(t, 0), -1e9F, 1e9F) : 0);
          if (value == std::exchange(before, value) || value == 0) continue;
          if (events.size() >= most) {
            notes.push_back("channel " + content_.channels[column].name +
                            " changes more often than triggers do; only its first " + std::to_string(most) +
                            " changes are reported");
            return;
          }
          const double onset = static_cast<double>(row + t) / header_.sampling_frequency.value;
          events.push_back({segment.onset + Seconds{onset}, {}, std::to_string(value)});
        }
      }
    }
  }

  SampleFile file_;
  FifContent content_;
  std::vector<std::size_t> columns_;  // of the signals, as stored
};

}  // namespace

RecordingFormat fif_format() {
  return {"FIF", {".fif"}, {}, looks_like_fif, [](const fs::path& path) {
            return std::unique_ptr<const RecordingSource>(std::make_unique<FifSource>(path));
          }};
}

}  // namespace heed::io
