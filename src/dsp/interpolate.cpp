// SPDX-License-Identifier: MIT
#include <dsp/interpolate.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "dsp/montage.h"

namespace heed::dsp {
namespace {

constexpr int spline_order = 4;
constexpr int legendre_terms = 50;
constexpr std::size_t fewest_good = 3;

// (2n+1) / (n(n+1))^4
std::array<double, legendre_terms + 1> legendre_factors() {
  std::array<double, legendre_terms + 1> factors{};
  for (int n = 1; n <= legendre_terms; ++n) {
    factors.at(static_cast<std::size_t>(n)) = (2 * n + 1) / std::pow(n * (n + 1.0), spline_order);
  }
  return factors;
}

// 1/(4 pi) sum over n of (2n+1) / (n(n+1))^4 P_n(x), x the cosine of the angle between two places.
double spline(double x, const std::array<double, legendre_terms + 1>& factors) {
  double sum = 0;
  double before = 1;
  double now = x;
  for (int n = 1; n <= legendre_terms; ++n) {
    sum += factors[static_cast<std::size_t>(n)] * now;
    const double next = ((2 * n + 1) * x * now - n * before) / (n + 1);
    before = now;
    now = next;
  }
  return sum / (4 * std::numbers::pi);
}

Matrix splines(std::span<const ElectrodePosition> rows, std::span<const ElectrodePosition> columns) {
  const auto factors = legendre_factors();
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index i = 0; i < result.rows(); ++i) {
    const ElectrodePosition& a = rows[static_cast<std::size_t>(i)];
    for (Index j = 0; j < result.cols(); ++j) {
      const ElectrodePosition& b = columns[static_cast<std::size_t>(j)];
      result(i, j) = spline((a.x * b.x) + (a.y * b.y) + (a.z * b.z), factors);
    }
  }
  return result;
}

}  // namespace

Matrix spherical_spline_weights(std::span<const ElectrodePosition> from, std::span<const ElectrodePosition> to,
                                double smoothing) {
  const auto n = static_cast<Index>(from.size());
  // A constant and one spline per place, whose weights sum to zero.
  Matrix system = Matrix::Ones(n + 1, n + 1);
  system.topLeftCorner(n, n) = splines(from, from);
  system.diagonal().array() += smoothing;
  system(n, n) = 0;
  Matrix at_places = Matrix::Ones(static_cast<Index>(to.size()), n + 1);
  at_places.leftCols(n) = splines(to, from);
  // The system is symmetric, so the weights are the solution for the places' own rows.
  const Matrix solution = system.fullPivLu().solve(at_places.transpose());
  return solution.topRows(n).transpose();
}

ChannelInterpolation::ChannelInterpolation(std::span<const std::string> channels, std::span<const std::string> bad) {
  const auto positions = electrode_positions(channels);
  std::vector<bool> is_bad(channels.size());
  for (const std::string& name : bad) {
    is_bad[static_cast<std::size_t>(column_of(name, channels, "bad channel"))] = true;
  }
  std::vector<ElectrodePosition> from;
  std::vector<ElectrodePosition> to;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (is_bad[c] && !positions[c]) {
      throw Error(ErrorKind::unsupported, "channel '" + channels[c] +
                                              "' cannot be interpolated: its name is not in the 10-10 system; exclude "
                                              "bad channels instead, or rename it");
    }
    if (!positions[c]) continue;
    (is_bad[c] ? to : from).push_back(*positions[c]);
    (is_bad[c] ? bad_ : good_).push_back(static_cast<Index>(c));
  }
  if (from.size() < fewest_good) {
    throw Error(ErrorKind::bad_data, "only " + std::to_string(from.size()) +
                                         " good channels have known positions: interpolation needs at least three");
  }
  weights_ = spherical_spline_weights(from, to);
}

void ChannelInterpolation::apply(MutableMatrixView signal) const noexcept {
  for (Index t = 0; t < signal.rows; ++t) {
    for (std::size_t b = 0; b < bad_.size(); ++b) {
      double value = 0;
      for (std::size_t g = 0; g < good_.size(); ++g) {
        value += weights_(static_cast<Index>(b), static_cast<Index>(g)) * signal(t, good_[g]);
      }
      signal(t, bad_[b]) = value;
    }
  }
}

}  // namespace heed::dsp
