// SPDX-License-Identifier: MIT
#include <dsp/resample.h>
#include <heed/decode/window_sums.h>
#include <live/sources/stored_run.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace heed::live {
namespace {

constexpr Seconds eeg_at_once{10};
constexpr Seconds sound_at_once{10};

Index rows_of(const io::TrialPlan& trial, Hertz eeg_rate, Hertz rate) {
  const dsp::RateRatio ratio = dsp::rate_ratio(eeg_rate, rate);
  return trial.samples * ratio.up / ratio.down;
}

// Whether some window has a label, as the offline table asks.
bool has_label(const io::TrialPlan& trial, const RecordingHeader& header, const ReplayOptions& options) {
  Trial labelled{.sampling_frequency = options.rate};
  labelled.eeg.resize(rows_of(trial, header.sampling_frequency, options.rate), 0);
  labelled.attention = pipeline::attended_ranges(trial, options.rate, labelled.eeg.rows());
  const auto track = decode::attention_track(labelled, options.window);
  return std::ranges::any_of(track.attended, [](Speaker speaker) { return speaker != unknown_speaker; });
}

auto order_of(const SoundFeed& feed) { return std::tuple(feed.speaker, feed.kind, feed.sampling_frequency.value); }

SoundFeed feed_of(std::size_t speaker, const pipeline::RatedPieces& pieces) {
  return {static_cast<Speaker>(speaker), pieces.is_envelope ? FeedKind::envelope : FeedKind::audio, pieces.rate};
}

Block control(BlockKind kind, std::optional<Seconds> stamp) {
  Block block;
  block.kind = kind;
  block.stamp = stamp;
  return block;
}

}  // namespace

StoredSource::StoredSource(StoredRun run, ReplayOptions options) : run_(std::move(run)), options_(std::move(options)) {
  describe();
}

void StoredSource::describe() {
  description_.name = run_.name;
  description_.stored = true;
  description_.sampling_frequency = run_.header.sampling_frequency;
  description_.channels = run_.channels;
  description_.bad = run_.bad;
  for (const RecordedChannel& channel : run_.header.channels) {
    if (channel.name != run_.channels.front()) continue;
    const bool micro = channel.unit == "µV" || channel.unit == "μV";  // two letters that look the same
    description_.unit = micro ? "uV" : channel.unit;
  }
  for (const io::SpeakerPieces& speaker : run_.trials.front().speakers) description_.speakers.push_back(speaker.name);
  for (const io::TrialPlan& trial : run_.trials) {
    description_.named_trials = description_.named_trials || !trial.name.empty();
    description_.labelled = description_.labelled || has_label(trial, run_.header, options_);
    for (std::size_t s = 0; s < trial.speakers.size(); ++s) {
      for (const auto& pieces : pipeline::pieces_by_rate(*run_.sounds, trial.speakers[s])) {
        const SoundFeed feed = feed_of(s, pieces);
        if (std::ranges::find(description_.feeds, feed) == description_.feeds.end()) description_.feeds.push_back(feed);
      }
    }
  }
  std::ranges::sort(description_.feeds, {}, order_of);
}

void StoredSource::begin_feeds(const io::TrialPlan& trial, Index rows) {
  for (const SoundFeed& feed : description_.feeds) {
    const auto& speaker = trial.speakers[static_cast<std::size_t>(feed.speaker)];
    Stream& stream = streams_.emplace_back();
    stream.rate = feed.sampling_frequency;
    stream.timeline = pipeline::timeline_of(speaker, {trial.onset, rows}, options_.rate);
    stream.origin = stream.timeline.origin;
    for (auto& pieces : pipeline::pieces_by_rate(*run_.sounds, speaker)) {
      if (feed_of(static_cast<std::size_t>(feed.speaker), pieces) != feed) continue;
      stream.samples = stream.timeline.samples(options_.rate, stream.rate);
      stream.rows = stream.timeline.rows;
      stream.pieces = std::move(pieces);
    }
    if (feed.kind == FeedKind::envelope && stream.samples > 0) {
      stream.envelope = pipeline::envelope_as_given(*run_.sounds, stream.pieces, stream.timeline, stream.samples);
    }
  }
}

