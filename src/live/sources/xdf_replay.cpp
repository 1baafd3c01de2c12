// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/xdf/xdf_run.h>
#include <live/sources/open_source.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heed::live {
namespace {

// A stream of the file on its way: EEG, or a speaker's sound.
struct Lane {
  std::size_t stream = 0;
  Hertz rate{};
  std::vector<io::XdfSegment> segments{};
  std::size_t segment = 0;
  Index sent = 0;  // samples of the segment
  bool ended = false;
};

Block control(BlockKind kind, Seconds stamp, std::string text = "", Speaker speaker = unknown_speaker) {
  Block block;
  block.kind = kind;
  block.stamp = stamp;
  block.text = std::move(text);
  block.speaker = speaker;
  return block;
}

class XdfReplay final : public Source {
 public:
  XdfReplay(const SourceRequest& request, const io::XdfRules& rules)
      : file_(io::XdfFile::open(request.address.path)), plan_(io::plan_xdf(file_, rules)), block_(request.block) {
    describe(request.address.text);
    add_controls();
  }

  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  [[nodiscard]] bool is_stored() const noexcept override { return true; }

  Arrival next(Block& block, Seconds) override {
    std::size_t chosen = lanes_.size();
    Seconds earliest{std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      if (lanes_[k].ended || !(end_of_next(lanes_[k]) < earliest)) continue;
      chosen = k;
      earliest = end_of_next(lanes_[k]);
    }
    if (!controls_.empty() && (chosen == lanes_.size() || *controls_.back().stamp < earliest)) {
      block = std::move(controls_.back());
      controls_.pop_back();
      return Arrival::block;
    }
    if (chosen == lanes_.size()) return Arrival::ended;
    send(chosen, block);
    return Arrival::block;
  }

 private:
  void describe(const std::string& name) {
    std::vector<std::string> ignored;
    const io::XdfHeader& eeg = file_.streams()[plan_.eeg].header;
    description_.name = name;
    description_.stored = true;
    description_.sampling_frequency = eeg.sampling_frequency;
    description_.channels = io::channel_names(eeg, ignored);
    const std::string unit = eeg.described.empty() ? "" : io::eeg_unit(eeg.described.front().unit);
    description_.unit = unit.empty() ? "uV" : unit;
    add_lane(plan_.eeg);
    for (const io::XdfVoice& voice : plan_.voices) {
      auto speaker = std::ranges::find(description_.speakers, voice.speaker);
      if (speaker == description_.speakers.end()) speaker = description_.speakers.insert(speaker, voice.speaker);
      description_.feeds.push_back({static_cast<Speaker>(speaker - description_.speakers.begin()),
                                    voice.is_envelope ? FeedKind::envelope : FeedKind::audio,
                                    file_.streams()[voice.stream].header.sampling_frequency});
      add_lane(voice.stream);
    }
    description_.named_trials = lanes_.front().segments.size() > 1;
  }

  void add_lane(std::size_t stream) {
    const io::XdfStream& described = file_.streams()[stream];
    lanes_.push_back({.stream = stream, .rate = described.header.sampling_frequency, .segments = described.segments});
  }

  // By time, the next one last.
  void add_controls() {
    for (const io::XdfMarker& marker : plan_.markers) {
      controls_.push_back(control(BlockKind::marker, marker.time, marker.text));
      const auto attended = io::meaning_of(marker.text, plan_.attention);
      if (!attended) continue;
      const auto speaker = std::ranges::find(description_.speakers, *attended);
      const bool known = speaker != description_.speakers.end();
      description_.labelled = description_.labelled || known;
      controls_.push_back(
          control(BlockKind::attended, marker.time, "",
                  known ? static_cast<Speaker>(speaker - description_.speakers.begin()) : unknown_speaker));
    }
    if (description_.named_trials) {
      for (std::size_t k = 0; k < lanes_.front().segments.size(); ++k) {
        controls_.push_back(
            control(BlockKind::trial, lanes_.front().segments[k].onset, "part-" + std::to_string(k + 1)));
      }
    }
    std::ranges::stable_sort(controls_, {}, [](const Block& block) { return block.stamp->value; });
    std::ranges::reverse(controls_);
  }

  [[nodiscard]] Index rows_of_next(const Lane& lane) const {
    const Index usual = std::max<Index>(1, static_cast<Index>(block_ * lane.rate));
    return std::min(usual, lane.segments[lane.segment].samples - lane.sent);
  }

  [[nodiscard]] Seconds end_of_next(const Lane& lane) const {
    if (lane.segment == lane.segments.size()) return lane.segments.back().end();
    return lane.segments[lane.segment].at(static_cast<double>(lane.sent + rows_of_next(lane)));
  }

  void send(std::size_t chosen, Block& block) {
    Lane& lane = lanes_[chosen];
    block.feed = static_cast<Index>(chosen) - 1;
    block.samples.clear();
    block.values.clear();
    block.rows = 0;
    if (lane.segment == lane.segments.size()) {
      lane.ended = true;
      block.kind = BlockKind::feed_end;
      block.stamp.reset();
      return;
    }
    const io::XdfSegment& segment = lane.segments[lane.segment];
    block.kind = chosen == 0 ? BlockKind::eeg : BlockKind::sound;
    block.rows = rows_of_next(lane);
    block.stamp = segment.at(static_cast<double>(lane.sent));
    chosen == 0 ? fill_eeg(lane, segment, block) : fill_sound(lane, segment, plan_.voices[chosen - 1], block);
    lane.sent += block.rows;
    if (lane.sent < segment.samples) return;
    ++lane.segment;
    lane.sent = 0;
    lane.ended = chosen == 0 && lane.segment == lane.segments.size();
  }

  void fill_eeg(const Lane& lane, const io::XdfSegment& segment, Block& block) {
    samples_.resize(block.rows, samples_.cols());
    file_.read(lane.stream, segment.first_sample + lane.sent, samples_);
    block.samples.assign(samples_.data(), samples_.data() + samples_.size());
  }

  void fill_sound(const Lane& lane, const io::XdfSegment& segment, const io::XdfVoice& voice, Block& block) {
    values_.resize(block.rows, values_.cols());
    file_.read(lane.stream, segment.first_sample + lane.sent, values_);
    for (Index row = 0; row < block.rows; ++row) {
      const double value = voice.scale * values_(row, voice.channel);
      voice.is_envelope ? block.values.push_back(value) : block.samples.push_back(static_cast<float>(value));
    }
  }

  io::XdfFile file_;
  io::XdfPlan plan_;
  Seconds block_;
  StreamDescription description_{};
  std::vector<Lane> lanes_{};      // 0: EEG, then voices
  std::vector<Block> controls_{};  // the next one last
  SampleMatrix samples_{};
  Matrix values_{};
};

io::XdfRules rules_of(const Address& address) {
  io::XdfRules rules;
  if (const auto eeg = address.options.find("eeg"); eeg != address.options.end()) rules.eeg = eeg->second;
  const auto speakers = address.options.find("speakers");
  if (speakers != address.options.end()) rules.speakers = io::parse_speaker_rules(speakers->second);
  return rules;
}

}  // namespace

std::unique_ptr<Source> open_xdf(const SourceRequest& request) {
  return with_sound_files(std::make_unique<XdfReplay>(request, rules_of(request.address)), request);
}

}  // namespace heed::live
