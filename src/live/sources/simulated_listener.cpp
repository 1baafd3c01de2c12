// SPDX-License-Identifier: MIT
#include <dsp/resample.h>
#include <heed/data/error.h>
#include <heed/io/sound_file.h>
#include <live/sources/simulated_listener.h>
#include <sim/recording_story.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heed::live {
namespace {

constexpr Seconds shortest_talk{10};

// False: it stands still.
bool standardise(Eigen::VectorXd& values) {
  values.array() -= values.mean();
  const double deviation = std::sqrt(values.squaredNorm() / static_cast<double>(values.size()));
  if (!(deviation > 0)) return false;
  values /= deviation;
  return true;
}

// Loudness as the simulator's brain takes it: amplitude to the power 0.6, smoothed over about 50 ms.
Eigen::VectorXd envelope_of(const Sound& sound, Hertz rate, Index seconds) {
  const auto rows = static_cast<Index>(std::floor(static_cast<double>(seconds) * rate.value));
  const double step = sound.sampling_frequency.value / rate.value;
  const double width = std::max(step, 0.05 * sound.sampling_frequency.value);
  Eigen::VectorXd envelope(rows);
  for (Index n = 0; n < rows; ++n) {
    const auto last = static_cast<std::size_t>(static_cast<double>(n + 1) * step);
    const std::size_t first = last - std::min(last, static_cast<std::size_t>(width));
    double power = 0;
    for (std::size_t k = first; k < last; ++k) power += static_cast<double>(sound.samples[k] * sound.samples[k]);
    envelope[n] = std::pow(power / static_cast<double>(last - first), 0.3);
  }
  return envelope;
}

Talker talker_of(const std::string& name, const std::filesystem::path& file, Hertz rate) {
  Talker talker{.name = name, .sound = io::read_audio(file)};
  const double length = static_cast<double>(talker.sound.samples.size()) / talker.sound.sampling_frequency.value;
  if (length < shortest_talk.value) {
    throw Error(ErrorKind::bad_data, file.string() + ": too short to listen to; give at least 10 s of speech");
  }
  const auto seconds = static_cast<Index>(length);
  talker.sound.samples.resize(
      static_cast<std::size_t>(std::llround(static_cast<double>(seconds) * talker.sound.sampling_frequency.value)));
  talker.envelope = envelope_of(talker.sound, rate, seconds);
  if (!standardise(talker.envelope)) {
    throw Error(ErrorKind::bad_data, file.string() + ": nothing can be heard in this file; give a recording of speech");
  }
  talker.onsets = sim::onset_drive(talker.envelope, rate);
  return talker;
}

// Whole seconds stay so.
void resample(Sound& sound, Hertz rate) {
  const dsp::RateRatio ratio = dsp::rate_ratio(sound.sampling_frequency, rate);
  const auto size = static_cast<Index>(sound.samples.size());
  Matrix signal = Eigen::Map<const Eigen::VectorXf>(sound.samples.data(), size).cast<double>();
  signal = dsp::resample(signal, ratio);
  const Index wanted = size * ratio.up / ratio.down;
  sound.samples.assign(signal.data(), signal.data() + wanted);
  sound.sampling_frequency = rate;
}

}  // namespace

std::vector<Talker> simulated_talkers(const sim::RecordingCohortOptions& options, Seconds length) {
  sim::RecordingCohortOptions programme_options = options;
  programme_options.trial = length;
  const sim::Programme programme = sim::simulate_programme(programme_options, options.trials + 1);
  const auto rows = static_cast<Index>(std::floor(length * options.sampling_frequency));
  std::vector<Talker> talkers;
  for (std::size_t k = 0; k < programme.stories.size(); ++k) {
    const sim::Story& story = programme.stories[k];
    Talker& talker = talkers.emplace_back();
    talker.name = programme.pieces[k].speaker;
    talker.sound = sim::story_sound(story, options.sound_frequency);
    talker.envelope = sim::story_envelope(story, {options.sampling_frequency, Seconds{0}, rows});
    (void)standardise(talker.envelope);
    talker.onsets = sim::onset_drive(talker.envelope, options.sampling_frequency);
  }
  return talkers;
}

std::vector<Talker> talkers_from_files(const sim::RecordingCohortOptions& options,
                                       std::span<const std::filesystem::path> files) {
  const std::vector<std::string> names = sim::speaker_names(options);
  if (files.size() != names.size()) {
    throw Error(ErrorKind::invalid_argument, "there are " + std::to_string(names.size()) + " talkers and " +
                                                 std::to_string(files.size()) + " sound files; give one for each");
  }
  std::vector<Talker> talkers;
  for (std::size_t k = 0; k < names.size(); ++k) {
    talkers.push_back(talker_of(names[k], files[k], options.sampling_frequency));
  }
  // One rate for all, the highest: browsers join pieces of sound without a click only at the rate they play at.
  Hertz rate{};
  for (const Talker& talker : talkers) rate = std::max(rate, talker.sound.sampling_frequency);
  for (Talker& talker : talkers) {
    if (talker.sound.sampling_frequency != rate) resample(talker.sound, rate);
  }
  return talkers;
}

