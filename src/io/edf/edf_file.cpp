// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/edf/edf_events.h>
#include <io/edf/edf_header.h>
#include <io/recording/recording_source.h>
#include <io/recording/sample_decoding.h>

#include <algorithm>
#include <cmath>
#include <future>

namespace heed::io {
namespace {

// Rows of the matrix that come from records [first, last).
struct RecordRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class EdfSource final : public RecordingSource {
 public:
  explicit EdfSource(const std::filesystem::path& path) : file_(path), layout_(read_edf_layout(file_)) { describe(); }

  [[nodiscard]] Index samples_of(std::size_t channel) const override {
    return layout_.records * signal(channel).samples;
  }
  void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const override;

 protected:
  [[nodiscard]] std::vector<RecordingEvent> take_events(std::vector<std::string>& notes) override {
    return edf_events(file_, layout_, header_.segments, notes);
  }

 private:
  [[nodiscard]] const EdfSignal& signal(std::size_t channel) const { return layout_.signals[signals_[channel]]; }
  void describe();
  void read_records(std::span<const std::size_t> channels, Index first, RecordRange records, SampleMatrix& into) const;
  void read_whole(std::span<const std::size_t> channels, Index first, RecordRange records, SampleMatrix& into) const;
  void read_slices(std::span<const std::size_t> channels, Index first, RecordRange records, SampleMatrix& into) const;
  void decode(std::span<const ChannelBytes> sources, Index row, Index count, SampleMatrix& into) const {
    const Encoding encoding = layout_.sample_bytes == 3 ? Encoding::int24 : Encoding::int16;
    decode_channels(encoding, sources, {into.row(row).data(), into.cols(), count});
  }

  SampleFile file_;
  EdfLayout layout_;
  std::vector<std::size_t> signals_;  // of each channel
};

// Adds the fraction of a second that EDF+ keeps in the first annotation.
LocalTime shifted(LocalTime start, double seconds) {
  if (seconds > 0 && seconds < 1) start.microsecond = static_cast<int>(std::lround(seconds * 1e6)) % 1'000'000;
  return start;
}

void EdfSource::describe() {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < layout_.signals.size(); ++i) {
    const EdfSignal& found = layout_.signals[i];
    if (found.kind != EdfSignalKind::signal) continue;
    signals_.push_back(i);
    header_.channels.push_back(
        {found.name, found.unit, Hertz{static_cast<double>(found.samples) / layout_.record_seconds}});
    most = std::max(most, found.samples);
  }
  header_.format = layout_.format;
  header_.sampling_frequency = Hertz{static_cast<double>(most) / layout_.record_seconds};
  header_.samples = layout_.records * most;
  header_.segments = edf_segments(file_, layout_, most);
  header_.notes = layout_.notes;
  if (layout_.start) header_.start = time_text(shifted(*layout_.start, first_record_onset(file_, layout_)));
  if (header_.segments.size() > 1) {
    header_.notes.push_back("the recording is discontinuous: " + std::to_string(header_.segments.size()) +
                            " segments with pauses between them; read it segment by segment");
  }
}

// Rows of the matrix for one record: samples [from, to) of it, wanted from `first` of the recording on.
struct Rows {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

Rows rows_of(std::int64_t record, std::int64_t samples, Index first, const SampleMatrix& into) {
  return {std::max<std::int64_t>(first - record * samples, 0),
          std::min<std::int64_t>(first + into.rows() - record * samples, samples)};
}

void EdfSource::read_whole(std::span<const std::size_t> channels, Index first, RecordRange records,
                           SampleMatrix& into) const {
  const std::int64_t samples = signal(channels.front()).samples;
  const std::int64_t together =
      std::clamp<std::int64_t>(piece_of(file_.size()) / layout_.record_bytes, 1, records.last - records.first);
  std::vector<char> bytes(static_cast<std::size_t>(together * layout_.record_bytes) + 1);
  std::vector<ChannelBytes> sources(channels.size());
  for (std::int64_t next = records.first; next < records.last; next += together) {
    const std::int64_t end = std::min(next + together, records.last);
    file_.read(layout_.offset_of(next),
               std::span(bytes).first(static_cast<std::size_t>((end - next) * layout_.record_bytes)));
    for (std::int64_t record = next; record < end; ++record) {
      const Rows rows = rows_of(record, samples, first, into);
      const char* const begin =
          bytes.data() + (record - next) * layout_.record_bytes + rows.from * layout_.sample_bytes;
      for (std::size_t c = 0; c < channels.size(); ++c) {
        const EdfSignal& source = signal(channels[c]);
        sources[c] = {begin + source.position, source.gain, source.offset};
      }
      decode(sources, record * samples + rows.from - first, rows.to - rows.from, into);
    }
  }
}

// For few channels of many, and records too large to be held.
void EdfSource::read_slices(std::span<const std::size_t> channels, Index first, RecordRange records,
                            SampleMatrix& into) const {
  const std::int64_t samples = signal(channels.front()).samples;
  const auto width = static_cast<std::int64_t>(channels.size()) * layout_.sample_bytes;
  const std::int64_t slice = std::clamp<std::int64_t>(piece_of(file_.size()) / width, 1, samples);
  std::vector<char> bytes(static_cast<std::size_t>(slice * width) + 1);
  std::vector<ChannelBytes> sources(channels.size());
  for (std::int64_t record = records.first; record < records.last; ++record) {
    const Rows rows = rows_of(record, samples, first, into);
    for (std::int64_t from = rows.from; from < rows.to; from += slice) {
      const std::int64_t count = std::min(slice, rows.to - from);
      const auto length = static_cast<std::size_t>(count * layout_.sample_bytes);
      for (std::size_t c = 0; c < channels.size(); ++c) {
        const EdfSignal& source = signal(channels[c]);
        const auto mine = std::span(bytes).subspan(c * length, length);
        file_.read(layout_.offset_of(record) + source.position + from * layout_.sample_bytes, mine);
        sources[c] = {mine.data(), source.gain, source.offset};
      }
      decode(sources, record * samples + from - first, count, into);
    }
  }
}

void EdfSource::read_records(std::span<const std::size_t> channels, Index first, RecordRange records,
                             SampleMatrix& into) const {
  constexpr std::int64_t small_record = 1 << 14;  // a few pages: skipping within it saves nothing
  const auto wanted =
      static_cast<std::int64_t>(channels.size()) * signal(channels.front()).samples * layout_.sample_bytes;
  const bool most_of_it = layout_.record_bytes <= small_record || 2 * wanted >= layout_.record_bytes;
  if (most_of_it && layout_.record_bytes <= piece_of(file_.size())) {
    read_whole(channels, first, records, into);
  } else {
    read_slices(channels, first, records, into);
  }
}

void EdfSource::read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const {
  const std::int64_t samples = signal(channels.front()).samples;
  const RecordRange all{first / samples, (first + into.rows() - 1) / samples + 1};
  // Two threads fill different rows. For less than some megabytes starting the second costs more than it saves.
  constexpr std::int64_t worth_sharing = std::int64_t{8} << 20U;
  if ((all.last - all.first) * layout_.record_bytes < worth_sharing || all.last - all.first < 2) {
    read_records(channels, first, all, into);
    return;
  }
  const std::int64_t middle = (all.first + all.last) / 2;
  auto other = std::async(std::launch::async, [&] { read_records(channels, first, {middle, all.last}, into); });
  read_records(channels, first, {all.first, middle}, into);
  other.get();
}

}  // namespace

std::unique_ptr<RecordingSource> open_edf(const std::filesystem::path& path) {
  return std::make_unique<EdfSource>(path);
}

}  // namespace heed::io
