// SPDX-License-Identifier: MIT
#include <sim/draws.h>
#include <sim/recording_story.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace heed::sim {
namespace {

// along: 0 at the onset, 1 at the end. Peak 1.
double syllable_shape(double along, double attack) {
  const double part = along < attack ? along / attack : (1 - along) / (1 - attack);
  const double sine = std::sin(std::numbers::pi / 2 * part);
  return sine * sine;
}

double between(RandomStream& random, double low, double high) { return low + ((high - low) * random.uniform()); }

// Usual first three formants, in Hz, of a long vocal tract; a e i o u and the vowel of "bird".
constexpr std::array<std::array<double, 3>, 6> vowels{
    {{730, 1090, 2440}, {530, 1840, 2480}, {270, 2290, 3010}, {570, 840, 2410}, {300, 870, 2240}, {490, 1350, 1690}}};

struct Voice {
  double pitch = 0;  // Hz
  double tract = 1;  // formants are raised by it
};

// Neighbouring numbers are a low and a high voice, as the talkers of a trial should be.
Voice draw_voice(int number, RandomStream& random) {
  const bool high = number % 2 == 0;
  return {between(random, high ? 175 : 95, high ? 225 : 130), between(random, high ? 1.1 : 0.95, high ? 1.2 : 1.05)};
}

// Fitted to the modulation spectrum of real speech (docs/simulation.md).
constexpr double usual_interval = 0.17;   // s between onsets of syllables within a phrase: the median
constexpr double interval_spread = 0.5;   // of its logarithm
constexpr double overlap = 1.2;           // length of a syllable, in intervals
constexpr double level_spread = 0.4;      // of its logarithm
constexpr double phrase_spread = 0.3;     // of the logarithm of a phrase's level
constexpr double quickest_attack = 0.05;  // part of a syllable in which it rises
constexpr double slowest_attack = 0.6;
constexpr double shortest_pause = 0.1;  // s
constexpr double longest_pause = 1.0;   // s
constexpr int fewest_syllables = 2;     // of a phrase
constexpr int most_syllables = 14;

Syllable draw_syllable(const Voice& voice, double onset, double along_phrase, RandomStream& random) {
  Syllable syllable;
  syllable.onset = Seconds{onset};
  syllable.duration = Seconds{overlap * usual_interval * std::exp(interval_spread * random.normal())};
  syllable.level = (1.15 - (0.3 * along_phrase)) * std::exp(level_spread * random.normal());
  syllable.pitch = Hertz{voice.pitch * (1.1 - (0.2 * along_phrase)) * std::exp(0.05 * random.normal())};
  const auto& vowel = vowels[static_cast<std::size_t>(random.integer(0, std::ssize(vowels) - 1))];
  for (std::size_t k = 0; k < 3; ++k) syllable.formants[k] = Hertz{voice.tract * vowel[k]};
  syllable.fricative = random.uniform() < 0.5 ? between(random, 0.1, 0.4) : 0;
  syllable.attack = between(random, quickest_attack, slowest_attack);
  return syllable;
}

void append_phrase(Story& story, const Voice& voice, double& time, RandomStream& random) {
  const auto syllables = random.integer(fewest_syllables, most_syllables);
  const double level = std::exp(phrase_spread * random.normal());
  for (std::int64_t k = 0; k < syllables; ++k) {
    const double along = static_cast<double>(k) / static_cast<double>(syllables);
    story.syllables.push_back(draw_syllable(voice, time, along, random));
    story.syllables.back().level *= level;
    time += story.syllables.back().duration.value / overlap;
  }
  const double end = story.syllables.back().onset.value + story.syllables.back().duration.value;
  const double pause = between(random, shortest_pause, longest_pause);
  story.pauses.push_back(Seconds{end + (pause / 2)});
  time = end + pause;
}

// What begins later is not said.
void cut(Story& story, Seconds end) {
  story.duration = end;
  std::erase_if(story.syllables, [&](const Syllable& syllable) { return syllable.onset >= end; });
  std::erase_if(story.pauses, [&](Seconds pause) { return pause >= end; });
}

std::string story_name(int number) { return (number < 10 ? "story-0" : "story-") + std::to_string(number); }

struct Place {
  int trial = 0;
  int speaker = 0;  // from 0
};

int story_number(const RecordingCohortOptions& options, Place place, int talker) {
  const int talkers = options.turn_taking ? 2 : 1;
  return ((((place.trial - 1) * options.speakers) + place.speaker) * talkers) + talker + 1;
}

// Two talkers by turns of 4 to 16 s, each handing over in a pause of its story.
void append_conversation(const RecordingCohortOptions& options, Place place, Programme& programme) {
  RandomStream random = random_stream(options.seed, StreamKind::turns, place.trial, place.speaker);
  const std::string speaker = speaker_names(options)[static_cast<std::size_t>(place.speaker)];
  std::array<Story, 2> stories;
  for (int talker = 0; talker < 2; ++talker) {
    stories[static_cast<std::size_t>(talker)] =
        simulate_story(options.seed, story_number(options, place, talker), options.trial);
  }
  std::array<Seconds, 2> spoken{};
  auto talker = static_cast<std::size_t>(random.integer(0, 1));
  for (Seconds time{}; time < options.trial; talker = 1 - talker) {
    const Story& story = stories[talker];
    const Seconds wanted = spoken[talker] + Seconds{between(random, 4, 16)};
    const auto pause = std::ranges::lower_bound(story.pauses, wanted);
    const Seconds end = pause == story.pauses.end() ? story.duration : *pause;
    const Seconds length = std::min(end - spoken[talker], options.trial - time);
    programme.pieces.push_back({speaker, time, length, story.file, spoken[talker], {}, {}, 0});
    spoken[talker] = spoken[talker] + length;
    time = time + length;
  }
  for (std::size_t k = 0; k < 2; ++k) {
    if (spoken[k].value <= 0) continue;
    cut(stories[k], spoken[k]);
    programme.stories.push_back(std::move(stories[k]));
  }
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
      amplitude[n] += syllable.level * syllable_shape(std::clamp(along, 0.0, 1.0), syllable.attack);
    }
  }
  return amplitude;
}

Story simulate_story(std::uint64_t seed, int number, Seconds duration) {
  RandomStream random = random_stream(seed, StreamKind::story, number);
  const Voice voice = draw_voice(number, random);
  Story story{story_name(number), random.bits(), duration, {}, {}};
  double time = between(random, 0, shortest_pause);
  while (time < duration.value) append_phrase(story, voice, time, random);
  cut(story, duration);
  return story;
}

Eigen::VectorXd story_envelope(const Story& story, const SampleTimes& times) {
  constexpr double compression = 0.6;  // loudness as decoders take it
  Eigen::VectorXd amplitude = story_amplitude(story, times);
  return amplitude.array().pow(compression);
}

Programme simulate_programme(const RecordingCohortOptions& options, int trial) {
  check(options);
  Programme programme;
  for (int speaker = 0; speaker < options.speakers; ++speaker) {
    const Place place{trial, speaker};
    if (options.turn_taking) {
      append_conversation(options, place, programme);
      continue;
    }
    programme.stories.push_back(simulate_story(options.seed, story_number(options, place, 0), options.trial));
    const Story& story = programme.stories.back();
    const std::string name = speaker_names(options)[static_cast<std::size_t>(speaker)];
    programme.pieces.push_back({name, Seconds{0}, options.trial, story.file, Seconds{0}, {}, {}, 0});
  }
  return programme;
}

}  // namespace heed::sim
