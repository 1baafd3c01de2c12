// SPDX-License-Identifier: MIT
#include <sim/syllable_shape.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heed::sim {
namespace {

// along: 0 at the onset, 1 at the end. Peak 1.
double syllable_shape(double along) {
  constexpr double attack = 0.35;
  const double part = along < attack ? along / attack : (1 - along) / (1 - attack);
  const double sine = std::sin(std::numbers::pi / 2 * part);
  return sine * sine;
}

}  // namespace

Eigen::VectorXd story_amplitude(const Story& story, const SampleTimes& times) {
  Eigen::VectorXd amplitude = Eigen::VectorXd::Zero(times.count);
  const double rate = times.sampling_frequency.value;
  const auto index_at = [&](double time) {  // the first sample at or after it
    const double index = std::ceil((time - times.onset.value) * rate);
    return static_cast<Index>(std::clamp(index, 0.0, static_cast<double>(times.count)));
  };
  for (const Syllable& syllable : story.syllables) {
    const double end = std::min(syllable.onset.value + syllable.duration.value, story.duration.value);
    for (Index n = index_at(syllable.onset.value); n < index_at(end); ++n) {
      const double time = times.onset.value + (static_cast<double>(n) / rate);
      const double along = (time - syllable.onset.value) / syllable.duration.value;
      amplitude[n] += syllable.level * syllable_shape(std::clamp(along, 0.0, 1.0));
    }
  }
  return amplitude;
}

}  // namespace heed::sim
