// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <io/xdf/xdf_writer.h>
#include <live/sinks/xdf_recorder.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heed::live {
namespace {

constexpr Seconds between_boundaries{10};

io::XdfHeader eeg_header(const StreamDescription& stream) {
  io::XdfHeader header{.name = "heed-eeg", .type = "EEG", .source_id = "heed", .format = io::XdfFormat::float32};
  header.channels = std::ssize(stream.channels);
  header.sampling_frequency = stream.sampling_frequency;
  for (const std::string& channel : stream.channels) header.described.push_back({channel, stream.unit, "EEG"});
  return header;
}

io::XdfHeader feed_header(const StreamDescription& stream, const SoundFeed& feed) {
  const bool audio = feed.kind == FeedKind::audio;
  const std::string& speaker = stream.speakers[static_cast<std::size_t>(feed.speaker)];
  return {.name = "heed-" + std::string(audio ? "audio-" : "envelope-") + speaker,
          .type = audio ? "Audio" : "Envelope",
          .source_id = "heed",
          .format = audio ? io::XdfFormat::float32 : io::XdfFormat::double64,
          .channels = 1,
          .sampling_frequency = feed.sampling_frequency,
          .described = {{speaker, "", audio ? "Audio" : "Envelope"}}};
}

io::XdfHeader posterior_header(const StreamDescription& stream) {
  io::XdfHeader header{.name = "heed-posterior",
                       .type = "AttentionPosterior",
                       .source_id = "heed",
                       .format = io::XdfFormat::double64,
                       .channels = std::ssize(stream.speakers)};
  for (const std::string& speaker : stream.speakers) header.described.push_back({speaker, "", "Posterior"});
  return header;
}

}  // namespace

struct XdfRecorder::State {
  // Samples of a stream that are not in the file yet.
  template <typename Number>
  struct Lane {
    std::uint32_t stream = 0;
    Hertz rate{};
    Index channels = 1;
    Seconds begin{};  // of the stretch
    Index rows = 0;   // since then, in the file
    std::vector<Number> waiting{};
  };

  State(const std::filesystem::path& path, StreamDescription described) : stream(std::move(described)), writer(path) {
    eeg.stream = writer.add_stream(eeg_header(stream));
    eeg.rate = stream.sampling_frequency;
    eeg.channels = std::ssize(stream.channels);
    pause = Seconds{30};
    for (const SoundFeed& feed : stream.feeds) {
      const std::uint32_t id = writer.add_stream(feed_header(stream, feed));
      const bool audio = feed.kind == FeedKind::audio;
      audio_lanes.push_back({.stream = audio ? id : 0, .rate = feed.sampling_frequency});
      envelope_lanes.push_back({.stream = audio ? 0 : id, .rate = feed.sampling_frequency});
      pause = std::max(pause, Seconds{1000 / feed.sampling_frequency.value});
    }
    pause = std::max(pause, Seconds{1000 / stream.sampling_frequency.value});
    markers = writer.add_stream(
        {.name = "heed-markers", .type = "Markers", .source_id = "heed", .format = io::XdfFormat::text, .channels = 1});
    posterior = writer.add_stream(posterior_header(stream));
  }

  // On the file's clock, which never runs backwards: what begins anew does so behind a pause.
  Seconds placed(Seconds stamp) {
    if (std::exchange(begun_anew, false) && end && stamp + shift < *end + pause) shift = *end + pause - stamp;
    return stamp + shift;
  }

  template <typename Number>
  void begin(Lane<Number>& lane, Seconds stamp) {
    flush(lane);
    lane.begin = placed(stamp);
    lane.rows = 0;
  }

