// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/decode/reconstruction.h>
#include <heed/io/model_file.h>
#include <io/xdf/xdf_plan.h>
#include <live/session/first_decoder.h>
#include <live/session/signal_path.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace heed::live {
namespace {

constexpr Index block_rows = 256;
constexpr Seconds room{20};
constexpr double most_values = 1e7;  // of EEG per second: twice what 280 channels at 16384 Hz have

[[noreturn]] void refuse(const StreamDescription& stream, const std::string& why) {
  throw Error(ErrorKind::bad_data, (stream.name.empty() ? "the stream" : stream.name) + ": " + why);
}

const StreamDescription& checked(const StreamDescription& stream, const Decoder& decoder) {
  check_causal(decoder.preprocessing);
  if (std::ssize(stream.speakers) < 2) refuse(stream, "attention is decided between two or more speakers");
  if (!(stream.sampling_frequency.value > 0)) refuse(stream, "the sampling frequency of the EEG is missing");
  if (!(stream.sampling_frequency.value * static_cast<double>(stream.channels.size()) <= most_values)) {
    refuse(stream, std::to_string(stream.channels.size()) + " channels at " +
                       data::shown(stream.sampling_frequency.value) +
                       " Hz are more than ten million numbers per second; send fewer channels, or a lower rate");
  }
  const bool microvolts = stream.unit.empty() || stream.unit == "n/a" || io::eeg_unit(stream.unit) == "uV";
  if (!microvolts) {
    refuse(stream, "the EEG is in " + stream.unit + ", but decoders are trained on microvolts; send it in uV");
  }
  for (std::size_t s = 0; s < stream.speakers.size(); ++s) {
    const auto is_of = [&](const SoundFeed& feed) { return std::cmp_equal(feed.speaker, s); };
    if (std::ranges::none_of(stream.feeds, is_of)) {
      refuse(stream, "there is no sound of speaker '" + stream.speakers[s] + "'");
    }
  }
  return stream;
}

}  // namespace

SignalPath::SignalPath(const StreamDescription& stream, const SessionOptions& options)
    : SignalPath(stream, first_decoder(stream, options), options) {
  if (!options.calibration) return;
  const auto wanted = static_cast<Index>(std::llround(options.calibration->length * decoder_rate_));
  if (wanted < 1) throw Error(ErrorKind::invalid_argument, "a calibration must last longer than 0 s");
  calibration_ = std::make_unique<CalibrationRows>(
      CalibrationRows::Shape{.channels = eeg_.channels(),
                             .speakers = stream.speakers,
                             .targets = io::names_of(options.calibration->preprocessing.targets),
                             .rate = decoder_rate_},
      wanted);
  unused_scores_.reserve(64 * stream.speakers.size());
  calibrating_ = true;
}

