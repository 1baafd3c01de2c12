// SPDX-License-Identifier: MIT
#include "support/live_faults.h"

#include <dsp/envelope.h>

#include <array>

namespace heed::test {
namespace {

constexpr double block_seconds = 0.0625;  // four samples
constexpr Index block_rows = 4;
constexpr Index block_audio_samples = 125;
constexpr double slew = 6;
constexpr double most_wrong = 0.95;  // of the posterior
// From the second whole window of good data on: one begins within a window after the faults, the next ends two windows
// after them at the latest, and its lags and a block come on top.
constexpr double recovery = 2 + (static_cast<double>(response_lag) / fault_rate.value) + block_seconds;

// Checks every decision against what is promised.
class Judge final : public live::Sink {
 public:
  void decided(const live::Decision& decision) override {
    check(decision.posterior, decision.gains);
    ++windows;
    held += decision.held ? 1 : 0;
    const bool told = decision.standing != live::Standing::tracking;
    if (!told && !unknowable && decision.posterior[1] > most_wrong) fail("the wrong speaker is taken for certain");
    if (!good_since || now < *good_since) return;
    if (decision.held) return fail("a window is missing after the faults were over");
    worst = std::min(worst, decision.scores[0]);
    if (decision.scores[0] < 0.5) fail("the attended speaker's score is " + std::to_string(decision.scores[0]));
    if (decision.scores[0] < decision.scores[1]) fail("the wrong speaker scores higher");
    if (decision.decision != 0) fail("the wrong speaker is decided for");
  }
  void relaxed(const live::Relaxation& relaxation) override { check(relaxation.posterior, relaxation.gains); }

  void fail(const std::string& why) {
    if (failure.empty()) failure = why + " at " + std::to_string(now) + " s";
  }

  double now = 0;
  std::optional<double> good_since{};
  bool unknowable = false;  // nobody can know that the EEG is wrong
  std::string failure{};
  Index windows = 0;
  Index held = 0;
  double worst = 1;

 private:
  void check(std::span<const double> posterior, std::span<const double> gains) {
    double sum = 0;
    for (const double p : posterior) sum += p;
    if (!(std::abs(sum - 1) < 1e-9)) fail("the posterior is no distribution");
    for (std::size_t j = 0; j < gains.size(); ++j) {
      if (!(gains[j] >= -20 && gains[j] <= 0)) fail("a gain leaves its range");
      const double before = j < gains_.size() ? gains_[j] : -6;
      const double passed = std::clamp(now - moved_, 0.0, 1.0);
      if (std::abs(gains[j] - before) > (slew * (moved_ < 0 ? 1 : passed)) + 1e-9) fail("a gain moves too fast");
    }
    gains_.assign(gains.begin(), gains.end());
    moved_ = now;
  }
  std::vector<double> gains_{};
  double moved_ = -1;
};

class Script {
 public:
  explicit Script(const FaultScript& script)
      : script_(script), signals_(script.seed, script.duration, script.sound), random_(script.seed) {}

  [[nodiscard]] const Fault* active(FaultKind kind, double now) const {
    for (const Fault& fault : script_.faults) {
      if (fault.kind == kind && now >= fault.begin && now < fault.begin + fault.duration) return &fault;
    }
    return nullptr;
  }
  // What clocks jumped by so far.
  [[nodiscard]] double jumped(double now, bool eeg) const {
    double sum = 0;
    for (const Fault& fault : script_.faults) {
      const bool alone = fault.kind == FaultKind::eeg_jump || fault.kind == FaultKind::reconnect;
      const bool counts = fault.kind == FaultKind::jump || (eeg && alone);
      if (counts && now >= fault.begin + fault.duration) sum += fault.amount;
    }
    return sum;
  }
  // From its beginning on the sound's clock runs fast: its samples come so much sooner than nominal.
  [[nodiscard]] double drift() const {
    for (const Fault& fault : script_.faults) {
      if (fault.kind == FaultKind::drift) return fault.amount * 1e-6;
    }
    return 0;
  }
  [[nodiscard]] double faults_end() const {
    double end = 0;
    for (const Fault& fault : script_.faults) {
      const bool lasts = fault.kind == FaultKind::drift;
      end = std::max(end, lasts ? 0 : fault.begin + fault.duration);
    }
    return end;
  }

