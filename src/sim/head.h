// SPDX-License-Identifier: MIT
// A head as a ball of radius 1: what a small current inside it looks like at the electrodes.
// x to the right, y to the nose, z up.
#pragma once

#include <heed/data/matrix.h>

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

}  // namespace heed::sim