SignalPath::SignalPath(const StreamDescription& stream, const Decoder& decoder, const SessionOptions& options)
    : stream_(checked(stream, decoder)),
      clock_(options.clock),
      decoder_rate_(decoder.preprocessing.sampling_frequency),
      ratio_(dsp::rate_ratio(stream.sampling_frequency, decoder_rate_)),
      eeg_(decoder.preprocessing, source_of(stream)),
      windows_(options.window),
      channels_(decoder.channels),
      scorer_(decoder, std::ssize(stream.speakers), options),
      eeg_clock_(stream.sampling_frequency, options.clock),
      held_feeds_(stream.feeds.size()),
      eeg_rows_(std::ssize(decoder.channels), static_cast<Index>(room * decoder_rate_)) {
  for (const Index column : decode::channel_positions(decoder, eeg_.channels())) {
    columns_.push_back(static_cast<std::size_t>(column));
  }
  for (std::size_t s = 0; s < stream.speakers.size(); ++s) {
    std::vector<Index> feeds;
    for (std::size_t f = 0; f < stream.feeds.size(); ++f) {
      if (std::cmp_equal(stream.feeds[f].speaker, s)) feeds.push_back(static_cast<Index>(f));
    }
    sounds_.emplace_back(stream, feeds, decoder.preprocessing, options.clock);
    delays_.sound = std::max(delays_.sound, sounds_.back().delay());
  }
  for (const SoundFeed& feed : stream.feeds) feed_clocks_.emplace_back(feed.sampling_frequency, options.clock);
  sliding_.resize(stream.feeds.size());
  const dsp::CausalDelay late = dsp::causal_delay(decoder.preprocessing, stream.sampling_frequency);
  delays_.eeg = late.resampling;
  delays_.band_pass = late.band_pass;
  delays_.lags = {static_cast<double>(std::max<Index>(0, decoder.eeg_lags.last)) / decoder_rate_.value};
  delays_.window = options.window.window;

  const auto channels = stream.channels.size();
  row_.resize(columns_.size());
  stimuli_.resize(sounds_.size());
  silence_.assign(static_cast<std::size_t>(std::ssize(decoder.preprocessing.targets)), 0.0);
  nothing_.assign(static_cast<std::size_t>(block_rows) * channels, std::numeric_limits<float>::quiet_NaN());
  fresh_.values.reserve(static_cast<std::size_t>(block_rows) * channels);
  fresh_.missing.reserve(static_cast<std::size_t>(block_rows));
  if (options.rail) rail_ = static_cast<float>(*options.rail);
  if (options.flat) {
    flat_.emplace(decoder, stream.channels, static_cast<Index>(std::ceil(*options.flat * stream.sampling_frequency)));
  }
  recorded_.reserve(rail_ || flat_ ? static_cast<std::size_t>(Seconds{1} * stream.sampling_frequency) * channels : 0);
  held_eeg_.samples.reserve(static_cast<std::size_t>(room * stream.sampling_frequency) * channels);
  for (std::size_t f = 0; f < stream.feeds.size(); ++f) {
    const auto samples = static_cast<std::size_t>(room * stream.feeds[f].sampling_frequency);
    if (stream.feeds[f].kind == FeedKind::envelope) slid_.reserve(samples);
    (stream.feeds[f].kind == FeedKind::audio ? held_feeds_[f].samples.reserve(samples)
                                             : held_feeds_[f].values.reserve(samples));
  }
}

SampleView SignalPath::eeg_rows(const float* samples, Index rows) const noexcept {
  const Index channels = std::ssize(stream_.channels);
  return {samples, rows, channels, channels};
}

SpeakerSound& SignalPath::speaker_of(Index feed) noexcept {
  return sounds_[static_cast<std::size_t>(stream_.feeds[static_cast<std::size_t>(feed)].speaker)];
}

// ---- trials ----

void SignalPath::restart() {
  if (tap_ != nullptr) tap_->restarts();
  eeg_.reset();
  for (SpeakerSound& sound : sounds_) sound.reset();
  scorer_.reset();
  if (calibration_) calibration_->restart();
  if (flat_) flat_->reset();
  eeg_clock_.reset();
  held_eeg_.first.reset();
  held_eeg_.samples.clear();
  for (Referee& clock : feed_clocks_) clock.reset();
  for (SlidingEnvelope& sliding : sliding_) sliding.reset();
  for (Held& held : held_feeds_) {
    held.first.reset();
    held.is_cut = false;
    held.samples.clear();
    held.values.clear();
  }
  eeg_rows_.clear();
  onset_.reset();
  told_onset_.reset();
  told_end_.reset();
  last_row_.reset();
  to_skip_ = rows_before_ = eeg_written_ = eeg_samples_ = samples_before_ = next_row_ = 0;
  over_ = false;
}

void SignalPath::begin(std::optional<Seconds> onset) {
  restart();
  scorer_.begin_trial();
  told_onset_ = onset;
}

void SignalPath::end_at(Seconds stamp) {
  told_end_ = stamp;
  if (!onset_) return;
  const auto samples =
      static_cast<Index>(std::llround((stamp - clock_offset() - *onset_) * stream_.sampling_frequency));
  last_row_ = std::max<Index>(next_row_, samples * ratio_.up / ratio_.down);
}

// The run-in is a whole number of rows, so that row 0 is the trial's first sample; what lies before it is left out.
void SignalPath::skip_to_grid(Seconds first) {
  constexpr double rounding = 1e-2;  // of a sample: stamps may be rounded
  const Hertz rate = stream_.sampling_frequency;
  const Seconds wanted = *onset_;
  const Index before = std::max<Index>(0, static_cast<Index>(std::ceil(((wanted - first) * rate) - rounding)));
  const Index periods = std::min(before, static_cast<Index>(longest_run_in * rate)) / ratio_.down;
  samples_before_ = periods * ratio_.down;
  rows_before_ = periods * ratio_.up;
  to_skip_ = before - samples_before_;
  if (!told_onset_) onset_ = first + Seconds{static_cast<double>(before) / rate.value};
}

