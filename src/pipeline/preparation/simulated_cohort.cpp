// SPDX-License-Identifier: MIT
#include <dsp/prepare.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <io/bids/events_file.h>
#include <io/digest.h>
#include <pipeline/preparation/run_signals.h>
#include <pipeline/preparation/simulated_cohort.h>
#include <pipeline/preparation/speaker_track.h>
#include <sim/recording_story.h>

#include <algorithm>
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

dsp::EegSource source_of(const Recording& recording) {
  dsp::EegSource source{.sampling_frequency = recording.sampling_frequency};
  for (const RecordedChannel& channel : recording.channels) source.channels.push_back(channel.name);
  return source;
}

// What all listeners hear in a trial.
struct Heard {
  std::once_flag made{};
  sim::Programme programme{};
  std::mutex mutex{};
  using EnvelopeKind = std::pair<FilterMode, Hertz>;  // all that an envelope takes of the way it is prepared
  std::map<EnvelopeKind, std::vector<PlacedEnvelope>> envelopes{};  // [speaker]
  std::map<std::string, std::vector<SampleMatrix>> tracks{};        // by the way they were prepared: [speaker]
};

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string run_name(int participant, int trial) {
  return "sub-" + two_digits(participant) + "_task-listening_run-" + two_digits(trial);
}

}  // namespace

std::shared_ptr<const SoundSource> story_sounds(const sim::Programme& programme, Hertz rate) {
  return std::make_shared<Stories>(programme, rate);
}

struct SimulatedCohort::State {
  sim::RecordingCohortOptions options;
  std::deque<Heard> heard{};  // [trial]; a flag cannot be moved

  [[nodiscard]] Heard& played(int trial) { return heard[static_cast<std::size_t>(trial - 1)]; }
  [[nodiscard]] const sim::Programme& programme(int trial) {
    Heard& sounds = played(trial);
    std::call_once(sounds.made, [&] { sounds.programme = sim::simulate_programme(options, trial); });
    return sounds.programme;
  }
  // Who comes second waits for the first.
  [[nodiscard]] const std::vector<SampleMatrix>& tracks(int trial, const io::TrialPlan& plan, Index samples,
                                                        const Preprocessing& preprocessing) {
    Heard& sounds = played(trial);
    const std::scoped_lock lock(sounds.mutex);
    std::vector<SampleMatrix>& tracks = sounds.tracks[io::digest_of(preprocessing)];
    if (!tracks.empty()) return tracks;
    const TrialRows rows{plan.onset, samples};
    const std::vector<PlacedEnvelope>& envelopes = envelopes_of(sounds, plan, rows, preprocessing);
    std::vector<SampleMatrix> made;
    for (std::size_t k = 0; k < plan.speakers.size(); ++k) {
      made.push_back(track_of(envelopes[k], plan.speakers[k].name, rows, preprocessing));
    }
    return tracks = std::move(made);
  }
  // The sounds are spoken once for all ways that have the envelope in common.
  [[nodiscard]] const std::vector<PlacedEnvelope>& envelopes_of(Heard& sounds, const io::TrialPlan& plan,
                                                                const TrialRows& rows,
                                                                const Preprocessing& preprocessing) const {
    std::vector<PlacedEnvelope>& envelopes =
        sounds.envelopes[{preprocessing.filters, preprocessing.sampling_frequency}];
    if (!envelopes.empty()) return envelopes;
    const Stories stories(sounds.programme, options.sound_frequency);
    std::vector<PlacedEnvelope> made;
    for (const io::SpeakerPieces& speaker : plan.speakers) {
      made.push_back(placed_envelope(stories, speaker, rows, preprocessing));
    }
    return envelopes = std::move(made);
  }
  [[nodiscard]] PreparedRun prepare(const sim::SimulatedRun& simulated, dsp::EegInWays& in_ways, int trial,
                                    const Preprocessing& preprocessing);
};

PreparedRun SimulatedCohort::State::prepare(const sim::SimulatedRun& simulated, dsp::EegInWays& in_ways, int trial,
                                            const Preprocessing& preprocessing) {
  const io::TrialPlan plan = io::plan_trials(simulated.events, header_of(simulated.recording)).front();
  const dsp::PreparedEeg eeg = in_ways.prepare(preprocessing);
  PreparedTrial prepared{.eeg = eeg.values.cast<float>(), .missing = eeg.missing};
  prepared.stimuli = tracks(trial, plan, prepared.eeg.rows(), preprocessing);
  prepared.attention = attended_ranges(plan, preprocessing.sampling_frequency, prepared.eeg.rows());
  PreparedRun run{.sampling_frequency = preprocessing.sampling_frequency,
                  .channels = eeg.channels,
                  .targets = io::names_of(preprocessing.targets)};
  for (const io::SpeakerPieces& speaker : plan.speakers) run.speakers.push_back(speaker.name);
  run.trials = {std::move(prepared)};
  return run;
}

SimulatedCohort::SimulatedCohort(sim::RecordingCohortOptions options) {
  sim::check(options);
  state_ = std::make_unique<State>(State{std::move(options)});
  state_->heard.resize(static_cast<std::size_t>(state_->options.trials));
}
SimulatedCohort::~SimulatedCohort() = default;
SimulatedCohort::SimulatedCohort(SimulatedCohort&&) noexcept = default;
SimulatedCohort& SimulatedCohort::operator=(SimulatedCohort&&) noexcept = default;

std::size_t SimulatedCohort::participants() const noexcept {
  return static_cast<std::size_t>(state_->options.participants);
}

std::vector<PreparedParticipant> SimulatedCohort::prepare(std::size_t participant,
                                                          std::span<const Preprocessing> ways) const {
  for (const Preprocessing& way : ways) dsp::check_preprocessing(way);
  const int number = static_cast<int>(participant) + 1;
  std::vector<PreparedParticipant> results(ways.size(), PreparedParticipant{.id = two_digits(number)});
  for (int trial = 1; trial <= state_->options.trials; ++trial) {
    const sim::SimulatedRun simulated = sim::simulate_run(state_->options, number, trial, state_->programme(trial));
    dsp::EegInWays eeg(source_of(simulated.recording), simulated.recording.samples);
    for (std::size_t w = 0; w < ways.size(); ++w) {
      results[w].runs.push_back(state_->prepare(simulated, eeg, trial, ways[w]));
      results[w].runs.back().name = run_name(number, trial);
    }
  }
  return results;
}

PreparedParticipant SimulatedCohort::prepare(std::size_t participant, const Preprocessing& way) const {
  return std::move(prepare(participant, {&way, 1}).front());
}

std::vector<TrialSource> SimulatedCohort::sources_of(std::size_t participant) const {
  const int number = static_cast<int>(participant) + 1;
  std::vector<TrialSource> sources;
  for (int trial = 1; trial <= state_->options.trials; ++trial) {
    TrialSource source{
        .trial = run_name(number, trial), .run = run_name(number, trial), .recording = run_name(number, trial)};
    for (const sim::Story& story : state_->programme(trial).stories) source.stimuli.push_back(story.file);
    std::ranges::sort(source.stimuli);
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace heed::pipeline
