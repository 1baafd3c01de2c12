// SPDX-License-Identifier: MIT
// The smooth field on a sphere through values at a few places (spherical splines of order 4; Perrin et al. 1989).
// It stays tame where no electrode is near.
#pragma once

#include <report/topography_figure.h>

#include <span>
#include <vector>

namespace heed::report {

// Values at the targets, from those at the sources. All directions are of length one, values finite; at least one
// source. Places met twice get about the mean of their values.
[[nodiscard]] std::vector<double> interpolated(std::span<const ScalpPosition> sources, std::span<const double> values,
                                               std::span<const ScalpPosition> targets);

}  // namespace heed::report