SimulatedListener::SimulatedListener(SimulatedListenerOptions options, std::vector<Talker> talkers)
    : options_(std::move(options)),
      talkers_(std::move(talkers)),
      listener_(options_.cohort, 1, options_.cohort.trials + 1) {
  if (options_.wandering) stays_until_ = options_.wandering->every;
  description_.name = options_.name;
  description_.stored = true;
  description_.labelled = true;
  description_.sampling_frequency = options_.cohort.sampling_frequency;
  description_.channels = sim::channels_of(options_.cohort);
  for (std::size_t k = 0; k < talkers_.size(); ++k) {
    description_.speakers.push_back(talkers_[k].name);
    description_.feeds.push_back({static_cast<Speaker>(k), FeedKind::audio, talkers_[k].sound.sampling_frequency});
  }
}

// Rounded to a nanosecond's part first: a step that ends on a sample does so for every rounding of its time.
Index SimulatedListener::samples_until(Index step, Hertz rate) const noexcept {
  return static_cast<Index>(std::floor((static_cast<double>(step) * options_.block * rate) + 1e-6));
}

void SimulatedListener::begin_step() {
  next_ = 0;
  const double loss = wanted_loss_.exchange(0);
  const Seconds now = static_cast<double>(step_) * options_.block;
  if (loss > 0) lost_until_ = now + Seconds{loss};
  if (options_.wandering) wander(now);
}

void SimulatedListener::wander(Seconds now) {
  if (chosen_.exchange(false)) {
    stays_until_ = now + options_.wandering->after_choice;
  } else if (now >= stays_until_) {
    stays_until_ = now + options_.wandering->every;
    // Whoever chooses at this very moment has the last word.
    Speaker current = told_;
    (void)attended_.compare_exchange_strong(current, static_cast<Speaker>((told_ + 1) % std::ssize(talkers_)));
  }
}

void SimulatedListener::fill_sound(Block& block) {
  const Sound& sound = talkers_[next_].sound;
  const Index first = samples_until(step_, sound.sampling_frequency);
  block.kind = BlockKind::sound;
  block.feed = static_cast<Index>(next_);
  block.rows = samples_until(step_ + 1, sound.sampling_frequency) - first;
  block.stamp = Seconds{static_cast<double>(first) / sound.sampling_frequency.value};
  block.samples.resize(static_cast<std::size_t>(block.rows));
  for (std::size_t n = 0; n < block.samples.size(); ++n) {
    block.samples[n] = sound.samples[(static_cast<std::size_t>(first) + n) % sound.samples.size()];
  }
}

bool SimulatedListener::fill_eeg(Block& block) {
  const Hertz rate = options_.cohort.sampling_frequency;
  const Index first = samples_until(step_, rate);
  const Index rows = samples_until(step_ + 1, rate) - first;
  Matrix onsets(rows, std::ssize(talkers_));
  for (Index n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < talkers_.size(); ++k) {
      const Eigen::VectorXd& heard = talkers_[k].onsets;
      onsets(n, static_cast<Index>(k)) = heard[(first + n) % heard.size()];
    }
  }
  const SampleMatrix samples = listener_.next(onsets, told_);
  if (static_cast<double>(step_) * options_.block < lost_until_ || rows == 0) return false;
  block.kind = BlockKind::eeg;
  block.rows = rows;
  block.stamp = Seconds{static_cast<double>(first) / rate.value};
  block.samples.assign(samples.data(), samples.data() + samples.size());
  return true;
}

Arrival SimulatedListener::next(Block& block, Seconds) {
  while (true) {
    const Seconds now = static_cast<double>(step_) * options_.block;
    if (ended_ || (options_.duration && now >= *options_.duration)) return Arrival::ended;
    if (next_ == 0) begin_step();
    const Speaker attended = attended_;
    if (next_ == 0 && attended != told_) {
      told_ = attended;
      block.kind = BlockKind::attended;
      block.stamp = now;
      block.rows = 0;
      block.speaker = attended;
      return Arrival::block;
    }
    if (next_ < talkers_.size()) {
      fill_sound(block);
      ++next_;
      return Arrival::block;
    }
    const bool filled = fill_eeg(block);
    next_ = 0;
    ++step_;
    if (filled) return Arrival::block;
  }
}

}  // namespace heed::live
