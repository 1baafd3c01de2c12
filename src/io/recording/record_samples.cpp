// SPDX-License-Identifier: MIT
#include <io/recording/record_samples.h>
#include <io/recording/recording_format.h>

#include <algorithm>
#include <future>
#include <vector>

namespace heed::io {
namespace {

// Rows of the matrix that come from records [first, last).
struct RecordRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class RecordReader {
 public:
  RecordReader(const SampleFile& file, const RecordLayout& layout, std::span<const RecordSignal> signals)
      : file_(file), layout_(layout), signals_(signals) {}

  void read(Index first, RecordRange records, SampleMatrix& into) const;

 private:
  void read_whole(Index first, RecordRange records, SampleMatrix& into) const;
  void read_slices(Index first, RecordRange records, SampleMatrix& into) const;
  void decode(std::span<const ChannelBytes> sources, Index row, Index count, SampleMatrix& into) const {
    decode_channels(layout_.encoding, sources, {into.row(row).data(), into.cols(), count});
  }

  const SampleFile& file_;
  const RecordLayout& layout_;
  std::span<const RecordSignal> signals_;
};

// Rows of the matrix for one record: samples [from, to) of it, wanted from `first` of the recording on.
struct Rows {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

Rows rows_of(std::int64_t record, std::int64_t samples, Index first, const SampleMatrix& into) {
  return {std::max<std::int64_t>(first - record * samples, 0),
          std::min<std::int64_t>(first + into.rows() - record * samples, samples)};
}

void RecordReader::read_whole(Index first, RecordRange records, SampleMatrix& into) const {
  const std::int64_t samples = signals_.front().samples;
  const std::int64_t together =
      std::clamp<std::int64_t>(piece_of(file_.size()) / layout_.record_bytes, 1, records.last - records.first);
  std::vector<char> bytes(static_cast<std::size_t>(together * layout_.record_bytes) + 1);
  std::vector<ChannelBytes> sources(signals_.size());
  for (std::int64_t next = records.first; next < records.last; next += together) {
    const std::int64_t end = std::min(next + together, records.last);
    file_.read(layout_.offset_of(next),
               std::span(bytes).first(static_cast<std::size_t>((end - next) * layout_.record_bytes)));
    for (std::int64_t record = next; record < end; ++record) {
      const Rows rows = rows_of(record, samples, first, into);
      const char* const begin =
          bytes.data() + (record - next) * layout_.record_bytes + rows.from * layout_.sample_bytes();
      for (std::size_t c = 0; c < signals_.size(); ++c) {
        const RecordSignal& source = signals_[c];
        sources[c] = {begin + source.position, source.gain, source.offset};
      }
      decode(sources, record * samples + rows.from - first, rows.to - rows.from, into);
    }
  }
}

// For few channels of many, and records too large to be held.
void RecordReader::read_slices(Index first, RecordRange records, SampleMatrix& into) const {
  const std::int64_t samples = signals_.front().samples;
  const auto width = static_cast<std::int64_t>(signals_.size()) * layout_.sample_bytes();
  const std::int64_t slice = std::clamp<std::int64_t>(piece_of(file_.size()) / width, 1, samples);
  std::vector<char> bytes(static_cast<std::size_t>(slice * width) + 1);
  std::vector<ChannelBytes> sources(signals_.size());
  for (std::int64_t record = records.first; record < records.last; ++record) {
    const Rows rows = rows_of(record, samples, first, into);
    for (std::int64_t from = rows.from; from < rows.to; from += slice) {
      const std::int64_t count = std::min(slice, rows.to - from);
      const auto length = static_cast<std::size_t>(count * layout_.sample_bytes());
      for (std::size_t c = 0; c < signals_.size(); ++c) {
        const RecordSignal& source = signals_[c];
        const auto mine = std::span(bytes).subspan(c * length, length);
        file_.read(layout_.offset_of(record) + source.position + from * layout_.sample_bytes(), mine);
        sources[c] = {mine.data(), source.gain, source.offset};
      }
      decode(sources, record * samples + from - first, count, into);
    }
  }
}

void RecordReader::read(Index first, RecordRange records, SampleMatrix& into) const {
  constexpr std::int64_t small_record = 1 << 14;  // a few pages: skipping within it saves nothing
  const auto wanted = static_cast<std::int64_t>(signals_.size()) * signals_.front().samples * layout_.sample_bytes();
  const bool most_of_it = layout_.record_bytes <= small_record || 2 * wanted >= layout_.record_bytes;
  if (most_of_it && layout_.record_bytes <= piece_of(file_.size())) {
    read_whole(first, records, into);
  } else {
    read_slices(first, records, into);
  }
}

}  // namespace

void read_record_samples(const SampleFile& file, const RecordLayout& layout, std::span<const RecordSignal> signals,
                         Index first, SampleMatrix& into) {
  const RecordReader reader(file, layout, signals);
  const std::int64_t samples = signals.front().samples;
  const RecordRange all{first / samples, (first + into.rows() - 1) / samples + 1};
  // Two threads fill different rows. For less than some megabytes starting the second costs more than it saves.
  constexpr std::int64_t worth_sharing = std::int64_t{8} << 20U;
  if ((all.last - all.first) * layout.record_bytes < worth_sharing || all.last - all.first < 2) {
    reader.read(first, all, into);
    return;
  }
  const std::int64_t middle = (all.first + all.last) / 2;
  auto other = std::async(std::launch::async, [&] { reader.read(first, {middle, all.last}, into); });
  reader.read(first, {all.first, middle}, into);
  other.get();
}

}  // namespace heed::io
