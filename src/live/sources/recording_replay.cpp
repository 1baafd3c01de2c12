// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/recording_file.h>
#include <live/sources/open_source.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace heed::live {
namespace {

constexpr Seconds at_once{10};  // of EEG, read from the file

class RecordingReplay final : public Source {
 public:
  explicit RecordingReplay(const SourceRequest& request)
      : file_(io::RecordingFile::open(request.address.path)),
        header_(file_.header_with_events()),
        block_rows_(std::max<Index>(1, static_cast<Index>(request.block * header_.sampling_frequency))) {
    describe(request.address.text);
  }

  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  [[nodiscard]] bool is_stored() const noexcept override { return true; }

  Arrival next(Block& block, Seconds) override {
    if (segment_ == header_.segments.size()) return Arrival::ended;
    const RecordingSegment& segment = header_.segments[segment_];
    if (sent_ == 0 && description_.named_trials && !std::exchange(announced_, true)) {
      tell(block, BlockKind::trial, segment.onset, "part-" + std::to_string(segment_ + 1));
      return Arrival::block;
    }
    const Index rows = std::min(block_rows_, segment.samples - sent_);
    if (event_ < header_.events.size() && header_.events[event_].onset < time_of(sent_ + rows)) {
      const RecordingEvent& event = header_.events[event_++];
      tell(block, BlockKind::marker, event.onset, event.description);
      return Arrival::block;
    }
    send_eeg(block, rows);
    if (sent_ == segment.samples) {
      ++segment_;
      sent_ = 0;
      announced_ = false;
      buffer_.resize(0, 0);
    }
    return Arrival::block;
  }

 private:
  // EEG is what has the rate and the unit of the first channel at the recording's rate: not a sensor of light or skin.
  void describe(const std::string& name) {
    description_.name = name;
    description_.stored = true;
    description_.sampling_frequency = header_.sampling_frequency;
    description_.unit.clear();
    for (const RecordedChannel& channel : header_.channels) {
      if (channel.sampling_frequency != header_.sampling_frequency) continue;
      if (description_.channels.empty()) description_.unit = channel.unit;
      if (channel.unit == description_.unit) description_.channels.push_back(channel.name);
    }
    const bool micro = description_.unit == "µV" || description_.unit == "μV";  // two letters that look the same
    if (micro || description_.unit.empty()) description_.unit = "uV";
    std::erase_if(header_.segments, [](const RecordingSegment& segment) { return segment.samples == 0; });
    description_.named_trials = header_.segments.size() > 1;
  }

  [[nodiscard]] Seconds time_of(Index sample) const {
    return header_.segments[segment_].onset + Seconds{static_cast<double>(sample) / header_.sampling_frequency.value};
  }

  static void tell(Block& block, BlockKind kind, Seconds stamp, const std::string& text) {
    block.kind = kind;
    block.stamp = stamp;
    block.rows = 0;
    block.text = text;
  }

  void send_eeg(Block& block, Index rows) {
    if (sent_ >= buffered_ + buffer_.rows() || buffer_.rows() == 0) read_on();
    rows = std::min(rows, buffered_ + buffer_.rows() - sent_);
    const Index columns = buffer_.cols();
    const float* first = buffer_.data() + ((sent_ - buffered_) * columns);
    block.kind = BlockKind::eeg;
    block.stamp = time_of(sent_);
    block.rows = rows;
    block.samples.assign(first, first + (rows * columns));
    sent_ += rows;
  }

  void read_on() {
    const Index more = std::min(static_cast<Index>(at_once * header_.sampling_frequency) + 1,
                                header_.segments[segment_].samples - sent_);
    // Half a sample early: neither end can be missed by rounding.
    const Seconds half{0.5 / header_.sampling_frequency.value};
    buffered_ = sent_;
    buffer_ = file_.read({description_.channels, time_of(sent_) - half, time_of(sent_ + more) - half}).samples;
  }

  io::RecordingFile file_;
  RecordingHeader header_;
  Index block_rows_;
  StreamDescription description_{};
  std::size_t segment_ = 0;
  std::size_t event_ = 0;
  bool announced_ = false;  // the segment
  Index sent_ = 0;          // samples of the segment
  SampleMatrix buffer_{};   // of it, from buffered_ on
  Index buffered_ = 0;
};

}  // namespace

std::unique_ptr<Source> open_recording(const SourceRequest& request) {
  return with_sound_files(std::make_unique<RecordingReplay>(request), request);
}

}  // namespace heed::live