void SignalPath::try_to_begin(Seconds now, std::vector<double>& scores) {
  if (onset_ || over_ || !held_eeg_.first) return;
  Seconds latest = *held_eeg_.first;
  for (const Held& held : held_feeds_) {
    if (!held.first && !told_onset_) return;
    if (!told_onset_ || held.is_cut) latest = std::max(latest, held.first.value_or(latest));
  }
  // Where signals were not there yet when the trial was to begin, it begins with them.
  constexpr double rounding = 0.5;  // of a sample
  if (told_onset_ && (latest - *told_onset_) * stream_.sampling_frequency > rounding) told_onset_.reset();
  for (std::size_t f = 0; f < held_feeds_.size(); ++f) {
    if (is_apart(f)) return;
  }
  onset_ = told_onset_.value_or(latest);
  skip_to_grid(*held_eeg_.first);
  if (told_end_) end_at(*told_end_);
  release(now, scores);
}

// What was held goes the way of all that follows.
void SignalPath::release(Seconds now, std::vector<double>& scores) {
  for (std::size_t f = 0; f < held_feeds_.size(); ++f) {
    Held& held = held_feeds_[f];
    if (!held.first) continue;
    SpeakerSound& sound = speaker_of(static_cast<Index>(f));
    if (!sound.begun()) {
      Seconds first = *held.first;
      for (std::size_t g = 0; g < held_feeds_.size(); ++g) {
        const bool same = stream_.feeds[g].speaker == stream_.feeds[f].speaker && held_feeds_[g].first;
        if (same) first = std::min(first, *held_feeds_[g].first);
      }
      sound.begin(*onset_, first);
    }
    const SpeakerSound::Piece piece{static_cast<Index>(f), *held.first, now};
    if (stream_.feeds[f].kind == FeedKind::audio) {
      sound.push(piece, std::span<const float>(held.samples), nullptr);
    } else {
      sound.push(piece, std::span<const double>(held.values), nullptr);
    }
    held.samples.clear();
    held.values.clear();
    held.is_cut = false;
  }
  const Index rows = std::ssize(held_eeg_.samples) / std::ssize(stream_.channels);
  take_eeg(eeg_rows(held_eeg_.samples.data(), rows), now, scores);
  held_eeg_.samples.clear();
}

// ---- EEG ----

void SignalPath::hold_eeg(SampleView samples) {
  const auto channels = static_cast<std::size_t>(samples.columns);
  held_eeg_.samples.insert(held_eeg_.samples.end(), samples.data,
                           samples.data + (static_cast<std::size_t>(samples.rows) * channels));
  // Sound that was sent with it may still be on its way; beyond the room, holding allocates.
  const auto most = static_cast<std::size_t>(longest_wait * stream_.sampling_frequency);
  const std::size_t rows = held_eeg_.samples.size() / channels;
  if (rows <= 2 * most) return;
  const std::size_t gone = rows - most;
  held_eeg_.samples.erase(held_eeg_.samples.begin(),
                          held_eeg_.samples.begin() + static_cast<std::ptrdiff_t>(gone * channels));
  held_eeg_.first = *held_eeg_.first + Seconds{static_cast<double>(gone) / stream_.sampling_frequency.value};
}

// Without what lies beyond the rails, and without rows in which the electrodes that matter are off.
SampleView SignalPath::recorded(SampleView samples) {
  if (!rail_ && !flat_) return samples;
  constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
  const std::span<const float> all(samples.data, static_cast<std::size_t>(samples.rows * samples.columns));
  recorded_.assign(all.begin(), all.end());
  for (Index t = 0; t < samples.rows; ++t) {
    const auto row = std::span(recorded_).subspan(static_cast<std::size_t>(t * samples.columns),
                                                  static_cast<std::size_t>(samples.columns));
    const bool flat = flat_ && flat_->push(row);
    counts_.flat_samples += flat ? 1 : 0;
    std::ranges::replace_if(
        row, [&](float x) { return flat || (rail_ && std::abs(x) >= *rail_); }, nothing);
  }
  return eeg_rows(recorded_.data(), samples.rows);
}