  // The next block of the amplifier; nothing: its last sample is not taken yet.
  std::optional<live::Block> eeg(double now) {
    const Fault* rate = active(FaultKind::rate, now);
    const double period = 1 / (1 + (rate == nullptr ? 0 : rate->amount));  // in nominal samples
    if (eeg_place_ + (block_rows * period) > (now * fault_rate.value) + 1e-9) return std::nullopt;
    live::Block result;
    result.kind = live::BlockKind::eeg;
    result.rows = block_rows;
    result.stamp = Seconds{stamp(eeg_place_ / fault_rate.value, now, true)};
    for (Index t = 0; t < block_rows; ++t) {
      for (Index c = 0; c < 3; ++c) result.samples.push_back(sample(c, eeg_place_, now));
      eeg_place_ += period;
    }
    return result;
  }
  // When the last sample of that block was taken.
  [[nodiscard]] double eeg_taken() const { return eeg_place_ / fault_rate.value; }

  live::Block sound(std::size_t speaker, Index block, double now) {
    const bool audio = script_.sound == live::FeedKind::audio;
    live::Block result;
    result.kind = live::BlockKind::sound;
    result.feed = static_cast<Index>(speaker);
    result.rows = audio ? block_audio_samples : block_rows;
    const double period = 1 / (1 + drift());  // of the sound's samples, in nominal ones
    result.stamp = Seconds{stamp(static_cast<double>(block) * block_seconds * period, now, false)};
    for (Index t = 0; t < result.rows; ++t) {
      const double place = static_cast<double>((block * result.rows) + t) * period;
      if (audio) result.samples.push_back(signals_.audio(speaker, place));
      if (!audio) result.values.push_back(signals_.envelope(speaker, place));
    }
    return result;
  }

  RandomStream& random() { return random_; }

 private:
  double stamp(double time, double now, bool eeg) {
    double result = 1000 + time + jumped(now, eeg);
    if (const Fault* fault = active(FaultKind::jitter, now)) result += fault->amount * ((2 * random_.uniform()) - 1);
    const Fault* back = active(FaultKind::backwards, now);
    if (back != nullptr && random_.uniform() < 0.3) result -= back->amount;
    return result;
  }

  float sample(Index channel, double place, double now) {
    if (active(FaultKind::nan, now) != nullptr && channel == 0) return std::numeric_limits<float>::quiet_NaN();
    if (active(FaultKind::rail, now) != nullptr && channel == 0) return 262144.0F;
    if (active(FaultKind::flat, now) != nullptr && channel == 0) return 0;
    const bool swapped = active(FaultKind::swap, now) != nullptr;
    return signals_.eeg(swapped ? 2 - channel : channel, place);
  }

  const FaultScript& script_;
  FaultSignals signals_;
  RandomStream random_;
  double eeg_place_ = 0;  // of the amplifier's next sample, in nominal ones
};

// What was taken for an answer while channels were exchanged stays until there are better windows: where another fault
// follows at once, these come after it.
double overcome(const Fault& swap, const FaultScript& script) {
  double over = swap.begin + swap.duration + recovery;
  for (bool later = true; later;) {
    later = false;
    for (const Fault& fault : script.faults) {
      const double end = fault.begin + fault.duration + recovery;
      if (fault.begin >= over || end <= over) continue;
      over = end;
      later = true;
    }
  }
  return over;
}

// Without faults that do not matter, and with shorter ones.
FaultScript shrunk(FaultScript script) {
  const auto fails = [](const FaultScript& candidate) { return !run_script(candidate).failure.empty(); };
  const auto take_if = [&](const FaultScript& candidate) {
    if (!fails(candidate)) return false;
    script = candidate;
    return true;
  };
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t k = 0; k < script.faults.size(); ++k) {
      FaultScript candidate = script;
      candidate.faults.erase(candidate.faults.begin() + static_cast<std::ptrdiff_t>(k));
      if (take_if(candidate)) {
        smaller = true;
        break;
      }
      candidate = script;
      candidate.faults[k].duration /= 2;
      if (script.faults[k].duration > 0.1 && take_if(candidate)) smaller = true;
      candidate = script;
      candidate.faults[k].amount /= 2;
      const FaultKind kind = script.faults[k].kind;
      const bool jump = kind == FaultKind::jump || kind == FaultKind::eeg_jump || kind == FaultKind::reconnect;
      if (!jump && std::abs(script.faults[k].amount) > 1e-2 && take_if(candidate)) smaller = true;
    }
  }
  return script;
}

}  // namespace

