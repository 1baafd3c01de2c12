// SPDX-License-Identifier: MIT
// What a simulated listener's amplifier would have written in one trial, and the truth behind it. A run depends
// on the options, its participant and its trial alone: the same bytes whatever else is simulated, in any order.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/series.h>
#include <heed/data/trial.h>
#include <sim/background.h>
#include <sim/recording_options.h>
#include <sim/recording_story.h>

#include <string>
#include <vector>

namespace heed::sim {

// One wave of the response to speech: P1, N1, P2, and a slow potential (SP).
struct ResponseComponent {
  std::string name{};
  Seconds latency{};
  Seconds width{};            // standard deviation of its bell
  double attended = 0;        // height in microvolt for onsets of standard deviation 1, at the largest electrode
  double unattended = 0;      // the same for speech that is not listened to
  Eigen::VectorXd pattern{};  // of the channels; the largest magnitude is 1
};

struct Listener {
  std::vector<ResponseComponent> responses{};
  Hertz alpha{};  // where the peak of its background lies
};
// Participants count from 1. Throws Error for an electrode that is not of the 10-10 system.
[[nodiscard]] Listener simulate_listener(const RecordingCohortOptions& options, int participant);

// Lags 0 ... 400 ms down the rows, channels across: the response to a unit impulse of the onsets, in microvolt.
enum class Attention { attended, unattended };
[[nodiscard]] Matrix response_kernel(const Listener& listener, Attention attention, Hertz sampling_frequency);

// What drives the brain: where envelopes rise, and how steeply; mean 0, standard deviation 1. samples x speakers.
[[nodiscard]] Matrix onset_drive(const Matrix& envelopes, Hertz sampling_frequency);

struct RunTruth {
  Matrix envelopes{};                // samples x speakers: loudness; mean 0, standard deviation 1
  Matrix onsets{};                   // likewise: what drove the brain
  Matrix attention{};                // samples x speakers: 1 attended, 0 not; half a second of crossing at a switch
  Eigen::VectorXd lateralisation{};  // log ratio of right to left temporal activity
  std::vector<SampleRange> dropouts{};
};

struct SimulatedRun {
  Recording recording{};  // uV; NaN in dropouts
  ListeningEvents events{};
  RunTruth truth{};
};

// Participant and trial count from 1. The programme is that of the trial; give it where several participants hear it.
[[nodiscard]] SimulatedRun simulate_run(const RecordingCohortOptions& options, int participant, int trial);
[[nodiscard]] SimulatedRun simulate_run(const RecordingCohortOptions& options, int participant, int trial,
                                        const Programme& programme);

std::vector<std::string> channels_of(const RecordingCohortOptions& options);

// Where the listener's other activity comes from; `head` says at which electrodes it is seen.
BackgroundSources background_of(const RecordingCohortOptions& options, int participant, const Head& head);

// A component's course over the lags of response_kernel; its sum is 1.
Eigen::VectorXd response_bell(const ResponseComponent& component, Hertz sampling_frequency);

}  // namespace heed::sim
