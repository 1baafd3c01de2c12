// SPDX-License-Identifier: MIT
#include <dsp/montage.h>
#include <heed/data/error.h>
#include <heed/sim/recording_options.h>
#include <sim/head.h>

namespace heed::sim {
namespace {

Positions positions_of(const std::vector<std::string>& channels) {
  Positions positions(std::ssize(channels), 3);
  for (Index c = 0; c < positions.rows(); ++c) {
    const std::string& name = channels[static_cast<std::size_t>(c)];
    const auto position = dsp::electrode_position(name);
    if (!position) {
      throw Error(ErrorKind::invalid_argument,
                  "channel '" + name + "' is no electrode of the 10-10 system; give names as Fz, Cz, TP8");
    }
    positions.row(c) << position->x, position->y, position->z;
  }
  return positions;
}

Eigen::VectorXd potential(const Positions& electrodes, const std::vector<Dipole>& dipoles) {
  Eigen::VectorXd pattern = Eigen::VectorXd::Zero(electrodes.rows());
  for (const Dipole& dipole : dipoles) {
    for (Index c = 0; c < electrodes.rows(); ++c) {
      const Eigen::Vector3d way = electrodes.row(c).transpose() - dipole.place;
      const double distance = way.norm();
      pattern[c] += dipole.moment.dot(way) / (distance * distance * distance);
    }
  }
  return pattern;
}

}  // namespace

Head make_head(const std::vector<std::string>& channels) {
  return {positions_of(channels), positions_of(electrodes(64))};
}

Eigen::VectorXd scalp_pattern(const Head& head, const std::vector<Dipole>& dipoles) {
  return potential(head.electrodes, dipoles) / potential(head.cap, dipoles).cwiseAbs().maxCoeff();
}

}  // namespace heed::sim