void FaultSignals::make_audio(std::size_t speaker, RandomStream& random) {
  constexpr double quiet = 0.01;
  std::vector<double>& envelope = envelopes_[speaker];
  const double per_sample = fault_rate.value / fault_audio_rate.value;
  const auto count = static_cast<std::size_t>(static_cast<double>(envelope.size()) / per_sample);
  std::vector<float> rounded;
  for (std::size_t t = 0; t < count; ++t) {
    const double loudness = std::exp(0.5 * at(envelope, static_cast<double>(t) * per_sample));
    audio_[speaker].push_back(quiet * loudness * random.normal());
    rounded.push_back(static_cast<float>(audio_[speaker].back()));
  }
  envelope = dsp::speech_envelope(rounded, fault_audio_rate, fault_rate);
  Eigen::Map<Eigen::ArrayXd> all(envelope.data(), static_cast<Index>(envelope.size()));
  all -= all.mean();
  all /= std::sqrt(all.square().mean());
}

namespace {

void set_amount(Fault& fault, double sign, RandomStream& random) {
  switch (fault.kind) {
    case FaultKind::loss:
      fault.amount = 0.5 * random.uniform();
      break;
    case FaultKind::jump:
    case FaultKind::eeg_jump:
    case FaultKind::reconnect:
      fault.amount = sign * (random.uniform() < 0.5 ? 20 : 200000);
      break;
    case FaultKind::jitter:
      fault.amount = 0.04 * random.uniform();
      break;
    case FaultKind::backwards:
      fault.amount = 5 * random.uniform();
      break;
    case FaultKind::drift:
      fault.amount = sign * 500 * random.uniform();
      break;
    case FaultKind::rate:  // a clock that is wrong by up to 1 %, or an amplifier that was set to another rate
      fault.amount = random.uniform() < 0.7 ? sign * 0.01 * random.uniform() : std::exp(sign * random.uniform()) - 1;
      break;
    default:
      break;
  }
}

}  // namespace

FaultScript random_script(std::uint64_t seed) {
  RandomStream random(seed);
  FaultScript script{.seed = seed};
  const auto count = random.integer(1, 4);
  const bool long_gap = random.uniform() < 0.05;
  for (int k = 0; k < count; ++k) {
    Fault fault{.kind = static_cast<FaultKind>(random.integer(0, fault_kinds - 1))};
    fault.begin = 2 + (10 * random.uniform());
    fault.duration = 0.05 + (random.uniform() < 0.5 ? 0.5 : 6) * random.uniform();
    if (long_gap && k == 0) {
      fault = {.kind = FaultKind::eeg_gap, .begin = fault.begin, .duration = 60};
    }
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    set_amount(fault, sign, random);
    const bool jump = fault.kind == FaultKind::jump || fault.kind == FaultKind::eeg_jump;
    if (jump) fault.duration = 0;
    // A clock that is set back while its own stream is silent for longer looks like blocks that were held back: stamps
    // are believed then (docs/live.md).
    const bool alone = fault.kind == FaultKind::eeg_jump || fault.kind == FaultKind::reconnect;
    if (long_gap && alone) fault.amount = std::abs(fault.amount);
    script.faults.push_back(fault);
  }
  // A jump is measured by stamps. Where two of them may be farther apart than the jitter allowed, one is taken for a
  // copy meanwhile (docs/live.md).
  const auto jumps = std::ranges::count_if(script.faults, [](const Fault& fault) {
    return fault.kind == FaultKind::jump || fault.kind == FaultKind::eeg_jump || fault.kind == FaultKind::reconnect;
  });
  double others_over = 0;
  for (const Fault& fault : script.faults) {
    if (fault.kind != FaultKind::burst) others_over = std::max(others_over, fault.begin + fault.duration);
  }
  for (Fault& fault : script.faults) {
    if (jumps > 0 && fault.kind == FaultKind::jitter) fault.amount /= 2;
    // What was lost when a clock jumps is known by the time of arrival, and blocks of another rate take another time:
    // each jump misses by as much again.
    if (jumps > 0 && fault.kind == FaultKind::rate) {
      const double most = 0.009 / static_cast<double>(jumps);
      fault.amount = std::clamp(fault.amount, -most, most);
    }
    // When blocks are held back, the time of arrival does not tell a jump from a pause; and a clock that jumped while
    // nothing came is seen in the second when it comes back.
    if (jumps > 0 && fault.kind == FaultKind::burst) fault.begin = std::max(fault.begin + 12, others_over + 1);
  }
  // After the last fault, two windows to recover and half a dozen that have to be right.
  double over = 0;
  for (const Fault& fault : script.faults) over = std::max(over, fault.begin + fault.duration);
  script.duration = std::ceil(over) + 9;
  return script;
}

