// SPDX-License-Identifier: MIT
// The smooth field on a sphere through values at a few places: spherical splines (Perrin et al. 1989) of order 4 with
// 50 Legendre terms. Bad channels are interpolated by them, head maps are drawn by them.
#pragma once

#include <dsp/montage.h>
#include <heed/data/matrix.h>

#include <span>
#include <string>
#include <vector>

namespace heed::dsp {

// Added to the diagonal, where g(1) = 0.015 stands: interpolated channels have MNE's; head maps pass through their
// values but for what the eye cannot see, and electrodes at one place get about their mean.
inline constexpr double channel_smoothing = 1e-5;
inline constexpr double map_smoothing = 1e-7;

// to.size() x from.size(): the factors that turn values at `from` into those at `to`. Positions on the unit sphere; at
// least one in `from`.
[[nodiscard]] Matrix spherical_spline_weights(std::span<const ElectrodePosition> from,
                                              std::span<const ElectrodePosition> to,
                                              double smoothing = channel_smoothing);

class ChannelInterpolation {
 public:
  // Throws not_found for a bad channel that is not among the channels, unsupported for a name without a position (of a
  // bad channel; good ones without are not used), bad_data for fewer than three good ones.
  ChannelInterpolation(std::span<const std::string> channels, std::span<const std::string> bad);

  // In place: the bad columns are written, the others are left. Never allocates.
  void apply(MutableMatrixView signal) const noexcept;

 private:
  std::vector<Index> good_;
  std::vector<Index> bad_;
  Matrix weights_;  // bad x good
};

}  // namespace heed::dsp