void StoredSource::begin_trial() {
  const io::TrialPlan& trial = run_.trials[trial_];
  const Hertz rate = run_.header.sampling_frequency;
  begun_ = true;
  control_.clear();
  control_.push_back(control(BlockKind::trial, trial.onset));
  control_.back().text = trial.name;
  const Seconds end = trial.onset + Seconds{static_cast<double>(trial.samples) / rate.value};
  control_.push_back(control(BlockKind::trial_end, end));
  for (const io::AttendedSpan& span : trial.attention) {
    control_.push_back(control(BlockKind::attended, span.onset));
    control_.back().speaker = span.speaker;
    control_.push_back(control(BlockKind::attended, span.onset + span.duration));
  }
  std::ranges::reverse(control_);
  const pipeline::RawStretch stretch = pipeline::stretch_of(trial, run_.header, options_.rate);
  streams_.clear();
  streams_.push_back({.origin = stretch.time, .rate = rate, .samples = stretch.samples});
  begin_feeds(trial, rows_of(trial, rate, options_.rate));
}

bool StoredSource::next_control(Block& block) {
  if (control_.empty()) return false;
  block = std::move(control_.back());
  control_.pop_back();
  return true;
}

void StoredSource::fill_eeg(Stream& stream, Index count, Block& block) const {
  const Index channels = std::ssize(run_.channels);
  block.kind = BlockKind::eeg;
  block.samples.clear();
  for (Index done = 0; done < count;) {
    const Index at = stream.sent + done;
    if (stream.buffer.rows() == 0 || at >= stream.buffered + stream.buffer.rows()) {
      const Index most = std::max<Index>(1, static_cast<Index>(eeg_at_once * stream.rate));
      stream.buffered = at;
      stream.buffer = run_.read(stream.origin + Seconds{static_cast<double>(at) / stream.rate.value},
                                std::min(most, stream.samples - at));
    }
    const Index rows = std::min(count - done, stream.buffered + stream.buffer.rows() - at);
    const float* first = stream.buffer.data() + ((at - stream.buffered) * channels);
    block.samples.insert(block.samples.end(), first, first + (rows * channels));
    done += rows;
  }
}

void StoredSource::fill_feed(Stream& stream, Index count, Block& block) {
  block.kind = BlockKind::sound;
  if (stream.pieces.is_envelope) {
    const double* first = stream.envelope.data() + stream.sent;
    block.values.assign(first, first + count);
    return;
  }
  block.samples.clear();
  for (Index done = 0; done < count;) {
    const Index at = stream.sent + done;
    if (at >= stream.buffered + std::ssize(stream.audio)) {
      stream.buffered = at;
      stream.audio.resize(
          static_cast<std::size_t>(std::min(static_cast<Index>(sound_at_once * stream.rate) + 1, stream.samples - at)));
      pipeline::read_sound(*run_.sounds, stream.pieces, stream.timeline, at, stream.audio);
    }
    const Index rows = std::min(count - done, stream.buffered + std::ssize(stream.audio) - at);
    const auto first = stream.audio.begin() + (at - stream.buffered);
    block.samples.insert(block.samples.end(), first, first + rows);
    done += rows;
  }
}

// The stream whose next block ends first.
bool StoredSource::next_samples(Block& block) {
  std::size_t chosen = streams_.size();
  Seconds earliest{std::numeric_limits<double>::infinity()};
  Index rows = 0;
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    const Stream& stream = streams_[k];
    if (stream.ended) continue;
    const Index usual = std::max<Index>(1, static_cast<Index>(options_.block * stream.rate));
    const Index count = std::min(usual, stream.samples - stream.sent);
    const Seconds end = stream.origin + Seconds{static_cast<double>(stream.sent + count) / stream.rate.value};
    if (!(end < earliest)) continue;
    chosen = k;
    earliest = end;
    rows = count;
  }
  if (chosen == streams_.size()) return false;
  Stream& stream = streams_[chosen];
  block.feed = static_cast<Index>(chosen) - 1;
  if (stream.sent == stream.samples) {
    stream.ended = true;
    if (chosen == 0) return next_samples(block);
    block.kind = BlockKind::feed_end;
    block.stamp.reset();
    block.rows = stream.rows;
    return true;
  }
  if (options_.cut) rows = std::clamp<Index>(options_.cut(chosen, rows), 1, stream.samples - stream.sent);
  block.stamp = stream.origin + Seconds{static_cast<double>(stream.sent) / stream.rate.value};
  block.rows = rows;
  chosen == 0 ? fill_eeg(stream, rows, block) : fill_feed(stream, rows, block);
  stream.sent += rows;
  return true;
}

Arrival StoredSource::next(Block& block, Seconds) {
  for (; trial_ < run_.trials.size(); ++trial_, begun_ = false) {
    if (!begun_) begin_trial();
    if (next_control(block) || next_samples(block)) return Arrival::block;
  }
  return Arrival::ended;
}

}  // namespace heed::live
