// SPDX-License-Identifier: MIT
// The EEG that is no response to speech: sources all over the head with a falling spectrum, the alpha rhythm at the
// back, activity at both temples that leans to the attended side, and the amplifier's own noise.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/random.h>
#include <heed/data/recording.h>

#include <string>
#include <vector>

namespace heed::sim {

using Positions = Eigen::Matrix<double, Eigen::Dynamic, 3>;  // electrodes x 3, on the unit sphere

struct Head {
  Positions electrodes{};
  Positions cap{};  // the 64 of a usual cap: what is large or small is told by it, whichever electrodes are there
};
// Throws Error for names that are not of the 10-10 system.
Head make_head(const std::vector<std::string>& channels);

struct Dipole {
  Eigen::Vector3d place{};
  Eigen::Vector3d moment{};
};

// Potential at the electrodes, as in a conductor without end; the largest magnitude on the cap is 1.
Eigen::VectorXd scalp_pattern(const Head& head, const std::vector<Dipole>& dipoles);

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
