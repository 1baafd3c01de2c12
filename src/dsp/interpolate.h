// SPDX-License-Identifier: MIT
// Bad channels from good ones by spherical splines (Perrin and others 1989): order 4, 50 Legendre terms, smoothing
// 1e-5, as MNE has them.
#pragma once

#include <dsp/montage.h>
#include <heed/data/matrix.h>

#include <span>
#include <string>
#include <vector>

namespace heed::dsp {

// to.size() x from.size(): what to multiply values at `from` by to have those at `to`. Positions on the unit sphere.
[[nodiscard]] Matrix spherical_spline_weights(std::span<const ElectrodePosition> from,
                                              std::span<const ElectrodePosition> to);

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
