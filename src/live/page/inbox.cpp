// SPDX-License-Identifier: MIT
#include <live/page/inbox.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace heed::live {
namespace {

constexpr std::size_t most_reports = 512;
constexpr std::size_t most_marks = 4096;
constexpr std::size_t most_sounds = 256;

void copy(std::span<const double> from, std::vector<double>& to) { to.assign(from.begin(), from.end()); }

template <typename Number>
void append(std::string& bytes, Number number) {
  static_assert(std::endian::native == std::endian::little, "numbers are sent in little-endian order");
  const std::size_t begin = bytes.size();
  bytes.resize(begin + sizeof number);
  std::memcpy(bytes.data() + begin, &number, sizeof number);
}

std::int16_t sample_of(float value) {
  const float limited = std::clamp(std::isfinite(value) ? value : 0.0F, -1.0F, 1.0F);
  return static_cast<std::int16_t>(std::lround(limited * 32767.0F));
}

Seconds time_after(const Block& block, const StreamDescription& stream) {
  Hertz rate = stream.sampling_frequency;
  if (block.kind == BlockKind::sound) rate = stream.feeds[static_cast<std::size_t>(block.feed)].sampling_frequency;
  const bool is_signal = block.kind == BlockKind::eeg || block.kind == BlockKind::sound;
  return *block.stamp + (is_signal ? Seconds{static_cast<double>(block.rows) / rate.value} : Seconds{0});
}

}  // namespace

void PageInbox::begin(const StreamDescription& stream) {
  const std::lock_guard lock(mutex_);
  stream_ = stream;
  places_.resize(most_reports);
  for (PageReport& place : places_) {
    for (auto* numbers : {&place.scores, &place.posterior, &place.gains}) numbers->reserve(stream.speakers.size());
  }
  first_ = count_ = 0;
  marks_.clear();
  sounds_.clear();
  learnt_.pattern.clear();
  vitals_ = {.eeg_came = std::chrono::steady_clock::now()};
  last_decision_ = 0;
}

PageReport& PageInbox::place() {
  if (count_ == places_.size()) {
    first_ = (first_ + 1) % places_.size();
    --count_;
    ++vitals_.lost_reports;
  }
  PageReport& report = places_[(first_ + count_) % places_.size()];
  ++count_;
  report.stream_time = vitals_.stream_time;
  return report;
}

void PageInbox::put(const Decision& decision, const SessionCounts& counts, const RunReport& run) {
  const std::lock_guard lock(mutex_);
  PageReport& report = place();
  report.relaxation = false;
  report.end = decision.end;
  report.decision = last_decision_ = decision.decision;
  report.held = decision.held;
  report.standing = decision.standing;
  report.own_share = decision.own_share;
  report.gave_up = decision.gave_up;
  copy(decision.scores, report.scores);
  copy(decision.posterior, report.posterior);
  copy(decision.gains, report.gains);
  report.number = counts.windows;
  vitals_.counts = counts;
  vitals_.usual_latency = run.latencies.quantile(0.5).value_or(Seconds{0});
  vitals_.late_latency = run.latencies.quantile(0.99).value_or(Seconds{0});
  vitals_.longest_latency = run.latencies.longest();
}

void PageInbox::put(const Relaxation& relaxation, const SessionCounts& counts) {
  const std::lock_guard lock(mutex_);
  PageReport& report = place();
  report.relaxation = true;
  report.end = relaxation.time;
  report.silent = Seconds{std::chrono::duration<double>(std::chrono::steady_clock::now() - vitals_.eeg_came).count()};
  report.decision = last_decision_;
  report.held = true;
  report.standing = relaxation.standing;
  report.own_share.reset();
  report.gave_up = false;  // places go round, and keep what they held
  report.scores.clear();
  copy(relaxation.posterior, report.posterior);
  copy(relaxation.gains, report.gains);
  report.number = counts.windows;
  vitals_.counts = counts;
}

// Header and samples of a piece of sound: speaker, 0, number of samples, time stamp, rate, 0; then 16 bit each.
void PageInbox::put_sound(const Block& block, const SoundFeed& feed) {
  std::string piece;
  piece.reserve(24 + (2 * block.samples.size()));
  append(piece, static_cast<std::uint16_t>(feed.speaker));
  append(piece, std::uint16_t{0});
  append(piece, static_cast<std::uint32_t>(block.samples.size()));
  append(piece, block.stamp->value);
  append(piece, static_cast<float>(feed.sampling_frequency.value));
  append(piece, std::uint32_t{0});
  for (const float sample : block.samples) append(piece, sample_of(sample));
  if (sounds_.size() < most_sounds) sounds_.push_back(std::move(piece));
}

void PageInbox::put(const Block& block, const SourceCounts& counts) {
  const std::lock_guard lock(mutex_);
  vitals_.source = counts;
  if (block.kind == BlockKind::attended && marks_.size() < most_marks) {
    marks_.push_back({block.stamp.value_or(vitals_.stream_time), block.speaker});
    return;
  }
  const bool has_evidence =
      block.kind == BlockKind::eeg || block.kind == BlockKind::scores || block.kind == BlockKind::log_likelihoods;
  if (has_evidence) {
    vitals_.eeg_rows += block.rows;
    vitals_.eeg_came = std::chrono::steady_clock::now();
  }
  if (block.stamp && (has_evidence || block.kind == BlockKind::sound)) vitals_.stream_time = time_after(block, stream_);
  if (block.kind != BlockKind::sound || !wants_sound_ || !block.stamp) return;
  const SoundFeed& feed = stream_.feeds[static_cast<std::size_t>(block.feed)];
  if (feed.kind == FeedKind::audio) put_sound(block, feed);
}

void PageInbox::put(const LearntPattern& pattern) {
  const std::lock_guard lock(mutex_);
  copy(pattern.values, learnt_.pattern);
  learnt_.first_lag = pattern.first_lag;
  learnt_.rate = pattern.rate;
}

void PageInbox::end() {
  const std::lock_guard lock(mutex_);
  vitals_.ended = true;
}

void PageInbox::take(Mail& mail) {
  mail.reports.resize(most_reports);
  mail.marks.clear();
  mail.sounds.clear();
  mail.learnt.pattern.clear();
  {
    const std::lock_guard lock(mutex_);
    mail.count = count_;
    for (std::size_t k = 0; k < count_; ++k) std::swap(mail.reports[k], places_[(first_ + k) % places_.size()]);
    first_ = count_ = 0;
    std::swap(mail.marks, marks_);
    std::swap(mail.sounds, sounds_);
    std::swap(mail.learnt, learnt_);
    mail.vitals = vitals_;
  }
}

}  // namespace heed::live
