// SPDX-License-Identifier: MIT
#include <live/session/speaker_sound.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace heed::live {
namespace {

constexpr Index block_samples = 4096;

std::vector<Hertz> envelope_rates(const StreamDescription& stream, const std::vector<Index>& feeds, Hertz target) {
  std::vector<Hertz> rates;
  for (const Index feed : feeds) {
    const SoundFeed& one = stream.feeds[static_cast<std::size_t>(feed)];
    rates.push_back(one.kind == FeedKind::audio ? target : one.sampling_frequency);
  }
  return rates;
}

// Sound may be ahead of EEG that pauses.
Index room_for(const ClockOptions& clock, Hertz rate) {
  return static_cast<Index>((std::min(clock.longest_gap, Seconds{600}) + Seconds{20}) * rate);
}

}  // namespace

SpeakerSound::SpeakerSound(const StreamDescription& stream, const std::vector<Index>& feeds,
                           const Preprocessing& preprocessing, const ClockOptions& clock)
    : rate_(preprocessing.sampling_frequency),
      targets_(std::ssize(preprocessing.targets)),
      places_(stream.feeds.size()),
      preparer_(preprocessing, envelope_rates(stream, feeds, rate_), 1),
      rows_(targets_, room_for(clock, rate_)) {
  if (!stream.stored) most_waiting_ = room_for(clock, rate_);
  for (const Index number : feeds) {
    places_[static_cast<std::size_t>(number)] = feeds_.size();
    Feed& feed = feeds_.emplace_back();
    feed.number = number;
    feed.description = stream.feeds[static_cast<std::size_t>(number)];
    const Hertz sampled = feed.description.sampling_frequency;
    Seconds late;
    if (feed.description.kind == FeedKind::audio) {
      feed.extractor.emplace(sampled, rate_);
      feed.audio.resize(block_samples);
      late = feed.extractor->delay();
    } else {
      late = dsp::causal_delay(preprocessing, sampled).resampling;
    }
    feed.envelope.reserve(block_samples);
    feed.envelope.resize(block_samples);
    delay_ = std::max(delay_, late + dsp::causal_delay(preprocessing, rate_).onset);
  }
  fresh_.reserve(static_cast<std::size_t>(block_samples * targets_));
  reach_ = static_cast<Index>(std::ceil(delay_ * rate_)) + 2;
}

SpeakerSound::Feed& SpeakerSound::feed(Index number) noexcept {
  return feeds_[places_[static_cast<std::size_t>(number)]];
}

void SpeakerSound::begin(Seconds onset, Seconds first) {
  // Onsets written with six digits may fall short of a row by nothing that matters.
  constexpr double rounding = 1e-3;
  const Seconds reach = std::clamp(onset - first, Seconds{0}, longest_run_in);
  before_ = static_cast<Index>(std::floor((reach * rate_) + rounding));
  origin_ = onset - Seconds{static_cast<double>(before_) / rate_.value};
  begun_ = true;
}

void SpeakerSound::place(Feed& feed, const Piece& piece) {
  feed.placed = true;
  const Hertz sampled = feed.description.sampling_frequency;
  const auto first = static_cast<Index>(std::llround((piece.onset - origin_) * sampled));
  feed.to_skip = std::max<Index>(0, -first);
  constexpr std::array<float, 256> silence{};
  constexpr std::array<double, 256> nothing{};
  for (Index rest = first; rest > 0;) {
    const auto count = std::min<Index>(rest, std::ssize(silence));
    if (feed.extractor) {
      take(feed, std::span(silence).first(static_cast<std::size_t>(count)), piece.now);
    } else {
      take(feed, std::span(nothing).first(static_cast<std::size_t>(count)), piece.now);
    }
    rest -= count;
  }
}

// Rows that see these samples are missing.
void SpeakerSound::spoil(const Feed& feed, Index first, Index samples) noexcept {
  const double per_sample = rate_.value / feed.description.sampling_frequency.value;
  const auto begin = static_cast<Index>(std::floor(static_cast<double>(first) * per_sample)) - reach_;
  const auto end = static_cast<Index>(std::ceil(static_cast<double>(first + samples) * per_sample)) + reach_;
  const Index old_end = spoilt_.first + spoilt_.count;
  const bool apart = spoilt_.count == 0 || old_end <= written_;
  const Index from = apart ? begin : std::min(begin, spoilt_.first);
  spoilt_ = {from, std::max(end, apart ? end : old_end) - from};
}

void SpeakerSound::keep_rows(Seconds now) {
  std::array<double, 8> row{};
  const auto width = static_cast<std::size_t>(targets_);
  for (std::size_t k = 0; k < fresh_.size(); k += width, ++written_) {
    if (written_ < before_) continue;
    // Rounded as offline, where prepared signals are kept in single precision.
    for (std::size_t c = 0; c < width; ++c) row[c] = static_cast<double>(static_cast<float>(fresh_[k + c]));
    const bool missing = written_ >= spoilt_.first && written_ < spoilt_.first + spoilt_.count;
    rows_.push(std::span(row).first(width), missing, now);
  }
  // EEG that comes back after a longer pause begins anew.
  if (most_waiting_) rows_.drop_before(rows_.end() - *most_waiting_);
  fresh_.clear();
}