  template <typename Number>
  void flush(Lane<Number>& lane) {
    if (lane.waiting.empty()) return;
    const auto after = [&](Index rows) { return lane.begin + Seconds{static_cast<double>(rows) / lane.rate.value}; };
    writer.write(lane.stream, after(lane.rows), std::span<const Number>(lane.waiting));
    lane.rows += std::ssize(lane.waiting) / lane.channels;
    lane.waiting.clear();
    end = std::max(end.value_or(after(lane.rows)), after(lane.rows));
    if (!boundary) boundary = end;
    if (*end - *boundary < between_boundaries) return;
    writer.write_boundary();
    boundary = end;
  }

  // Without windows, as while the EEG is away, sound is written every second all the same.
  template <typename Number>
  void add(Lane<Number>& lane, std::span<const Number> values) {
    lane.waiting.insert(lane.waiting.end(), values.begin(), values.end());
    const Index rows = std::ssize(lane.waiting) / lane.channels;
    if (static_cast<double>(rows) >= lane.rate.value) flush(lane);
  }

  void flush_all() {
    flush(eeg);
    for (auto& lane : audio_lanes) flush(lane);
    for (auto& lane : envelope_lanes) flush(lane);
  }

  StreamDescription stream;
  io::XdfWriter writer;
  Lane<float> eeg{};
  std::vector<Lane<float>> audio_lanes{};  // one per feed; those of envelopes stay empty, and the other way round
  std::vector<Lane<double>> envelope_lanes{};
  std::uint32_t markers = 0;
  std::uint32_t posterior = 0;
  Seconds pause{};
  Seconds shift{};
  std::optional<Seconds> end{};  // of what was written
  bool begun_anew = false;
  std::optional<Seconds> boundary{};  // time of the last one
  Speaker attended = unknown_speaker;
  std::optional<Index> trial{};
};

XdfRecorder::XdfRecorder(const std::filesystem::path& path, const StreamDescription& stream) {
  if (stream.content != StreamContent::signals) {
    throw Error(ErrorKind::invalid_argument, "a stream of scores has no signals to record; write its posteriors");
  }
  state_ = std::make_unique<State>(path, stream);
}
XdfRecorder::~XdfRecorder() = default;

void XdfRecorder::eeg_begins(Seconds stamp) { state_->begin(state_->eeg, stamp); }

void XdfRecorder::sound_begins(Index feed, Seconds stamp) {
  const auto k = static_cast<std::size_t>(feed);
  const bool audio = state_->stream.feeds[k].kind == FeedKind::audio;
  audio ? state_->begin(state_->audio_lanes[k], stamp) : state_->begin(state_->envelope_lanes[k], stamp);
}

void XdfRecorder::restarts() {
  state_->flush_all();
  state_->begun_anew = true;
}

void XdfRecorder::eeg(std::span<const float> samples, Index) { state_->add(state_->eeg, samples); }

void XdfRecorder::audio(Index feed, std::span<const float> samples) {
  state_->add(state_->audio_lanes[static_cast<std::size_t>(feed)], samples);
}

void XdfRecorder::envelope(Index feed, std::span<const double> values) {
  state_->add(state_->envelope_lanes[static_cast<std::size_t>(feed)], values);
}

void XdfRecorder::decided(const Decision& decision) {
  State& state = *state_;
  state.flush_all();
  if (!decision.trial.empty() && state.trial != decision.trial_number) {
    state.writer.write(state.markers, decision.onset + state.shift, "trial/" + std::string(decision.trial));
  }
  if (state.trial != decision.trial_number) state.attended = unknown_speaker;
  state.trial = decision.trial_number;
  if (decision.attended != state.attended) {
    const bool known = decision.attended != unknown_speaker;
    const std::string name = known ? state.stream.speakers[static_cast<std::size_t>(decision.attended)] : "";
    state.writer.write(state.markers, decision.onset + state.shift, "attended/" + name);
    state.attended = decision.attended;
  }
  state.writer.write(state.posterior, decision.end + state.shift, decision.posterior);
}

void XdfRecorder::finish() {
  state_->flush_all();
  state_->writer.finish();
}

}  // namespace heed::live
