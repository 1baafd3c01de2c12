// SPDX-License-Identifier: MIT
// EEG, sound and markers from the lab streaming layer. Stamps are brought to this computer's clock by the library's own
// time correction, and the session's referee has the last word. A stream that vanishes is received again when it comes
// back, whatever its uid is by then.
#include <heed/data/error.h>
#include <io/recording/header_text.h>
#include <io/xdf/xdf_plan.h>
#include <live/lsl/lsl_streams.h>
#include <live/sources/open_source.h>
#include <live/sources/threaded_source.h>
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

namespace heed::live {
namespace {

constexpr Seconds found_within{1};     // streams answer at once, or are not there yet
constexpr Seconds waited_for{10};      // for a stream that is not there; option timeout
constexpr Seconds answered_within{5};  // by a stream that was found
constexpr Seconds between_pulls{0.001};
constexpr Seconds suspicious{3};  // silence after which a stream is looked for under another uid
constexpr Seconds given_up{30};   // after so long without EEG the stream has ended
constexpr Seconds kept{10};
constexpr Seconds split_at{0.05};  // stamps within a chunk that jump by more begin a block of their own

bool is_of_type(const LslStream& stream, std::string_view type) { return io::equal_ignoring_case(stream.type, type); }

bool is_numbers(const LslStream& stream) { return stream.format != lsl_text && stream.sampling_frequency.value > 0; }

std::string names_of(const std::vector<LslStream>& streams) {
  std::string names;
  for (const LslStream& stream : streams) {
    names += (names.empty() ? "" : ", ") + ("'" + stream.name + "' (" + stream.type + ")");
  }
  return names.empty() ? "no stream is there at all" : "there are " + names;
}

std::string option(const Address& address, const std::string& key) {
  const auto found = address.options.find(key);
  return found == address.options.end() ? "" : found->second;
}

// An inlet, and what its columns are.
struct Feed {
  Speaker speaker = 0;
  Index column = 0;
  bool is_envelope = false;
  float scale = 1;
};
struct Lane {
  std::unique_ptr<LslInlet> inlet{};
  std::vector<Feed> feeds{};  // none: EEG or markers
  Index first_feed = 0;       // of the description
  std::chrono::steady_clock::time_point looked{};
};

// Which streams there are, and which were asked for.
class Choice {
 public:
  Choice(LslPointer library, const SourceRequest& request) : library_(std::move(library)), request_(request) {
    const double patience = number_option(request.address, "timeout").value_or(waited_for.value);
    const auto start = std::chrono::steady_clock::now();
    for (bool told = false;; told = true) {
      if (request.stop != nullptr && request.stop->load()) {
        throw Error(ErrorKind::io, "stopped while looking for " + request.address.text);
      }
      streams_ = find_lsl_streams(library_, found_within);
      if (eeg() != nullptr) return;
      if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() >= patience) break;
      if (!told && request.tell) request.tell("waiting for the EEG stream of " + request.address.text);
    }
    const std::string wanted =
        request.address.path.empty() ? "no EEG stream" : "no stream called '" + request.address.path + "'";
    throw Error(ErrorKind::not_found, request.address.text + ": " + wanted + " was found; " + names_of(streams_));
  }

  // nullptr: it is not there.
  [[nodiscard]] const LslStream* eeg() const {
    const LslStream* found = nullptr;
    for (const LslStream& stream : streams_) {
      const bool fits = request_.address.path.empty() ? is_of_type(stream, "EEG") || is_of_type(stream, "signal")
                                                      : stream.name == request_.address.path;
      if (!fits) continue;
      if (found != nullptr) {
        throw Error(ErrorKind::invalid_argument,
                    request_.address.text + ": several streams fit; name one; " + names_of(streams_));
      }
      found = &stream;
    }
    return found;
  }

  [[nodiscard]] const LslStream& named(const std::string& name) const {
    const auto found = std::ranges::find(streams_, name, &LslStream::name);
    if (found != streams_.end()) return *found;
    throw Error(ErrorKind::not_found,
                request_.address.text + ": no stream is called '" + name + "'; " + names_of(streams_));
  }

  [[nodiscard]] const std::vector<LslStream>& streams() const noexcept { return streams_; }

 private:
  LslPointer library_;
  const SourceRequest& request_;
  std::vector<LslStream> streams_{};
};

class LslReader final : public BlockReader {
 public:
  LslReader(const LslPointer& library, const SourceRequest& request) : library_(library), name_(request.address.text) {
    const Choice choice(library, request);
    open_eeg(*choice.eeg());
    const std::string speakers = option(request.address, "speakers");
    speakers.empty() ? open_typed_feeds(choice, request) : open_named_feeds(choice, speakers);
    const std::string markers = option(request.address, "markers");
    for (const LslStream& stream : choice.streams()) {
      const bool wanted = markers.empty() ? is_of_type(stream, "Markers") : stream.name == markers;
      if (wanted && stream.format == lsl_text && !stream.name.starts_with("heed-")) {
        markers_.push_back({std::make_unique<LslInlet>(library_, stream, answered_within)});
      }
    }
    if (!markers.empty() && markers_.empty()) (void)choice.named(markers);
  }

