// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <io/edf/edf_header.h>
#include <io/recording/recording_format.h>
#include <io/tsv.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace heed::io {
namespace {

constexpr char text_end = '\x14';
constexpr char duration_mark = '\x15';

// Gives `use(record, bytes)` one signal of every record. Small records are fetched many at a time, of large ones only
// the signal's own bytes.
template <typename Use>
void for_each_record(const SampleFile& file, const EdfLayout& layout, const EdfSignal& signal, Use&& use) {
  constexpr std::int64_t small_record = 1 << 14;
  constexpr std::int64_t piece = 1 << 18;
  const std::int64_t length = signal.samples * layout.sample_bytes();
  const bool whole = layout.record_bytes <= small_record;
  const std::int64_t together = whole ? std::min(piece / layout.record_bytes, layout.records) : 1;
  std::string bytes(static_cast<std::size_t>(whole ? together * layout.record_bytes : length), '\0');
  for (std::int64_t record = 0; record < layout.records; record += together) {
    const std::int64_t count = std::min(together, layout.records - record);
    const auto wanted = static_cast<std::size_t>(whole ? count * layout.record_bytes : length);
    file.read(layout.offset_of(record) + (whole ? 0 : signal.position), std::span(bytes).first(wanted));
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t at = whole ? k * layout.record_bytes + signal.position : 0;
      use(record + k, std::string_view(bytes).substr(static_cast<std::size_t>(at), static_cast<std::size_t>(length)));
    }
  }
}

const EdfSignal* first_annotations(const EdfLayout& layout) noexcept {
  const auto found = std::ranges::find(layout.signals, EdfSignalKind::annotations, &EdfSignal::kind);
  return found == layout.signals.end() ? nullptr : &*found;
}

// When the record began, by the first annotation of its first list.
std::optional<double> record_onset(std::string_view bytes) noexcept {
  EdfAnnotationReader reader(bytes);
  if (!reader.next() || !reader.annotation().text.empty()) return std::nullopt;
  return reader.annotation().onset;
}

std::string at_seconds(double seconds) { return data::shown(seconds) + " s"; }

// When the first record began, in seconds after the header's start; 0 where no annotation says so.
double first_record_onset(const SampleFile& file, const EdfLayout& layout) {
  const EdfSignal* const signal = first_annotations(layout);
  if (signal == nullptr) return 0;
  std::string bytes(static_cast<std::size_t>(signal->samples * layout.sample_bytes()), '\0');
  file.read(layout.offset_of(0) + signal->position, bytes);
  return record_onset(bytes).value_or(0);
}

// Collects segments record by record.
class SegmentBuilder {
 public:
  SegmentBuilder(const EdfLayout& layout, std::int64_t samples_a_record)
      : layout_(&layout),
        samples_(samples_a_record),
        tolerance_(0.5 * layout.record_seconds / static_cast<double>(samples_a_record)) {}

  void add(std::int64_t record, double onset) {
    if (segments_.empty()) first_ = onset;
    onset -= first_;
    const double due = segments_.empty() ? 0 : end();
    if (onset < due - tolerance_) {
      throw Error(ErrorKind::bad_data, "byte " + std::to_string(layout_->offset_of(record) + 1) + ": record " +
                                           std::to_string(record + 1) + " begins at " + at_seconds(onset) +
                                           ", but the one before ends at " + at_seconds(due) +
                                           "; the annotations are damaged");
    }
    if (segments_.empty() || onset > due + tolerance_) segments_.push_back({Seconds{onset}, record * samples_, 0});
    segments_.back().samples += samples_;
  }
  [[nodiscard]] std::vector<RecordingSegment> take() { return std::move(segments_); }

 private:
  [[nodiscard]] double end() const {
    const RecordingSegment& last = segments_.back();
    const std::int64_t records = last.samples / samples_;  // whole ones
    return last.onset.value + static_cast<double>(records) * layout_->record_seconds;
  }

  const EdfLayout* layout_;
  std::int64_t samples_;
  double tolerance_;
  double first_ = 0;
  std::vector<RecordingSegment> segments_;
};

std::size_t add_annotations(const SampleFile& file, const EdfLayout& layout, const EdfSignal& signal,
                            EventList& events) {
  const double first = first_record_onset(file, layout);
  std::size_t damaged = 0;
  for_each_record(file, layout, signal, [&](std::int64_t /*record*/, std::string_view bytes) {
    EdfAnnotationReader reader(bytes);
    while (reader.next()) {
      const EdfAnnotation& found = reader.annotation();
      if (!found.text.empty()) events.add(found.onset - first, found.duration, clean_text(found.text));
    }
    damaged += reader.damaged();
  });
  return damaged;
}

// The low 16 bits of a sample are the trigger lines; the others are the amplifier's own.
std::uint32_t trigger(std::string_view bytes, std::int64_t index, std::int64_t sample_bytes) noexcept {
  const auto at = static_cast<std::size_t>(index * sample_bytes);
  return static_cast<unsigned char>(bytes[at]) |
         (static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + 1])) << 8U);
}

// Turns rises of a status channel into events, record by record.
class TriggerFinder {
 public:
  TriggerFinder(const EdfLayout& layout, const EdfSignal& signal, const std::vector<RecordingSegment>& segments)
      : layout_(&layout),
        signal_(&signal),
        segments_(segments),
        segment_(segments_.begin()),
        samples_a_record_((segments.back().first_sample + segments.back().samples) / layout.records) {}

