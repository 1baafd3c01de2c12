// SPDX-License-Identifier: MIT
// Talkers: stories of syllables in phrases, four to five a second, as sound and as the envelope that drives the
// brain. What is played in a trial is the same for every participant of a cohort.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/recording.h>
#include <sim/recording_options.h>

#include <array>
#include <string>
#include <vector>

namespace heed::sim {

struct Syllable {
  Seconds onset{};
  Seconds duration{};  // neighbours overlap a little
  double level = 0;    // amplitude at its peak
  Hertz pitch{};
  std::array<Hertz, 3> formants{};
  double fricative = 0;  // part of it, from its onset, that is noise
  double attack = 0.35;  // part of it in which it rises
};

// A talker and all that it says. Depends on the seed and the number alone.
struct Story {
  std::string file{};       // story-01.flac without its ending: "story-01"
  std::uint64_t noise = 0;  // where the breath of its sound comes from
  Seconds duration{};
  std::vector<Syllable> syllables{};  // by onset
  std::vector<Seconds> pauses{};      // the middle of each pause between phrases
};

[[nodiscard]] Story simulate_story(std::uint64_t seed, int number, Seconds duration);

// Peak below 1. Throws Error for a rate below 8000 Hz.
[[nodiscard]] Sound story_sound(const Story& story, Hertz sampling_frequency);

// When samples are taken: at onset, onset + 1/rate ...
struct SampleTimes {
  Hertz sampling_frequency{};
  Seconds onset{};
  Index count = 0;
};

// The truth: amplitude to the power .6; 0 outside the story.
[[nodiscard]] Eigen::VectorXd story_envelope(const Story& story, const SampleTimes& times);

// What is played in a trial (from 1): pieces on the recording's clock, files named as the stories are.
struct Programme {
  std::vector<Story> stories{};
  std::vector<StimulusPiece> pieces{};  // by speaker, then onset
};
[[nodiscard]] Programme simulate_programme(const RecordingCohortOptions& options, int trial);

// Amplitude at the times; 0 before the story and after it.
Eigen::VectorXd story_amplitude(const Story& story, const SampleTimes& times);

}  // namespace heed::sim
