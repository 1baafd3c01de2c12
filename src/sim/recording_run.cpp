// SPDX-License-Identifier: MIT
#include <dsp/onset.h>
#include <sim/background.h>
#include <sim/disturbances.h>
#include <sim/draws.h>
#include <sim/recording_run.h>

#include <algorithm>
#include <cmath>

namespace heed::sim {
namespace {

// Mean 0 and standard deviation 1 in each column.
void standardise(Matrix& columns) {
  for (Index j = 0; j < columns.cols(); ++j) {
    columns.col(j).array() -= columns.col(j).mean();
    const double deviation = std::sqrt(columns.col(j).squaredNorm() / static_cast<double>(columns.rows()));
    if (deviation > 0) columns.col(j) /= deviation;
  }
}

// Sums over the pieces of a speaker, as sound adds up at the ear; standardised.
Matrix draw_envelopes(const RecordingCohortOptions& options, const Programme& programme, Index samples) {
  const auto speakers = speaker_names(options);
  Matrix envelopes = Matrix::Zero(samples, options.speakers);
  const double rate = options.sampling_frequency.value;
  for (const StimulusPiece& piece : programme.pieces) {
    const auto speaker = std::ranges::find(speakers, piece.speaker) - speakers.begin();
    const auto story = std::ranges::find(programme.stories, piece.file, &Story::file);
    const auto first = std::min(static_cast<Index>(std::ceil(piece.onset.value * rate)), samples);
    const auto last = static_cast<Index>(std::ceil((piece.onset + piece.duration).value * rate));
    const Index count = std::min(last, samples) - first;
    const Seconds from = piece.file_onset + Seconds{static_cast<double>(first) / rate} - piece.onset;
    envelopes.col(speaker).segment(first, count) += story_envelope(*story, {options.sampling_frequency, from, count});
  }
  standardise(envelopes);
  return envelopes;
}

// Who is attended first is balanced over participants and trials; each switch moves on to the next speaker.
std::vector<AttentionStretch> draw_attention(const RecordingCohortOptions& options, RunPlace place) {
  RandomStream random = random_stream(options.seed, StreamKind::attention, place.participant, place.trial);
  const auto names = speaker_names(options);
  auto speaker = static_cast<std::size_t>((place.participant + place.trial) % options.speakers);
  std::vector<AttentionStretch> stretches;
  for (Seconds time{}; time < options.trial;) {
    const bool sustained = place.trial <= options.sustained_trials;
    const Seconds length = sustained ? options.trial : draw_interval(options.interval, random);
    stretches.push_back({names[speaker], time, std::min(length, options.trial - time), {}, 0});
    time = time + length;
    speaker = (speaker + 1) % names.size();
  }
  return stretches;
}

// 1 while a speaker is attended; at a switch one fades into the other, half before it and half after.
Matrix attention_weights(const RecordingCohortOptions& options, const std::vector<AttentionStretch>& stretches,
                         Index samples) {
  constexpr double crossing = 0.5;  // s
  const auto names = speaker_names(options);
  const auto speaker_of = [&](const AttentionStretch& stretch) {
    return std::ranges::find(names, stretch.speaker) - names.begin();
  };
  Matrix weights = Matrix::Zero(samples, options.speakers);
  std::size_t now = 0;
  for (Index n = 0; n < samples; ++n) {
    const double time = static_cast<double>(n) / options.sampling_frequency.value;
    while (now + 1 < stretches.size() && time >= stretches[now + 1].onset.value + (crossing / 2)) ++now;
    double next = 0;
    if (now + 1 < stretches.size()) {
      next = std::clamp((time - stretches[now + 1].onset.value) / crossing + 0.5, 0.0, 1.0);
      weights(n, speaker_of(stretches[now + 1])) += next;
    }
    weights(n, speaker_of(stretches[now])) += 1 - next;
  }
  return weights;
}

Eigen::VectorXd draw_lateralisation(const RecordingCohortOptions& options, RunPlace place, const Matrix& attention) {
  Gaze gaze({options.sampling_frequency, options.gaze}, options.speakers,
            random_stream(options.seed, StreamKind::gaze, place.participant, place.trial));
  Eigen::VectorXd result(attention.rows());
  for (Index n = 0; n < result.size(); ++n) result[n] = gaze.step(attention.row(n));
  return result;
}

// Convolution with the component's course, begun from silence.
Eigen::VectorXd convolved(const Eigen::VectorXd& drive, const Eigen::VectorXd& bell) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(drive.size());
  for (Index k = 0; k < std::min(bell.size(), drive.size()); ++k) {
    result.tail(drive.size() - k) += bell[k] * drive.head(drive.size() - k);
  }
  return result;
}

void add_responses(const RecordingCohortOptions& options, const Listener& listener, const RunTruth& truth,
                   SampleMatrix& samples) {
  const Eigen::VectorXd attended = truth.onsets.cwiseProduct(truth.attention).rowwise().sum();
  const Eigen::VectorXd ignored = truth.onsets.rowwise().sum() - attended;
  for (const ResponseComponent& component : listener.responses) {
    const Eigen::VectorXd drive = (component.attended * attended) + (component.unattended * ignored);
    const Eigen::VectorXf wave = convolved(drive, response_bell(component, options.sampling_frequency)).cast<float>();
    samples.noalias() += wave * component.pattern.cast<float>().transpose();
  }
}

Recording empty_recording(const RecordingCohortOptions& options) {
  Recording recording;
  recording.sampling_frequency = options.sampling_frequency;
  for (const std::string& name : channels_of(options)) {
    recording.channels.push_back({name, "uV", options.sampling_frequency});
  }
  const auto samples = static_cast<Index>(std::floor(options.trial.value * options.sampling_frequency.value + 1e-9));
  recording.samples = SampleMatrix::Zero(samples, std::ssize(recording.channels));
  return recording;
}

void check_place(const RecordingCohortOptions& options, RunPlace place) {
  require(place.participant >= 1 && place.participant <= options.participants,
          "there is no participant " + std::to_string(place.participant) + "; they count from 1 to " +
              std::to_string(options.participants));
  require(
      place.trial >= 1 && place.trial <= options.trials,
      "there is no trial " + std::to_string(place.trial) + "; they count from 1 to " + std::to_string(options.trials));
}

}  // namespace