  [[nodiscard]] const StreamDescription& description() const override { return description_; }
  [[nodiscard]] SourceCounts counts() const noexcept override { return {.reconnects = reconnects_}; }

  void run(BlockQueue& queue, const Waker& waker) override {
    while (lanes_.front().inlet->silence() < given_up) {
      bool more = false;
      for (Lane& lane : lanes_) {
        if (!receive(lane, queue, more)) return;
      }
      for (Lane& lane : markers_) {
        if (!receive_markers(lane, queue)) return;
      }
      if (more) continue;
      if (wait_for(waker.descriptor(), POLLIN, waker, between_pulls) == Waited::woken) return;
    }
  }

 private:
  void open_eeg(const LslStream& stream) {
    if (!is_numbers(stream)) {
      throw Error(ErrorKind::bad_data,
                  name_ + ": the stream '" + stream.name + "' cannot be EEG: it has no numbers at a regular rate");
    }
    Lane& lane = lanes_.emplace_back();
    lane.inlet = std::make_unique<LslInlet>(library_, stream, answered_within);
    const auto channels = lane.inlet->channels(answered_within);
    std::vector<std::string> ignored;
    for (Index c = 0; c < stream.channels; ++c) {
      const std::string label = c < std::ssize(channels) ? channels[static_cast<std::size_t>(c)].label : "";
      description_.channels.push_back(label.empty() ? "ch" + std::to_string(c + 1) : label);
    }
    io::make_unique(description_.channels, ignored);
    const std::string unit = channels.empty() ? "" : io::eeg_unit(channels.front().unit);
    description_.name = name_;
    description_.unit = unit.empty() ? "uV" : unit;
    description_.sampling_frequency = stream.sampling_frequency;
  }

  void add_feed(Lane& lane, Index column, const std::string& speaker) {
    constexpr double slowest_sound = 1000;  // Hz; what is slower can only be an envelope
    const LslStream& stream = lane.inlet->stream();
    auto found = std::ranges::find(description_.speakers, speaker);
    if (found == description_.speakers.end()) found = description_.speakers.insert(found, speaker);
    Feed feed{.speaker = static_cast<Speaker>(found - description_.speakers.begin()), .column = column};
    feed.is_envelope = is_of_type(stream, "Envelope") || stream.sampling_frequency.value < slowest_sound;
    constexpr std::array<int, 8> bits{0, 0, 0, 0, 32, 16, 8, 64};  // of integers, by format
    const int wide =
        stream.format > 0 && stream.format < std::ssize(bits) ? bits[static_cast<std::size_t>(stream.format)] : 0;
    if (wide > 0 && !feed.is_envelope) feed.scale = std::ldexp(1.0F, 1 - wide);
    lane.feeds.push_back(feed);
    description_.feeds.push_back(
        {feed.speaker, feed.is_envelope ? FeedKind::envelope : FeedKind::audio, stream.sampling_frequency});
  }

  Lane& open_lane(const LslStream& stream) {
    if (!is_numbers(stream)) {
      throw Error(ErrorKind::bad_data,
                  name_ + ": the stream '" + stream.name + "' cannot be sound: it has no numbers at a regular rate");
    }
    Lane& lane = lanes_.emplace_back();
    lane.first_feed = std::ssize(description_.feeds);
    lane.inlet = std::make_unique<LslInlet>(library_, stream, answered_within);
    return lane;
  }

  // Every channel of type Audio or Envelope speaks, unless files do.
  void open_typed_feeds(const Choice& choice, const SourceRequest& request) {
    if (!request.sounds.empty()) return;
    for (const LslStream& stream : choice.streams()) {
      const bool speaks = is_of_type(stream, "Audio") || is_of_type(stream, "Envelope");
      if (!speaks || !is_numbers(stream) || stream.uid == choice.eeg()->uid) continue;
      Lane& lane = open_lane(stream);
      const auto channels = lane.inlet->channels(answered_within);
      for (Index c = 0; c < stream.channels; ++c) {
        const std::string label = c < std::ssize(channels) ? channels[static_cast<std::size_t>(c)].label : "";
        const std::string numbered = stream.name + (stream.channels > 1 ? "-" + std::to_string(c + 1) : "");
        add_feed(lane, c, label.empty() ? numbered : label);
      }
    }
  }

  // left:STREAM,right:STREAM#1
  void open_named_feeds(const Choice& choice, const std::string& speakers) {
    for (const io::SpeakerRule& rule : io::parse_speaker_rules(speakers)) {
      const LslStream& stream = choice.named(rule.stream);
      if (rule.channel.value_or(0) >= stream.channels) {
        throw Error(ErrorKind::invalid_argument,
                    name_ + ": the stream '" + rule.stream + "' has " + std::to_string(stream.channels) + " channels");
      }
      add_feed(open_lane(stream), rule.channel.value_or(0), rule.speaker);
    }
  }

