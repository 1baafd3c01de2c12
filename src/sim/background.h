// SPDX-License-Identifier: MIT
// The EEG that is no response to speech: sources all over the head with a falling spectrum, the alpha rhythm at the
// back, activity at both temples that leans to the attended side, and the amplifier's own noise.
#pragma once

#include <heed/data/random.h>
#include <heed/data/recording.h>
#include <sim/head.h>

namespace heed::sim {

// Where a listener's sources lie. Fixed for all trials of a participant.
struct BackgroundSources {
  Hertz alpha{};
  Eigen::MatrixXf mixing{};  // sources x channels, microvolt
};
BackgroundSources draw_background(const Head& head, Hertz alpha, RandomStream& random);

// Of the channels against their mean, in the band in which speech is followed (about 1 to 9 Hz), uV^2.
Eigen::MatrixXd speech_band_covariance(const BackgroundSources& sources);

struct BackgroundOptions {
  Hertz sampling_frequency{};
  double amount = 1;                 // 1: as in real EEG
  Eigen::VectorXd lateralisation{};  // log ratio of right to left temporal power, a sample each
};
// Adds it to the samples (samples x channels).
void add_background(const BackgroundSources& sources, const BackgroundOptions& options, RandomStream& random,
                    SampleMatrix& samples);

}  // namespace heed::sim
