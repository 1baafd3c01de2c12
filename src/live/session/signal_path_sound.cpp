// SPDX-License-Identifier: MIT
// The speakers' half of a SignalPath: sound is held until the trial begins, and kept beside the EEG from then on.
#include <data/text.h>
#include <live/session/signal_path.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

// Samples by which sound that drifted away from the EEG is to be shifted: more (repeated) or fewer (left out).
double SignalPath::wanted_shift(Index feed) noexcept {
  const Referee& clock = feed_clocks_[static_cast<std::size_t>(feed)];
  counts_.drift_ppm = std::max(counts_.drift_ppm, std::abs(clock.drift_ppm() - eeg_clock_.drift_ppm()));
  const double apart = (clock.lateness() - eeg_clock_.lateness()).value;
  return std::abs(apart) > clock_.alignment.value ? apart * clock.rate().value : 0;
}

// Audio by whole samples, which are short.
void SignalPath::take_audio(const Block& block, const Referee::Verdict& verdict, const SpeakerSound::Piece& piece) {
  const auto wanted = static_cast<Index>(std::llround(wanted_shift(block.feed)));
  const Index shift = std::max(wanted, verdict.skipped - block.rows);  // no more is left out than there is
  SpeakerSound& sound = speaker_of(block.feed);
  if (shift > 0) sound.fill(piece, shift, false, tap_);
  counts_.shifted += std::abs(shift);
  feed_clocks_[static_cast<std::size_t>(block.feed)].shift(static_cast<double>(shift));
  const auto used = static_cast<std::size_t>(verdict.skipped + std::max<Index>(0, -shift));
  sound.push(piece, std::span<const float>(block.samples).subspan(used), tap_);
}

// An envelope by parts of a sample: at 64 Hz a whole one is 16 ms.
void SignalPath::take_envelope(const Block& block, const Referee::Verdict& verdict, const SpeakerSound::Piece& piece) {
  SlidingEnvelope& sliding = sliding_[static_cast<std::size_t>(block.feed)];
  const double shift = wanted_shift(block.feed);
  if (shift != 0) {
    sliding.slide(shift);
    counts_.shifted += std::max<Index>(1, static_cast<Index>(std::llround(std::abs(shift))));
    feed_clocks_[static_cast<std::size_t>(block.feed)].shift(shift);
  }
  std::span<const double> values = std::span(block.values).subspan(static_cast<std::size_t>(verdict.skipped));
  slid_.clear();
  sliding.push(values, slid_);
  speaker_of(block.feed).push(piece, sliding.has_moved() ? std::span<const double>(slid_) : values, tap_);
}

void SignalPath::take_sound(const Block& block, const Referee::Verdict& verdict, Seconds now) {
  const Referee& clock = feed_clocks_[static_cast<std::size_t>(block.feed)];
  SpeakerSound& sound = speaker_of(block.feed);
  if (!sound.begun()) sound.begin(*onset_, clock.origin());
  const SpeakerSound::Piece piece{block.feed, clock.origin(), now};
  if (verdict.missing > 0) sound.fill(piece, verdict.missing, true, tap_);
  const bool audio = stream_.feeds[static_cast<std::size_t>(block.feed)].kind == FeedKind::audio;
  audio ? take_audio(block, verdict, piece) : take_envelope(block, verdict, piece);
}

void SignalPath::hold_sound(const Block& block, const Referee::Verdict& verdict) {
  const auto feed = static_cast<std::size_t>(block.feed);
  Held& held = held_feeds_[feed];
  const std::size_t before = held.rows();
  const auto extend = [&](auto& kept, const auto& fresh) {
    kept.insert(kept.end(), static_cast<std::size_t>(verdict.missing), 0);
    kept.insert(kept.end(), fresh.begin() + verdict.skipped, fresh.end());
  };
  const bool audio = stream_.feeds[feed].kind == FeedKind::audio;
  audio ? extend(held.samples, block.samples) : extend(held.values, block.values);
  if (held_eeg_.first) record_sound(feed, before);
  if (stream_.stored) return;
  // Sound that was sent ahead of its time may wait for all of its EEG.
  const Referee& clock = feed_clocks_[feed];
  const Seconds kept = longest_run_in + (clock.is_real_time() ? longest_wait : clock_.longest_gap);
  const double most = kept * clock.rate();
  if (static_cast<double>(held.rows()) <= 2 * most) return;
  cut_sound(feed, static_cast<Index>(held.rows()) - static_cast<Index>(most));
  held.is_cut = true;
}

