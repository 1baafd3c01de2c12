// SPDX-License-Identifier: MIT
#include <heed/data/matrix.h>
#include <report/topography/spherical_spline.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace heed::report {
namespace {

constexpr int terms = 20;  // they fall with the seventh power: the rest is below 1e-8 of the first

// g(cos) = sum over n of (2n+1) / (n(n+1))^4 P_n(cos) / 4pi, tabulated: heads have many pairs of places.
class Kernel {
 public:
  Kernel() {
    for (std::size_t k = 0; k < table_.size(); ++k) {
      table_[k] = exact((2.0 * static_cast<double>(k) / static_cast<double>(steps)) - 1);
    }
  }

  [[nodiscard]] double operator()(const ScalpPosition& a, const ScalpPosition& b) const {
    const double cosine = std::clamp((a.x * b.x) + (a.y * b.y) + (a.z * b.z), -1.0, 1.0);
    const double place = (cosine + 1) / 2 * static_cast<double>(steps);
    const auto k = std::min(static_cast<std::size_t>(place), steps - 1);
    const double share = place - static_cast<double>(k);
    return ((1 - share) * table_[k]) + (share * table_[k + 1]);
  }

 private:
  static double exact(double cosine) {
    double before = 1;
    double legendre = cosine;
    double sum = 0;
    for (int n = 1; n <= terms; ++n) {
      sum += (2 * n + 1) / std::pow(n * (n + 1), 4) * legendre;
      const double next = (((2 * n + 1) * cosine * legendre) - (n * before)) / (n + 1);
      before = legendre;
      legendre = next;
    }
    return sum / (4 * std::numbers::pi);
  }

  static constexpr std::size_t steps = 4096;
  std::array<double, steps + 1> table_{};
};

}  // namespace

std::vector<double> interpolated(std::span<const ScalpPosition> sources, std::span<const double> values,
                                 std::span<const ScalpPosition> targets) {
  // Of g(1), about 0.005: keeps places that coincide apart.
  constexpr double smoothing = 1e-7;
  const Kernel kernel;
  const auto n = static_cast<Index>(sources.size());
  Matrix system = Matrix::Ones(n + 1, n + 1);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
  system(n, n) = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) system(i, j) = kernel(sources[i], sources[j]);
    system(i, i) += smoothing;
    right(i) = values[i];
  }
  const Eigen::VectorXd weights = system.partialPivLu().solve(right);
  std::vector<double> field;
  field.reserve(targets.size());
  for (const ScalpPosition& target : targets) {
    double value = weights(n);
    for (Index i = 0; i < n; ++i) value += weights(i) * kernel(sources[i], target);
    field.push_back(value);
  }
  return field;
}

}  // namespace heed::report
