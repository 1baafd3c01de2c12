// SPDX-License-Identifier: MIT
#include <live/clock/referee.h>

#include <algorithm>
#include <cmath>

namespace heed::live {
namespace {

constexpr double exact = 1e-6;  // s: stamps that agree so well are rounded, not late
constexpr double settling = 4;  // s, in which lateness and drift are followed
constexpr double most_drift = 0.02;
constexpr double little = 10;            // s: set back by more, a clock is believed sooner
constexpr double recent = 2;             // s: a copy is of something that came just now
constexpr double shortest_pause = 0.02;  // s
constexpr double together = 1;           // s: stamps of a clock that was set back
constexpr double forgetting = 0.95;      // of how steadily blocks arrive, from one to the next
constexpr double doubt = 0.75;           // s, in which a stream that is too fast is not believed

Index samples_in(double seconds, Hertz rate) { return static_cast<Index>(std::llround(seconds * rate.value)); }

}  // namespace

void Referee::reset() noexcept { *this = Referee(rate_, options_); }

void Referee::forget(Index samples) noexcept {
  // Blocks that are left arrived in the share of the time that they take of the samples.
  const double left = static_cast<double>(count_ - samples) / static_cast<double>(std::max<Index>(1, count_));
  first_arrival_ = last_arrival_ - (left * (last_arrival_ - first_arrival_));
  origin_ = origin_ + Seconds{(static_cast<double>(samples) / rate_.value) + late_ + jumped_};
  last_delay_ -= jumped_;
  least_delay_ -= jumped_;
  count_ -= samples;
  late_ = jumped_ = 0;
}

double Referee::expected() const noexcept {
  return origin_.value + ((static_cast<double>(count_) + shifted_) / rate_.value) + late_ + jumped_;
}

Referee::Verdict Referee::judge(std::optional<Seconds> stamp, Index rows, Seconds now, ClockCounts& counts) noexcept {
  Verdict verdict;
  const double left_out = suspect_next_ ? static_cast<double>(suspect_rows_) / rate_.value : 0;
  if (!started_) {
    started_ = true;
    origin_ = stamp.value_or(Seconds{0});
    first_arrival_ = now;
  } else if (stamp && std::isfinite(stamp->value)) {
    double error = stamp->value - expected();
    if (is_witnessed(error, now)) {
      ++counts.jumps;
      jumped_ += witnessed_;
      error -= witnessed_;
      leader_ = witnessed_of_;
    }
    witnessed_ = 0;
    if (is_copy(stamp->value, error, rows, now)) {
      ++counts.duplicates;
      verdict.skipped = rows;
    } else if (was_lost(error, left_out)) {
      ++counts.gaps;
      verdict.missing = suspect_rows_;
      suspect_next_.reset();
      follow(error - left_out, rows);
    } else if (std::abs(error) <= options_.jitter.value) {
      if (std::abs(error) * rate_.value > 1) ++counts.jittered;
      suspect_next_.reset();
      follow(std::abs(error) <= exact ? 0 : error, rows);
    } else {
      verdict = error > 0 ? ahead(error, rows, now, counts) : behind(stamp->value, error, rows, now, counts);
    }
  }
  if (stamp && verdict.skipped == 0) {
    // By the count, which jitters less than the stamp.
    const double delay = now.value - (expected() - jumped_ + (static_cast<double>(verdict.missing) / rate_.value));
    // Where a block comes so much later than those before, what was left out was no copy: it is the count that lags.
    const bool lags = left_out > 0 && delay - last_delay_ > left_out / 2;
    if (!lags) {
      unsteady_ = std::max(forgetting * unsteady_, blocks_ == 0 ? 0 : std::abs(delay - last_delay_));
      last_delay_ = delay;
      least_delay_ = blocks_ == 0 ? last_delay_ : std::min(least_delay_, last_delay_);
    }
  }
  if (stamp) last_stamp_ = stamp->value;
  if (stamp && verdict.skipped < rows) taken_stamp_ = stamp->value;
  last_arrival_ = now;
  count_ += verdict.missing + rows - verdict.skipped;
  ++blocks_;
  return doubted_ > 0 && !verdict.restart ? without_doubted(verdict, rows) : verdict;
}

// Of a stream that sends more than it announced, what is taken is not what was recorded at that time, although the
// count is right.
Referee::Verdict Referee::without_doubted(const Verdict& verdict, Index rows) noexcept {
  const Index taken = rows - verdict.skipped;
  doubted_ = std::max<Index>(0, doubted_ - taken);
  return {.missing = verdict.missing + taken, .skipped = rows};
}

// Lateness and its drift by a second-order filter; at first the plain mean, so that one late stamp at the start is
// forgotten soon.
void Referee::follow(double error, Index rows) noexcept {
  // After a jump the stamps tell how far it was; lateness is what it was before.
  if (since_jump_ < settled) {
    jumped_ += error / static_cast<double>(++since_jump_ + 1);
    late_ += drift_ * static_cast<double>(rows) / rate_.value;
    return;
  }
  const double passed = std::min(static_cast<double>(rows) / rate_.value, settling / 4);
  const double share = std::max(2 * passed / settling, blocks_ < 20 ? 1 / static_cast<double>(blocks_ + 1) : 0.0);
  late_ += (share * error) + (drift_ * passed);
  drift_ = std::clamp(drift_ + (error * passed / (settling * settling)), -most_drift, most_drift);
}

bool Referee::is_real_time() const noexcept {
  const double sent = static_cast<double>(count_) / rate_.value;
  return sent > 1 && (last_arrival_ - first_arrival_).value > sent / 2;
}

// How much later than the count says the block was taken, if it took so long to arrive.
double Referee::late_after(double delay, Seconds now) const noexcept {
  return now.value - delay - (expected() - jumped_);
}

// Whether the jump of another stream's clock explains the stamp: what is left of the error is the time in which nothing
// arrived.
bool Referee::is_witnessed(double error, Seconds now) const noexcept {
  if (std::abs(witnessed_) <= together || !is_real_time()) return false;
  const double pause = std::max(0.0, late_after(last_delay_, now));
  return std::abs(error - witnessed_ - pause) < std::min(together, std::abs(error - pause));
}

// The block before, once more: it says nothing about the clock. Where it was late itself, its copy may be no farther
// off than by jitter; but by the count it comes before it can have been recorded. Short blocks of a coarse clock, which
// share a stamp, do not.
bool Referee::is_copy(double stamp, double error, Index rows, Seconds now) const noexcept {
  if (!last_stamp_ || std::abs(stamp - *last_stamp_) > exact) return false;
  if (std::abs(error) > options_.jitter.value) return error < 0;
  const double half = static_cast<double>(rows) / rate_.value / 2;
  return is_real_time() && late_after(least_delay_, now) < -std::max(half, unsteady_);
}

// What was left out before, as its stamp lay back, was no copy: exactly it is missing, if nothing but jitter remains.
bool Referee::was_lost(double error, double left_out) const noexcept {
  const double remains = std::abs(error - left_out);
  return left_out > 0 && remains < std::abs(error) && remains <= options_.jitter.value;
}

// Time in which nothing arrived while the clock jumped. Blocks that were held back arrive as late as the one before; a
// short time is that of whole blocks, unless blocks arrive that unsteadily anyway.
double Referee::pause_at_jump(Seconds now, Index rows) const noexcept {
  const double pause = is_real_time() ? late_after(last_delay_, now) : 0;
  if (pause > 2 * options_.jitter.value) return pause;
  const double lasts = static_cast<double>(rows) / rate_.value;
  return pause > std::max(shortest_pause, 2 * unsteady_) ? std::round(pause / lasts) * lasts : 0;
}

void Referee::witness(const Referee& other, Seconds jump) noexcept {
  if (std::abs(jump.value) <= options_.jitter.value) {
    if (leader_ == &other) jumped_ += jump.value;
  } else if (std::abs(witnessed_ - jump.value) > together) {  // several streams tell of one jump
    witnessed_ += jump.value;
    witnessed_of_ = &other;
  }
}

Referee::Verdict Referee::gap(double length, ClockCounts& counts) noexcept {
  const Index missing = samples_in(length, rate_);
  late_ += length - (static_cast<double>(missing) / rate_.value);
  if (missing > 0) ++counts.gaps;
  return {.missing = missing};
}

// No block arrives before it is recorded: stamps that are ahead of their arrival are those of a clock that jumped.
Referee::Verdict Referee::ahead(double error, Index rows, Seconds now, ClockCounts& counts) noexcept {
  const double suspected = suspect_next_ ? static_cast<double>(suspect_rows_) / rate_.value : 0;
  suspect_next_.reset();
  const bool jumped = is_real_time() && late_after(least_delay_, now) < error - options_.jitter.value;
  const double pause = jumped ? std::max(pause_at_jump(now, rows), suspected) : error;
  if (pause > options_.longest_gap.value) {
    ++counts.jumps;
    jumped_ += error;
    return {.restart = is_real_time()};
  }
  if (!jumped) return gap(error, counts);
  const Index missing = samples_in(pause, rate_);
  ++counts.jumps;
  if (missing > 0) ++counts.gaps;
  jumped_ += error - (static_cast<double>(missing) / rate_.value);
  since_jump_ = 0;
  leader_ = nullptr;
  return {.missing = missing};
}

// A copy comes once, a clock that was set back stays there. By little, more blocks are needed to believe it.
Referee::Verdict Referee::behind(double stamp, double error, Index rows, Seconds now, ClockCounts& counts) noexcept {
  const bool far = -error > little;
  // Both stamps may jitter; far from where they should be, nothing else explains that they are close to each other.
  const double close = far ? together : 2 * options_.jitter.value;
  const bool again = suspect_next_ && std::abs(stamp - *suspect_next_) <= close;
  const int needed = far ? 1 : 8;
  if (again && suspects_ >= needed) {
    const double suspected = static_cast<double>(suspect_rows_) / rate_.value;
    const double pause = pause_at_jump(now, rows);
    const Index lost = pause > suspected + options_.jitter.value ? samples_in(pause, rate_) : suspect_rows_;
    ++counts.jumps;
    jumped_ += error - (static_cast<double>(lost) / rate_.value);
    since_jump_ = 0;
    leader_ = nullptr;
    suspect_next_.reset();
    return {.missing = lost};
  }
  ++(-error <= recent ? counts.duplicates : counts.backwards);
  // Copies repeat a stamp. Stamps that go on, but time and again not as fast as the count, are those of a stream that
  // is too fast; once, blocks overlap.
  if (taken_stamp_ && stamp - *taken_stamp_ > exact) {
    if (overtaken_ && count_ - *overtaken_ <= samples_in(2 * doubt, rate_)) doubted_ = samples_in(doubt, rate_);
    overtaken_ = count_;
  }
  const Index overlap = again ? rows : std::min(samples_in(-error, rate_), rows);
  suspect_next_ = stamp + (static_cast<double>(rows) / rate_.value);
  suspect_rows_ = again ? suspect_rows_ + overlap : overlap;
  suspects_ = again ? suspects_ + 1 : 1;
  return {.skipped = overlap};
}

}  // namespace heed::live
