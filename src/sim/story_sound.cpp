// SPDX-License-Identifier: MIT
// A voice from a source and filters: glottal pulses through three formants, or noise through one band, brought to
// the amplitude that the story asks for.
#include <sim/draws.h>
#include <sim/recording_story.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

namespace heed::sim {
namespace {

constexpr double frames_a_second = 500;  // how often pitch, formants and level are looked up
constexpr double loudness = 0.05;        // root mean square of a syllable of level 1 at its peak

class Resonator {
 public:
  void tune(double centre, double bandwidth, double rate) {
    const double radius = std::exp(-std::numbers::pi * bandwidth / rate);
    first_ = 2 * radius * std::cos(2 * std::numbers::pi * centre / rate);
    second_ = -radius * radius;
    gain_ = 1 - first_ - second_;  // 1 at frequency 0
  }
  double step(double input) {
    const double output = (gain_ * input) + (first_ * before_) + (second_ * earlier_);
    earlier_ = before_;
    before_ = output;
    return output;
  }

 private:
  double first_ = 0;
  double second_ = 0;
  double gain_ = 1;
  double before_ = 0;
  double earlier_ = 0;
};

// One talker's throat. Deterministic: its noise comes from the story's own stream.
class Throat {
 public:
  Throat(double rate, std::uint64_t noise) : rate_(rate), random_(noise, 1) {
    hiss_.tune(std::min(5000.0, 0.36 * rate), 1500, rate);
  }

  void aim(const Syllable& syllable, double time) {
    constexpr std::array bandwidths{80.0, 110.0, 160.0};
    constexpr double glide = 0.08;  // of the way to a new vowel, a frame
    const double along = (time - syllable.onset.value) / syllable.duration.value;
    noisy_ = along < syllable.fricative;
    pitch_ += (pitch_ == 0 ? 1 : glide) * (syllable.pitch.value - pitch_);
    for (std::size_t k = 0; k < 3; ++k) {
      formants_[k] += (formants_[k] == 0 ? 1 : glide) * (syllable.formants[k].value - formants_[k]);
      tubes_[k].tune(std::min(formants_[k], 0.45 * rate_), bandwidths[k], rate_);
    }
  }

  // The loop that takes the time calls nothing: what the filters remember stays in registers.
  void speak(std::span<double> frame) {
    noise_.resize(frame.size());
    for (double& noise : noise_) noise = static_cast<double>(innovation(random_));
    std::array<Resonator, 3> tubes = tubes_;
    Resonator hiss = hiss_;
    double phase = phase_;
    const double advance = pitch_ / rate_;
    for (std::size_t n = 0; n < frame.size(); ++n) {
      phase += advance;
      phase -= phase >= 1 ? 1 : 0;
      double sound = pulse(phase);
      for (Resonator& tube : tubes) sound = tube.step(sound);
      const double noise = hiss.step(noise_[n]);
      frame[n] = noisy_ ? noise : sound;
    }
    tubes_ = tubes;
    hiss_ = hiss;
    phase_ = phase;
  }

 private:
  // The slope of the glottis's flow, u^2 - u^3, in a period that begins at 0 and ends at 1.
  static double pulse(double phase) {
    constexpr double open = 0.6;  // part of a period in which the glottis is open
    const double u = phase / open;
    return u < 1 ? (2 * u) - (3 * u * u) : 0;
  }

  double rate_;
  RandomStream random_;
  std::vector<double> noise_{};
  double phase_ = 0;  // of the glottis's period, below 1: the pitch is far below the rate
  double pitch_ = 0;
  bool noisy_ = false;
  std::array<double, 3> formants_{};
  std::array<Resonator, 3> tubes_{};
  Resonator hiss_;
};

// Brings a carrier to root mean square 1 as it goes, so that vowels do not differ in level.
class Levelling {
 public:
  double factor(const std::vector<double>& frame) {
    constexpr double pace = 0.15;  // a frame: about 13 ms
    double power = 0;
    for (const double value : frame) power += value * value / static_cast<double>(frame.size());
    power_ += pace * (power - power_);
    return 1 / std::sqrt(std::max(std::max(power_, power / 4), 1e-12));
  }

 private:
  double power_ = 0;
};

}  // namespace

Sound story_sound(const Story& story, Hertz sampling_frequency) {
  const double rate = sampling_frequency.value;
  require(rate >= 8000, "a voice needs sound at 8000 Hz or more");
  const auto samples = static_cast<std::size_t>(std::llround(story.duration.value * rate));
  const auto hop = static_cast<std::size_t>(std::lround(rate / frames_a_second));
  const auto frames = (samples + hop - 1) / hop;
  const Hertz frame_rate{rate / static_cast<double>(hop)};
  const Eigen::VectorXd amplitude = story_amplitude(story, {frame_rate, Seconds{0}, static_cast<Index>(frames) + 1});
  Throat throat(rate, story.noise);
  Levelling levelling;
  std::vector<double> frame(hop);
  auto syllable = story.syllables.begin();
  Sound sound{sampling_frequency, Seconds{0}, {}};
  sound.samples.reserve(frames * hop);
  for (std::size_t f = 0; f < frames; ++f) {
    const double time = static_cast<double>(f) / frame_rate.value;
    while (syllable != story.syllables.end() && std::next(syllable) != story.syllables.end() &&
           std::next(syllable)->onset.value <= time) {
      ++syllable;
    }
    if (syllable != story.syllables.end()) throat.aim(*syllable, time);
    throat.speak(frame);
    const double factor = loudness * levelling.factor(frame);
    const double from = amplitude[static_cast<Index>(f)];
    const double slope = (amplitude[static_cast<Index>(f) + 1] - from) / static_cast<double>(hop);
    for (std::size_t n = 0; n < hop; ++n) {
      const double value = factor * frame[n] * (from + (slope * static_cast<double>(n)));
      sound.samples.push_back(static_cast<float>(std::clamp(value, -0.99, 0.99)));
    }
  }
  sound.samples.resize(samples);
  return sound;
}

}  // namespace heed::sim