void SpeakerSound::take(Feed& feed, std::span<const float> audio, Seconds now) {
  feed.samples += std::ssize(audio);
  feed.envelope.clear();
  feed.extractor->push(audio, feed.envelope);
  feed.rows += std::ssize(feed.envelope);
  preparer_.push(static_cast<std::size_t>(&feed - feeds_.data()),
                 {feed.envelope.data(), std::ssize(feed.envelope), 1, 1}, fresh_);
  keep_rows(now);
}

void SpeakerSound::take(Feed& feed, std::span<const double> envelope, Seconds now) {
  feed.samples += std::ssize(envelope);
  preparer_.push(static_cast<std::size_t>(&feed - feeds_.data()), {envelope.data(), std::ssize(envelope), 1, 1},
                 fresh_);
  keep_rows(now);
}

template <typename Sample>
std::span<const Sample> SpeakerSound::mended(Feed& feed, std::span<const Sample> samples, std::vector<Sample>& room) {
  if (std::ranges::all_of(samples, [](Sample x) { return std::isfinite(x); })) return samples;
  room.assign(samples.begin(), samples.end());
  for (std::size_t k = 0; k < room.size(); ++k) {
    if (std::isfinite(room[k])) continue;
    room[k] = 0;
    spoil(feed, feed.samples + static_cast<Index>(k), 1);
  }
  return room;
}

template <typename Sample>
void SpeakerSound::take_placed(Feed& feed, const Piece& piece, std::span<const Sample> samples) {
  if (!feed.placed) place(feed, piece);
  const auto skipped = static_cast<std::size_t>(std::min(feed.to_skip, std::ssize(samples)));
  feed.to_skip -= static_cast<Index>(skipped);
  samples = samples.subspan(skipped);
  while (!samples.empty()) {
    const auto block = samples.first(std::min<std::size_t>(samples.size(), block_samples));
    samples = samples.subspan(block.size());
    if constexpr (std::is_same_v<Sample, float>) {
      take(feed, mended(feed, block, feed.audio), piece.now);
    } else {
      take(feed, mended(feed, block, feed.envelope), piece.now);
    }
  }
}

void SpeakerSound::push(const Piece& piece, std::span<const float> audio, SignalTap* tap) {
  if (tap != nullptr) tap->audio(piece.feed, audio);
  take_placed(feed(piece.feed), piece, audio);
}

void SpeakerSound::push(const Piece& piece, std::span<const double> envelope, SignalTap* tap) {
  if (tap != nullptr) tap->envelope(piece.feed, envelope);
  take_placed(feed(piece.feed), piece, envelope);
}

void SpeakerSound::fill(const Piece& piece, Index samples, bool missing, SignalTap* tap) {
  constexpr std::array<float, 256> silence{};
  constexpr std::array<double, 256> nothing{};
  Feed& one = feed(piece.feed);
  if (missing && one.placed) spoil(one, one.samples, samples);
  while (samples > 0) {
    const auto count = static_cast<std::size_t>(std::min<Index>(samples, std::ssize(silence)));
    if (one.extractor) {
      push(piece, std::span(silence).first(count), tap);
    } else {
      push(piece, std::span(nothing).first(count), tap);
    }
    samples -= static_cast<Index>(count);
  }
}

void SpeakerSound::end(Index number, Index rows, Seconds now) {
  Feed& one = feed(number);
  if (one.ended) return;
  one.ended = true;
  const auto place = static_cast<std::size_t>(&one - feeds_.data());
  if (one.extractor) {
    one.envelope.clear();
    one.extractor->finish(one.envelope);
    const Index before = one.rows;
    const Index most = rows > 0 ? rows - before : std::ssize(one.envelope);
    one.envelope.resize(static_cast<std::size_t>(std::clamp<Index>(most, 0, std::ssize(one.envelope))));
    preparer_.push(place, {one.envelope.data(), std::ssize(one.envelope), 1, 1}, fresh_);
  }
  preparer_.finish(place, fresh_);
  keep_rows(now);
}

bool SpeakerSound::ended() const noexcept { return std::ranges::all_of(feeds_, &Feed::ended); }

void SpeakerSound::reset() noexcept {
  for (Feed& feed : feeds_) {
    if (feed.extractor) feed.extractor->reset();
    feed.to_skip = feed.samples = feed.rows = 0;
    feed.placed = feed.ended = false;
  }
  preparer_.reset();
  rows_.clear();
  fresh_.clear();
  spoilt_ = {};
  before_ = written_ = 0;
  begun_ = false;
}

}  // namespace heed::live