Matrix onset_drive(const Matrix& envelopes, Hertz sampling_frequency) {
  Matrix onsets = dsp::onsets(envelopes, sampling_frequency);
  standardise(onsets);
  return onsets;
}

SimulatedRun simulate_run(const RecordingCohortOptions& options, int participant, int trial) {
  return simulate_run(options, participant, trial, simulate_programme(options, trial));
}

SimulatedRun simulate_run(const RecordingCohortOptions& options, int participant, int trial,
                          const Programme& programme) {
  const RunPlace place{participant, trial};
  check(options);
  check_place(options, place);
  const Listener listener = simulate_listener(options, participant);
  const Head head = make_head(channels_of(options));
  SimulatedRun run;
  run.recording = empty_recording(options);
  SampleMatrix& samples = run.recording.samples;
  run.events = {programme.pieces, draw_attention(options, place)};
  run.truth.envelopes = draw_envelopes(options, programme, samples.rows());
  run.truth.onsets = onset_drive(run.truth.envelopes, options.sampling_frequency);
  run.truth.attention = attention_weights(options, run.events.attention, samples.rows());
  run.truth.lateralisation = draw_lateralisation(options, place, run.truth.attention);
  if (options.noise > 0) {
    const BackgroundSources sources = background_of(options, participant, head);
    const RandomStream random = random_stream(options.seed, StreamKind::background, participant, trial);
    Background(sources, {options.sampling_frequency, options.noise}, random).add(run.truth.lateralisation, samples);
  }
  add_responses(options, listener, run.truth, samples);
  if (options.blinks > 0) add_blinks(options, place, head, samples);
  if (options.artefacts > 0) add_bursts(options, place, head, samples);
  if (options.line_noise > 0) add_line_noise(options, samples);
  if (options.dropouts > 0) run.truth.dropouts = drop_out(options, place, samples);
  return run;
}

}  // namespace heed::sim
