// SPDX-License-Identifier: MIT
#include <live/clock/referee.h>

#include <algorithm>
#include <cmath>

namespace heed::live {
namespace {

constexpr double exact = 1e-6;  // s: stamps that agree so well are rounded, not late
constexpr double settling = 4;  // s, in which lateness and drift are followed
constexpr double most_drift = 0.02;
constexpr double recent = 2;  // s: a copy is of something that came just now

Index samples_in(double seconds, Hertz rate) { return static_cast<Index>(std::llround(seconds * rate.value)); }

}  // namespace

void Referee::reset() noexcept { *this = Referee(rate_, options_); }

double Referee::expected() const noexcept {
  return origin_.value + (static_cast<double>(count_) / rate_.value) + late_ + jumped_;
}

Referee::Verdict Referee::judge(std::optional<Seconds> stamp, Index rows, Seconds now, ClockCounts& counts) noexcept {
  Verdict verdict;
  if (!started_) {
    started_ = true;
    origin_ = stamp.value_or(Seconds{0});
    first_arrival_ = now;
  } else if (stamp && std::isfinite(stamp->value)) {
    const double error = stamp->value - expected();
    if (std::abs(error) <= options_.jitter.value) {
      if (std::abs(error) * rate_.value > 1) ++counts.jittered;
      suspect_next_.reset();
      follow(std::abs(error) <= exact ? 0 : error, rows);
    } else {
      verdict = error > 0 ? ahead(error, rows, now, counts) : behind(stamp->value, error, rows, counts);
    }
  }
  last_arrival_ = now;
  count_ += verdict.missing + rows - verdict.skipped;
  ++blocks_;
  return verdict;
}

// Lateness and its drift by a second-order filter; at first the plain mean, so that one late stamp at the start is
// forgotten soon.
void Referee::follow(double error, Index rows) noexcept {
  const double passed = std::min(static_cast<double>(rows) / rate_.value, settling / 4);
  const double share = std::max(2 * passed / settling, blocks_ < 20 ? 1 / static_cast<double>(blocks_ + 1) : 0.0);
  late_ += (share * error) + (drift_ * passed);
  drift_ = std::clamp(drift_ + (error * passed / (settling * settling)), -most_drift, most_drift);
}

// Whether nothing arrived for so long, as far as arrivals tell: a file that is sent at once says nothing.
bool Referee::paused_for(double seconds, Seconds now) const noexcept {
  const double sent = static_cast<double>(count_) / rate_.value;
  const double waited = (last_arrival_ - first_arrival_).value;
  const bool in_real_time = sent > 1 && waited > sent / 2;
  return !in_real_time || (now - last_arrival_).value > seconds / 2;
}

Referee::Verdict Referee::ahead(double error, Index rows, Seconds now, ClockCounts& counts) noexcept {
  suspect_next_.reset();
  const bool gap = paused_for(error - (static_cast<double>(rows) / rate_.value), now);
  const bool fillable = error <= options_.longest_gap.value;
  if (gap && fillable) {
    ++counts.gaps;
    const Index missing = samples_in(error, rate_);
    late_ += error - (static_cast<double>(missing) / rate_.value);
    return {.missing = missing};
  }
  ++counts.jumps;
  jumped_ += error;
  return {.restart = gap};
}

Referee::Verdict Referee::behind(double stamp, double error, Index rows, ClockCounts& counts) noexcept {
  const double duration = static_cast<double>(rows) / rate_.value;
  if (suspect_next_ && std::abs(stamp - *suspect_next_) <= options_.jitter.value) {
    ++counts.jumps;
    jumped_ += error - (static_cast<double>(suspect_rows_) / rate_.value);
    const Index lost = suspect_rows_;
    suspect_next_.reset();
    return {.missing = lost};
  }
  ++(-error <= recent ? counts.duplicates : counts.backwards);
  const Index overlap = std::min(samples_in(-error, rate_), rows);
  if (overlap < rows) return {.skipped = overlap};
  suspect_next_ = stamp + duration;
  suspect_rows_ = rows;
  return {.skipped = rows};
}

}  // namespace heed::live
