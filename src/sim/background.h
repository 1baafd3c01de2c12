// SPDX-License-Identifier: MIT
// The EEG that is no response to speech: sources all over the head with a falling spectrum, the alpha rhythm at the
// back, activity at both temples that leans to the attended side, and the amplifier's own noise.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/random.h>
#include <heed/data/recording.h>

#include <memory>
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
  double amount = 1;  // 1: as in real people
};

// Where the temples lean to: the attended side, and a slow wandering about it, since gaze and posture drift.
class Gaze {
 public:
  Gaze(const BackgroundOptions& options, int speakers, const RandomStream& random);
  // Log ratio of right to left temporal power at the next sample. attention: 1 for an attended speaker, 0 for others.
  [[nodiscard]] double step(const Eigen::Ref<const Eigen::RowVectorXd>& attention);

 private:
  RandomStream random_;
  double amount_;
  Eigen::VectorXd sides_;  // from left to right
  double keep_ = 0;        // of the wandering, from sample to sample
  double drift_ = 0;
};

// As it goes on, without end.
class Background {
 public:
  Background(const BackgroundSources& sources, const BackgroundOptions& options, const RandomStream& random);
  ~Background();
  Background(Background&&) noexcept;
  Background& operator=(Background&&) noexcept;

  // Adds the next rows to the samples (rows x channels). lateralisation: log ratio of right to left temporal power, one
  // number per row.
  void add(const Eigen::VectorXd& lateralisation, SampleMatrix& samples);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heed::sim