  // False: nobody takes blocks any more. `more`: the library has more than it hands over at once.
  bool receive(Lane& lane, BlockQueue& queue, bool& more) {
    const Index rows = lane.inlet->pull(values_, times_);
    more = more || rows == LslInlet::rows_at_once;
    const double period = 1 / lane.inlet->stream().sampling_frequency.value;
    for (Index begin = 0; begin < rows;) {
      Index end = begin + 1;
      const auto time = [&](Index row) { return times_[static_cast<std::size_t>(row)]; };
      while (end < rows && std::abs(time(end) - time(end - 1) - period) < split_at.value) ++end;
      if (!hand_on(lane, begin, end, queue)) return false;
      begin = end;
    }
    if (rows == 0) look_again(lane);
    return true;
  }

  bool hand_on(const Lane& lane, Index begin, Index end, BlockQueue& queue) {
    const Index columns = lane.inlet->stream().channels;
    block_.stamp = Seconds{times_[static_cast<std::size_t>(begin)]};
    block_.rows = end - begin;
    if (lane.feeds.empty()) {
      block_.kind = BlockKind::eeg;
      block_.samples.assign(values_.begin() + begin * columns, values_.begin() + end * columns);
      return queue.put(block_);
    }
    for (std::size_t k = 0; k < lane.feeds.size(); ++k) {
      const Feed& feed = lane.feeds[k];
      block_.kind = BlockKind::sound;
      block_.stamp = Seconds{times_[static_cast<std::size_t>(begin)]};
      block_.rows = end - begin;
      block_.feed = lane.first_feed + static_cast<Index>(k);
      block_.samples.clear();
      block_.values.clear();
      for (Index row = begin; row < end; ++row) {
        const float value = values_[static_cast<std::size_t>(row * columns + feed.column)];
        feed.is_envelope ? block_.values.push_back(value) : block_.samples.push_back(feed.scale * value);
      }
      if (!queue.put(block_)) return false;
    }
    return true;
  }

  bool receive_markers(Lane& lane, BlockQueue& queue) {
    while (const auto marker = lane.inlet->pull_marker()) {
      block_.kind = BlockKind::marker;
      block_.stamp = marker->time;
      block_.rows = 0;
      block_.text = marker->text;
      if (!queue.put(block_)) return false;
      const auto attended = io::meaning_of(marker->text, io::own_attention_rules());
      if (!attended) continue;
      const auto speaker = std::ranges::find(description_.speakers, *attended);
      const bool known = speaker != description_.speakers.end();
      block_.kind = BlockKind::attended;
      block_.stamp = marker->time;
      block_.speaker = known ? static_cast<Speaker>(speaker - description_.speakers.begin()) : unknown_speaker;
      if (!queue.put(block_)) return false;
    }
    if (lane.inlet->lost()) look_again(lane);
    return true;
  }

  // The library finds a stream again by its source_id. One without, or with another one, is found by its name.
  void look_again(Lane& lane) {
    const auto now = std::chrono::steady_clock::now();
    const bool gone = lane.inlet->lost() || lane.inlet->silence() > suspicious;
    if (!gone || now - lane.looked < std::chrono::seconds(1)) return;
    lane.looked = now;
    const LslStream before = lane.inlet->stream();
    for (const LslStream& stream : find_lsl_streams(library_, Seconds{0.5})) {
      if (stream.name != before.name || (stream.uid == before.uid && !lane.inlet->lost())) continue;
      if (stream.channels != before.channels || stream.sampling_frequency != before.sampling_frequency) {
        throw Error(ErrorKind::bad_data,
                    name_ + ": the stream '" + stream.name + "' came back with other channels or another rate");
      }
      try {
        lane.inlet = std::make_unique<LslInlet>(library_, stream, answered_within);
        ++reconnects_;
        return;
      } catch (const Error&) {
        continue;  // it has gone again
      }
    }
  }

  LslPointer library_;
  std::string name_;
  StreamDescription description_{};
  std::vector<Lane> lanes_{};  // 0: EEG
  std::vector<Lane> markers_{};
  std::vector<float> values_{};
  std::vector<double> times_{};
  Block block_{};
  std::atomic<Index> reconnects_ = 0;
};

// At most: a block holds a sample or more, and all that came between two pulls.
double blocks_per_second(const StreamDescription& stream) {
  const auto of = [](Hertz rate) { return std::min(rate.value, 1 / between_pulls.value); };
  double sum = of(stream.sampling_frequency);
  for (const SoundFeed& feed : stream.feeds) sum += of(feed.sampling_frequency);
  return sum;
}

}  // namespace

std::unique_ptr<Source> open_lsl(const SourceRequest& request) {
  auto reader = std::make_unique<LslReader>(LslLibrary::open(request.lsl_library), request);
  const auto places = static_cast<std::size_t>(std::ceil(kept.value * blocks_per_second(reader->description())));
  return with_sound_files(
      std::make_unique<ThreadedSource>(std::move(reader), std::max<std::size_t>(places, 64), WhenFull::drop_oldest),
      request);
}

}  // namespace heed::live