void SignalPath::cut_sound(std::size_t feed, Index samples) {
  Held& held = held_feeds_[feed];
  const auto cut = [&](auto& kept) { kept.erase(kept.begin(), kept.begin() + std::min(samples, std::ssize(kept))); };
  cut(held.samples);
  cut(held.values);
  held.first = *held.first + Seconds{static_cast<double>(samples) / feed_clocks_[feed].rate().value};
}

void SignalPath::record_sound(std::size_t feed, std::size_t from) {
  if (tap_ == nullptr) return;
  const Held& held = held_feeds_[feed];
  if (stream_.feeds[feed].kind == FeedKind::audio) {
    tap_->audio(static_cast<Index>(feed), std::span(held.samples).subspan(from));
  } else {
    tap_->envelope(static_cast<Index>(feed), std::span(held.values).subspan(from));
  }
}

// The EEG has come. Sound that no filter will see is left out, also of a recording; where the rest lies is what its
// stamps say by now, as they may have drifted or jumped since the first.
void SignalPath::settle_sound() {
  for (std::size_t f = 0; f < held_feeds_.size(); ++f) {
    Held& held = held_feeds_[f];
    if (!held.first) continue;
    Referee& clock = feed_clocks_[f];
    const auto rows = static_cast<Index>(held.rows());
    clock.forget(clock.count() - rows);
    const double early = (*held_eeg_.first - longest_run_in - clock.origin()) * clock.rate();
    const auto unseen = static_cast<Index>(std::clamp(early, 0.0, static_cast<double>(rows)));
    cut_sound(f, unseen);
    clock.forget(unseen);
    held.first = clock.origin();
    if (tap_ != nullptr) tap_->sound_begins(static_cast<Index>(f), clock.origin());
    record_sound(f, 0);
  }
}

// From the EEG so far, or from what is held of it, to the sound, by their stamps; 0 where they meet.
Seconds SignalPath::distance(std::size_t feed) const noexcept {
  const auto lasts = [](std::size_t rows, Hertz rate) { return Seconds{static_cast<double>(rows) / rate.value}; };
  const Held& held = held_feeds_[feed];
  const Seconds eeg = onset_.value_or(*held_eeg_.first);
  const auto rows = onset_ ? static_cast<std::size_t>(eeg_samples_) : held_eeg_.rows() / stream_.channels.size();
  const Seconds after = *held.first - (eeg + lasts(rows, stream_.sampling_frequency));
  const Seconds before = eeg - (*held.first + lasts(held.rows(), feed_clocks_[feed].rate()));
  return std::max({after, before, Seconds{0}});
}

// So far from the EEG, sound is of another clock, or of a time to come: nothing begins before they meet.
bool SignalPath::is_apart(std::size_t feed) const noexcept {
  const bool both = held_feeds_[feed].first && held_eeg_.first;
  return both && !stream_.stored && distance(feed) > clock_.longest_gap;
}

void SignalPath::push_sound(const Block& block, Seconds now, std::vector<double>& scores) {
  if (over_) return;
  Referee& clock = feed_clocks_[static_cast<std::size_t>(block.feed)];
  const Referee::Verdict verdict = judge(clock, block, now);
  const auto feed = static_cast<std::size_t>(block.feed);
  Held& held = held_feeds_[feed];
  if (!held.first) {
    held.first = clock.origin();
    if (onset_ && is_apart(feed)) {
      held.first.reset();
      return clock.reset();
    }
    if (tap_ != nullptr && held_eeg_.first) tap_->sound_begins(block.feed, clock.origin());
  }
  if (onset_) {
    take_sound(block, verdict, now);
    assemble(now, scores);
  } else {
    hold_sound(block, verdict);
    try_to_begin(now, scores);
  }
}

std::vector<std::string> SignalPath::awaited() const {
  std::vector<std::string> names;
  if (!held_eeg_.first) names.emplace_back("EEG");
  for (std::size_t f = 0; f < held_feeds_.size(); ++f) {
    const bool came = held_feeds_[f].first.has_value();
    if (came && (onset_ || !is_apart(f))) continue;
    std::string name = "the sound of '" + stream_.speakers[static_cast<std::size_t>(stream_.feeds[f].speaker)] + "'";
    if (came) {
      name += " at the time of the EEG (by their stamps they are " + data::shown(std::round(distance(f).value)) +
              " s apart)";
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

void SignalPath::end_feed(const Block& block, Seconds now, std::vector<double>& scores) {
  if (over_ || !onset_) return;
  speaker_of(block.feed).end(block.feed, block.rows, now);
  assemble(now, scores);
}

}  // namespace heed::live