  void take(std::int64_t record, std::string_view bytes, EventList& events) {
    while (std::next(segment_) != segments_.end() && std::next(segment_)->first_sample <= record * samples_a_record_) {
      ++segment_;
    }
    const std::int64_t before_it = (record - segment_->first_sample / samples_a_record_) * signal_->samples;
    for (std::int64_t i = 0; i < signal_->samples; ++i) {
      const std::uint32_t value = trigger(bytes, i, layout_->sample_bytes());
      if (value > before_) {
        const double records = static_cast<double>(before_it + i) / static_cast<double>(signal_->samples);
        events.add(segment_->onset.value + records * layout_->record_seconds, 0, std::to_string(value));
      }
      before_ = value;
    }
  }

 private:
  static constexpr std::uint32_t largest = 0xffffU;

  const EdfLayout* layout_;
  const EdfSignal* signal_;
  std::span<const RecordingSegment> segments_;
  std::span<const RecordingSegment>::iterator segment_;
  std::int64_t samples_a_record_;
  std::uint32_t before_ = largest;  // what a recording begins with is no rise
};

// Stretches of records that follow on one another. One for files that are not discontinuous. Throws bad_data for a
// discontinuous file whose record does not say when it began, or began before the one before ended.
std::vector<RecordingSegment> edf_segments(const SampleFile& file, const EdfLayout& layout,
                                           std::int64_t samples_a_record) {
  if (!layout.discontinuous) return {{Seconds{0}, 0, layout.records * samples_a_record}};
  const EdfSignal* const signal = first_annotations(layout);
  if (signal == nullptr) {
    throw Error(
        ErrorKind::bad_data,
        "byte 193: the file says it is discontinuous, but has no annotation channel that tells when records begin");
  }
  SegmentBuilder builder(layout, samples_a_record);
  for_each_record(file, layout, *signal, [&](std::int64_t record, std::string_view bytes) {
    const auto onset = record_onset(bytes);
    if (!onset) {
      throw Error(ErrorKind::bad_data, "byte " + std::to_string(layout.offset_of(record) + signal->position + 1) +
                                           ": record " + std::to_string(record + 1) +
                                           " of a discontinuous file does not say when it began");
    }
    builder.add(record, *onset);
  });
  return builder.take();
}

// Annotations, and rising changes of the low 16 bits of status channels; on the clock of the segments.
std::vector<RecordingEvent> edf_events(const SampleFile& file, const EdfLayout& layout,
                                       const std::vector<RecordingSegment>& segments, std::vector<std::string>& notes) {
  EventList events(most_events(file.size()));
  std::size_t damaged = 0;
  for (const EdfSignal& signal : layout.signals) {
    if (signal.kind == EdfSignalKind::annotations) damaged += add_annotations(file, layout, signal, events);
    if (signal.kind == EdfSignalKind::status) {
      TriggerFinder finder(layout, signal, segments);
      for_each_record(file, layout, signal,
                      [&](std::int64_t record, std::string_view bytes) { finder.take(record, bytes, events); });
    }
  }
  if (damaged > 0) notes.push_back(std::to_string(damaged) + " annotations are damaged and left out");
  return events.take(notes);
}

class EdfSource final : public RecordingSource {
 public:
  explicit EdfSource(const std::filesystem::path& path) : file_(path), layout_(read_edf_layout(file_)) { describe(); }

  [[nodiscard]] Index samples_of(std::size_t channel) const override {
    return layout_.records * signal(channel).samples;
  }
  void read_samples(std::span<const std::size_t> channels, Index first, SampleMatrix& into) const override {
    std::vector<RecordSignal> wanted;
    for (const std::size_t channel : channels) wanted.push_back(signal(channel));
    read_record_samples(file_, layout_, wanted, first, into);
  }

 protected:
  [[nodiscard]] std::vector<RecordingEvent> read_events(std::vector<std::string>& notes) const override {
    return edf_events(file_, layout_, header_.segments, notes);
  }

 private:
  [[nodiscard]] const EdfSignal& signal(std::size_t channel) const { return layout_.signals[signals_[channel]]; }
  void describe();

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

}  // namespace

bool EdfAnnotationReader::next_list() noexcept {
  while (true) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of('\0'), rest_.size()));
    if (rest_.empty()) return false;
    const std::string_view list = rest_.substr(0, rest_.find('\0'));
    rest_.remove_prefix(list.size());
    const std::size_t stamp_end = list.find(text_end);
    const std::string_view stamp = list.substr(0, stamp_end);
    const std::size_t mark = stamp.find(duration_mark);
    const auto onset = parse_number(stamp.substr(0, mark));
    const auto duration = mark == std::string_view::npos ? std::optional(0.0) : parse_number(stamp.substr(mark + 1));
    const bool signed_onset = stamp.starts_with('+') || stamp.starts_with('-');
    if (!signed_onset || !onset || !duration || *duration < 0 || !list.ends_with(text_end)) {
      ++damaged_;
      continue;
    }
    annotation_ = {*onset, *duration, {}};
    texts_ = list.substr(stamp_end + 1);
    return true;
  }
}

bool EdfAnnotationReader::next() noexcept {
  if (texts_.empty()) {
    if (!next_list()) return false;
    if (texts_.empty()) return true;  // a list that ends with its stamp keeps the time, too
  }
  const std::size_t end = texts_.find(text_end);
  annotation_.text = texts_.substr(0, end);
  texts_.remove_prefix(end + 1);
  return true;
}

RecordingFormat edf_format() {
  return {"BDF and EDF", {".bdf", ".edf"}, {}, looks_like_edf, [](const std::filesystem::path& path) {
            return std::unique_ptr<const RecordingSource>(std::make_unique<EdfSource>(path));
          }};
}

}  // namespace heed::io