FaultOutcome run_script(const FaultScript& faults) {
  Script script(faults);
  live::Session session(fault_stream(faults.sound), fault_options());
  Judge judge;
  std::vector<std::pair<double, live::Block>> late;  // held back until then
  std::array<Index, 2> sound_blocks{};
  judge.good_since = script.faults_end() + recovery;
  const auto blocks = static_cast<Index>(faults.duration / block_seconds);
  const auto push = [&](const live::Block& block) {
    const Fault* burst = script.active(FaultKind::burst, judge.now);
    // Blocks never overtake each other: what is held back holds back all that follows.
    const double due =
        std::max(burst != nullptr ? burst->begin + burst->duration : 0, late.empty() ? 0 : late.back().first);
    if (due > judge.now) {
      late.emplace_back(due, block);
    } else {
      session.push(block, {judge.now}, judge);
    }
  };
  for (Index k = 0; k < blocks; ++k) {
    judge.now = static_cast<double>(k + 1) * block_seconds;
    for (auto& [due, block] : late) {
      if (due <= judge.now) session.push(block, {judge.now}, judge);
    }
    std::erase_if(late, [&](const auto& one) { return one.first <= judge.now; });
    judge.unknowable = std::ranges::any_of(faults.faults, [&](const Fault& fault) {
      return fault.kind == FaultKind::swap && judge.now >= fault.begin && judge.now < overcome(fault, faults);
    });
    const bool silent = script.active(FaultKind::pause, judge.now) != nullptr;
    const Fault* loss = script.active(FaultKind::loss, judge.now);
    const bool away = silent || script.active(FaultKind::eeg_gap, judge.now) != nullptr ||
                      script.active(FaultKind::reconnect, judge.now) != nullptr;
    const int copies = script.active(FaultKind::duplicates, judge.now) != nullptr ? 2 : 1;
    const double tick = judge.now;
    while (const auto eeg = script.eeg(tick)) {
      judge.now = std::min(tick, script.eeg_taken());
      const bool lost = away || (loss != nullptr && script.random().uniform() < loss->amount);
      for (int copy = 0; copy < copies && !lost; ++copy) push(*eeg);
    }
    judge.now = tick;
    for (std::size_t s = 0; s < 2; ++s) {
      // A clock that runs fast sends a block sooner.
      const double sent = judge.now * (1 + script.drift());
      while (static_cast<double>(sound_blocks[s] + 1) * block_seconds <= sent + 1e-9) {
        const live::Block sound = script.sound(s, sound_blocks[s]++, judge.now);
        const bool gone = silent || (s == 0 && script.active(FaultKind::sound_gap, judge.now) != nullptr);
        for (int copy = 0; copy < copies && !gone; ++copy) push(sound);
      }
    }
    session.wait({judge.now}, judge);
  }
  // Where audio ends, silence follows, of which the EEG knows nothing.
  if (faults.sound == live::FeedKind::envelope) session.push(live::Block{}, {judge.now}, judge);
  if (judge.windows < static_cast<Index>(faults.duration) - 3) judge.fail("windows are missing altogether");
  return {judge.failure, judge.windows, judge.held, judge.worst, session.counts()};
}

std::string failure_of(const FaultScript& script) {
  const FaultOutcome outcome = run_script(script);
  if (outcome.failure.empty()) return "";
  const FaultScript smallest = shrunk(script);
  return outcome.failure + "; " + describe(script) + "\nsmallest: " + run_script(smallest).failure + "; " +
         describe(smallest);
}

}  // namespace heed::test
