// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/dsp/prepare.h>
#include <heed/io/bids/trial_plan.h>
#include <heed/io/decoding/decoder_file.h>
#include <heed/pipeline/preparation/simulated_cohort.h>
#include <heed/pipeline/preparation/speaker_track.h>
#include <heed/sim/recording_story.h>
#include <pipeline/preparation/run_signals.h>

#include <deque>
#include <map>
#include <mutex>

namespace heed::pipeline {
namespace {

// The stories of one trial as if they were files; each is spoken once.
class Stories final : public SoundSource {
 public:
  Stories(const sim::Programme& programme, Hertz rate) {
    for (const sim::Story& story : programme.stories) sounds_[story.file] = sim::story_sound(story, rate);
  }

  [[nodiscard]] io::AudioHeader header(const std::string& file) const override {
    const Sound& sound = sounds_.at(file);
    return {"simulated", sound.sampling_frequency, std::ssize(sound.samples), 1};
  }
  [[nodiscard]] Sound sound(const std::string& file, const io::AudioPart& part) const override {
    const Sound& whole = sounds_.at(file);
    const auto first = whole.samples.begin() + part.first_frame;
    const Index frames = part.frames.value_or(std::ssize(whole.samples) - part.first_frame);
    return {.sampling_frequency = whole.sampling_frequency, .onset = {}, .samples = {first, first + frames}};
  }
  [[nodiscard]] Envelope envelope(const std::string& file) const override {
    throw Error(ErrorKind::not_found, file + ": simulated talkers are sounds");
  }

 private:
  std::map<std::string, Sound> sounds_;
};

RecordingHeader header_of(const Recording& recording) {
  RecordingHeader header;
  header.sampling_frequency = recording.sampling_frequency;
  header.samples = recording.samples.rows();
  header.channels = recording.channels;
  return header;
}

// What all listeners hear in a trial.
struct Heard {
  std::once_flag made{};
  sim::Programme programme{};
  std::once_flag prepared{};
  std::vector<SampleMatrix> tracks{};  // [speaker]
};

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

struct SimulatedCohort::State {
  sim::RecordingCohortOptions options;
  Preprocessing how;
  std::deque<Heard> heard{};  // [trial]; a flag cannot be moved

  [[nodiscard]] PreparedRun prepare(int participant, int trial);
  [[nodiscard]] const sim::Programme& programme(int trial) {
    Heard& played = heard[static_cast<std::size_t>(trial - 1)];
    std::call_once(played.made, [&] { played.programme = sim::simulate_programme(options, trial); });
    return played.programme;
  }
  [[nodiscard]] const std::vector<SampleMatrix>& tracks(int trial, const io::TrialPlan& plan, Index samples) {
    Heard& played = heard[static_cast<std::size_t>(trial - 1)];
    std::call_once(played.prepared, [&] {
      const Stories stories(played.programme, options.sound_frequency);
      for (const io::SpeakerPieces& speaker : plan.speakers) {
        played.tracks.push_back(speaker_track(stories, speaker, {plan.onset, samples}, how));
      }
    });
    return played.tracks;
  }
};

PreparedRun SimulatedCohort::State::prepare(int participant, int trial) {
  const sim::SimulatedRun simulated = sim::simulate_run(options, participant, trial, programme(trial));
  const io::TrialPlan plan = io::plan_trials(simulated.events, header_of(simulated.recording)).front();
  dsp::EegSource source{.sampling_frequency = simulated.recording.sampling_frequency};
  for (const RecordedChannel& channel : simulated.recording.channels) source.channels.push_back(channel.name);
  const dsp::PreparedEeg eeg = dsp::prepare_eeg(how, source, simulated.recording.samples);

  PreparedTrial prepared{.eeg = eeg.values.cast<float>(), .missing = eeg.missing};
  prepared.stimuli = tracks(trial, plan, prepared.eeg.rows());
  prepared.attention = attended_ranges(plan, how.sampling_frequency, prepared.eeg.rows());
  PreparedRun run{.name = "sub-" + two_digits(participant) + "_task-listening_run-" + two_digits(trial),
                  .sampling_frequency = how.sampling_frequency,
                  .channels = eeg.channels,
                  .targets = io::names_of(how.targets)};
  for (const io::SpeakerPieces& speaker : plan.speakers) run.speakers.push_back(speaker.name);
  run.trials = {std::move(prepared)};
  return run;
}

SimulatedCohort::SimulatedCohort(sim::RecordingCohortOptions options, Preprocessing how) {
  sim::check(options);
  dsp::check_preprocessing(how);
  state_ = std::make_unique<State>(std::move(options), std::move(how));
  state_->heard.resize(static_cast<std::size_t>(state_->options.trials));
}
SimulatedCohort::~SimulatedCohort() = default;
SimulatedCohort::SimulatedCohort(SimulatedCohort&&) noexcept = default;
SimulatedCohort& SimulatedCohort::operator=(SimulatedCohort&&) noexcept = default;

std::size_t SimulatedCohort::participants() const noexcept {
  return static_cast<std::size_t>(state_->options.participants);
}

PreparedParticipant SimulatedCohort::prepare(std::size_t participant) const {
  const int number = static_cast<int>(participant) + 1;
  PreparedParticipant result{.id = two_digits(number)};
  for (int trial = 1; trial <= state_->options.trials; ++trial) {
    result.runs.push_back(state_->prepare(number, trial));
  }
  return result;
}

}  // namespace heed::pipeline