void SignalPath::keep_eeg_rows(Seconds now) {
  const auto width = eeg_.channels().size();
  for (std::size_t k = 0; k < fresh_.missing.size(); ++k, ++eeg_written_) {
    if (eeg_written_ < rows_before_) continue;
    const bool missing = fresh_.missing[k];
    // Rounded as offline, where prepared signals are kept in single precision.
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      row_[c] = missing ? 0 : static_cast<double>(static_cast<float>(fresh_.values[(k * width) + columns_[c]]));
    }
    eeg_rows_.push(row_, missing, now);
  }
  fresh_.values.clear();
  fresh_.missing.clear();
}

void SignalPath::take_eeg(SampleView samples, Seconds now, std::vector<double>& scores) {
  const Index skipped = std::min(to_skip_, samples.rows);
  to_skip_ -= skipped;
  for (Index done = skipped; done < samples.rows; done += block_rows) {
    const Index rows = std::min(block_rows, samples.rows - done);
    eeg_.push(samples.middle_rows(done, rows), fresh_);
    eeg_samples_ += rows;
    keep_eeg_rows(now);
    assemble(now, scores);
  }
}

void SignalPath::fill_eeg(Index rows, Seconds now, std::vector<double>& scores) {
  counts_.lost_samples += rows;
  while (rows > 0) {
    const SampleView block = eeg_rows(nothing_.data(), std::min(rows, block_rows));
    if (tap_ != nullptr)
      tap_->eeg(std::span(nothing_).first(static_cast<std::size_t>(block.rows * block.columns)), block.rows);
    onset_ ? take_eeg(block, now, scores) : hold_eeg(block);
    rows -= block.rows;
  }
}

// Streams without stamps begin together. Where the beginning of the sound is gone, EEG ends where the sound does that
// came before it.
Seconds SignalPath::unstamped_origin(const Block& block) const noexcept {
  if (eeg_clock_.started()) return told_onset_.value_or(eeg_clock_.origin());
  std::optional<Seconds> together = told_onset_;
  for (std::size_t f = 0; f < feed_clocks_.size(); ++f) {
    const Referee& clock = feed_clocks_[f];
    if (!clock.started()) continue;
    if (!together) together = clock.origin();
    if (block.kind != BlockKind::eeg || !held_feeds_[f].is_cut) continue;
    const double lasts = static_cast<double>(block.rows) / stream_.sampling_frequency.value;
    return clock.origin() + Seconds{(static_cast<double>(clock.count()) / clock.rate().value) - lasts};
  }
  return together.value_or(Seconds{0});
}

// A pause too long to fill in: everything begins anew.
Referee::Verdict SignalPath::judge(Referee& clock, const Block& block, Seconds now) {
  const auto stamp = clock.started() || block.stamp ? block.stamp : unstamped_origin(block);
  const Seconds jumped = clock.jumped();
  const Referee::Verdict verdict = clock.judge(stamp, block.rows, now, counts_);
  const Seconds jump = clock.jumped() - jumped;
  if (jump.value != 0) {
    if (&clock != &eeg_clock_) eeg_clock_.witness(clock, jump);
    for (Referee& other : feed_clocks_) {
      if (&clock != &other) other.witness(clock, jump);
    }
  }
  if (!verdict.restart) return verdict;
  restart();
  restarted_ = true;
  return judge(clock, block, now);
}

void SignalPath::push_eeg(const Block& block, Seconds now, std::vector<double>& scores) {
  if (over_) return;
  const Referee::Verdict verdict = judge(eeg_clock_, block, now);
  if (!held_eeg_.first) {
    held_eeg_.first = eeg_clock_.origin();
    if (tap_ != nullptr) tap_->eeg_begins(eeg_clock_.origin());
    settle_sound();
  }
  try_to_begin(now, scores);  // where the sound is there already, nothing has to be held
  if (verdict.missing > 0) fill_eeg(verdict.missing, now, scores);
  const Index rows = block.rows - verdict.skipped;
  const auto channels = std::ssize(stream_.channels);
  const SampleView samples = recorded(eeg_rows(block.samples.data() + (verdict.skipped * channels), rows));
  if (tap_ != nullptr) tap_->eeg({samples.data, static_cast<std::size_t>(rows * channels)}, rows);
  if (onset_) {
    take_eeg(samples, now, scores);
  } else {
    hold_eeg(samples);
    try_to_begin(now, scores);
  }
  wait(now, scores);
}

// ---- rows ----

