// SPDX-License-Identifier: MIT
// A small live session with a known brain, and scripts of faults that its input goes through: loss, gaps, broken
// samples, clocks that jitter, drift, jump and run backwards. Everything happens in virtual time.
#pragma once

#include <heed/data/random.h>
#include <heed/live/session.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace heed::test {

enum class FaultKind {
  loss,        // blocks of the EEG are lost, `amount` of them
  eeg_gap,     // no EEG
  sound_gap,   // no sound of speaker 0
  pause,       // nothing at all
  nan,         // of a channel
  rail,        // a channel at the amplifier's end
  flat,        // a channel stands still
  swap,        // two channels are exchanged
  jump,        // the clock of every stream jumps by `amount` seconds, and stays there
  eeg_jump,    // the clock of the EEG alone does
  jitter,      // of stamps, `amount` seconds
  backwards,   // stamps of single blocks lie `amount` seconds back
  duplicates,  // blocks come twice
  burst,       // blocks are held back and come at once
  drift,       // the sound's clock runs `amount` parts per million fast
  rate,        // the amplifier samples faster than it says, by the part `amount`; stamps are right
  reconnect,   // the EEG goes, and comes back with a clock that is `amount` seconds ahead
};
inline constexpr int fault_kinds = 17;

struct Fault {
  FaultKind kind = FaultKind::loss;
  double begin = 0;     // s
  double duration = 0;  // s
  double amount = 0;
};

struct FaultScript {
  std::uint64_t seed = 1;
  double duration = 30;  // s
  std::vector<Fault> faults{};
  live::FeedKind sound = live::FeedKind::envelope;  // what comes of each talker
};

inline std::string describe(const FaultScript& script) {
  std::string text = "seed " + std::to_string(script.seed) + ", " + std::to_string(script.duration) + " s";
  for (const Fault& fault : script.faults) {
    text += "; kind " + std::to_string(static_cast<int>(fault.kind)) + " from " + std::to_string(fault.begin) +
            " s for " + std::to_string(fault.duration) + " s, amount " + std::to_string(fault.amount);
  }
  return text + (script.sound == live::FeedKind::audio ? "; audio" : "");
}

[[nodiscard]] FaultScript random_script(std::uint64_t seed);

// The listener attends speaker 0: channel Cz follows his envelope three samples later.
inline constexpr Hertz fault_rate{64};
inline constexpr Hertz fault_audio_rate{2000};
inline constexpr Index response_lag = 3;

inline live::StreamDescription fault_stream(live::FeedKind sound = live::FeedKind::envelope) {
  const Hertz rate = sound == live::FeedKind::audio ? fault_audio_rate : fault_rate;
  return {.name = "faults",
          .speakers = {"left", "right"},
          .sampling_frequency = fault_rate,
          .channels = {"Cz", "Fz", "Pz"},
          .feeds = {{0, sound, rate}, {1, sound, rate}}};
}

inline live::SessionOptions fault_options() {
  Decoder decoder;
  Matrix weights = Matrix::Zero(response_lag + 1, 3);
  weights(response_lag, 0) = 1;
  decoder.filters = LeastSquaresDecoder{weights};
  decoder.channels = {"Cz", "Fz", "Pz"};
  decoder.eeg_lags = {0, response_lag};
  decoder.preprocessing = {.filters = FilterMode::causal, .reference = {.kind = ReferenceKind::none}};
  live::SessionOptions options{.decoder = decoder, .rail = 1e5, .flat = Seconds{0.5}};
  options.tracking.model =
      Model{.emission = GaussianEmission{
                .mu_attended = 0.8, .mu_unattended = 0, .sigma_attended = 0.3, .sigma_unattended = 0.3}};
  options.tracking.chain.switch_probability = 0.01;
  return options;
}

// What the listener hears: noise in the band of speech rhythms, or sound that is as loud.
class FaultSignals {
 public:
  explicit FaultSignals(std::uint64_t seed, double seconds, live::FeedKind sound = live::FeedKind::envelope) {
    RandomStream random(seed + 1000);
    const auto count = static_cast<std::size_t>(seconds * fault_rate.value) + 200;
    for (auto& envelope : envelopes_) {
      double slow = 0;
      for (std::size_t t = 0; t < count; ++t) {
        slow = (0.7 * slow) + random.normal();
        envelope.push_back(slow);
      }
    }
    for (std::size_t t = 0; t < count; ++t) noise_.push_back(random.normal());
    if (sound != live::FeedKind::audio) return;
    for (std::size_t speaker = 0; speaker < 2; ++speaker) make_audio(speaker, random);
  }
  // At any time, whatever the clocks do.
  [[nodiscard]] double envelope(std::size_t speaker, double sample) const { return at(envelopes_[speaker], sample); }
  [[nodiscard]] float audio(std::size_t speaker, double sample) const {
    return static_cast<float>(at(audio_[speaker], sample));
  }
  [[nodiscard]] float eeg(Index channel, double sample) const {
    const double noise = at(noise_, sample + static_cast<double>(channel));
    return static_cast<float>(channel == 0 ? 20 * (at(envelopes_[0], sample - response_lag) + (0.3 * noise))
                                           : 20 * noise);
  }

 private:
  // Noise as loud as the envelope says; the envelope is then what heed finds in it.
  void make_audio(std::size_t speaker, RandomStream& random);

  static double at(const std::vector<double>& values, double sample) {
    const double place = std::clamp(sample, 0.0, static_cast<double>(values.size() - 2));
    const auto before = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(before);
    return ((1 - part) * values[before]) + (part * values[before + 1]);
  }
  std::array<std::vector<double>, 2> envelopes_;
  std::array<std::vector<double>, 2> audio_;
  std::vector<double> noise_;
};

// What a script must never bring about; empty: all is well.
struct FaultOutcome {
  std::string failure{};
  Index windows = 0;
  Index held = 0;
  double worst_score = 1;  // of the attended speaker in the windows that have to be right again
  live::SessionCounts counts{};
};

[[nodiscard]] FaultOutcome run_script(const FaultScript& faults);

// What a script broke, in words, with the smallest one that still fails: without faults that do not matter, and with
// shorter ones. Empty: all is well.
[[nodiscard]] std::string failure_of(const FaultScript& script);

}  // namespace heed::test