// One row of everything, or nothing yet.
bool SignalPath::push_row(Index row, Seconds now, std::vector<double>& scores) {
  if (!eeg_rows_.has(row)) return false;
  bool missing = eeg_rows_.is_missing(row);
  for (std::size_t s = 0; s < sounds_.size(); ++s) {
    const RowQueue& rows = sounds_[s].rows();
    if (rows.has(row)) {
      missing = missing || rows.is_missing(row);
      stimuli_[s] = {rows.values(row).data(), 1, std::ssize(silence_), std::ssize(silence_)};
      continue;
    }
    const bool waited = !stream_.stored && now - eeg_rows_.arrival(row) > clock_.patience;
    const bool late = row < rows.first() || waited || sounds_[s].ended();
    if (!late) return false;
    ++counts_.late_sound;
    missing = true;
    stimuli_[s] = {silence_.data(), 1, std::ssize(silence_), std::ssize(silence_)};
  }
  const SampleRange all{0, 1};
  const auto values = eeg_rows_.values(row);
  if (calibrating_) calibration_->push(values, stimuli_, missing, *onset_);
  scorer_.push({{values.data(), 1, std::ssize(values), std::ssize(values)}, stimuli_, std::span(&all, missing ? 1 : 0)},
               scores);
  return true;
}

void SignalPath::tell(Seconds stamp, Speaker speaker) {
  if (calibrating_) calibration_->tell(stamp, speaker);
  if (tap_ != nullptr) tap_->attended(stamp, speaker);
}

TrainedScorer SignalPath::trained(const Decoder& decoder) const {
  if (!calibration_) throw Error(ErrorKind::invalid_argument, "the session has a decoder and waits for no other");
  const bool fits = decoder.channels == eeg_.channels() && std::ssize(decoder.targets) == std::ssize(silence_) &&
                    decoder.preprocessing.sampling_frequency == decoder_rate_ &&
                    std::holds_alternative<LeastSquaresDecoder>(decoder.filters);
  if (!fits) {
    throw Error(ErrorKind::invalid_argument,
                "the decoder does not fit the calibration: it must be one of least squares, trained on its trials");
  }
  TrainedScorer made{.scorer = decode::StreamingScorer(decoder, std::ssize(stream_.speakers), windows_),
                     .trial_start = calibration_->trial_start()};
  // The order matters: a trial that begins in between shows, since its start is another.
  made.fed = calibration_->count();
  std::vector<double> scores;
  calibration_->feed(made.scorer, made.trial_start, made.fed, scores);
  return made;
}

void SignalPath::adopt(TrainedScorer& trained) {
  if (!calibrating_) return;
  if (trained.trial_start != calibration_->trial_start()) {
    trained.scorer.reset();
    trained.fed = calibration_->trial_start();
  }
  calibration_->feed(trained.scorer, trained.fed, calibration_->count(), unused_scores_);
  scorer_.swap(trained.scorer);
  calibrating_ = false;
}

void SignalPath::assemble(Seconds now, std::vector<double>& scores) {
  if (over_) return;
  while ((!last_row_ || next_row_ < *last_row_) && push_row(next_row_, now, scores)) ++next_row_;
  eeg_rows_.drop_before(next_row_);
  for (SpeakerSound& sound : sounds_) sound.rows().drop_before(next_row_);
  if (!last_row_ || next_row_ < *last_row_) return;
  scorer_.finish(scores);
  over_ = true;
}

void SignalPath::wait(Seconds now, std::vector<double>& scores) {
  if (onset_ && !over_ && eeg_rows_.has(next_row_)) assemble(now, scores);
}

void SignalPath::finish(Seconds now, std::vector<double>& scores) {
  if (!onset_ || over_) return;
  eeg_.finish(fresh_);
  keep_eeg_rows(now);
  for (std::size_t f = 0; f < stream_.feeds.size(); ++f)
    speaker_of(static_cast<Index>(f)).end(static_cast<Index>(f), 0, now);
  // As offline: until the EEG or the sound of a speaker ends.
  Index rows = (eeg_samples_ - samples_before_) * ratio_.up / ratio_.down;
  for (const SpeakerSound& sound : sounds_) rows = std::min(rows, sound.rows().end());
  last_row_ = std::max(next_row_, std::min(last_row_.value_or(rows), rows));
  assemble(now, scores);
  over_ = true;
}

}  // namespace heed::live
