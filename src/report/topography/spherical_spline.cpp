// SPDX-License-Identifier: MIT
#include <heed/data/matrix.h>
#include <report/topography/spherical_spline.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace heed::report {
namespace {

constexpr int terms = 20;  // they fall with the seventh power: the rest is below 1e-8 of the first

// g(cos) = sum over n of (2n+1) / (n(n+1))^4 P_n(cos) / 4pi, with the factors of each term made once.
class Kernel {
 public:
  Kernel() {
    for (int n = 1; n <= terms; ++n) {
      Term& term = terms_[static_cast<std::size_t>(n - 1)];
      term.weight = (2 * n + 1) / std::pow(n * (n + 1), 4) / (4 * std::numbers::pi);
      term.ahead = (2.0 * n + 1) / (n + 1);
      term.back = static_cast<double>(n) / (n + 1);
    }
  }

  [[nodiscard]] double operator()(const ScalpPosition& a, const ScalpPosition& b) const {
    const double cosine = std::clamp((a.x * b.x) + (a.y * b.y) + (a.z * b.z), -1.0, 1.0);
    double before = 1;
    double legendre = cosine;
    double sum = 0;
    for (const Term& term : terms_) {
      sum += term.weight * legendre;
      before = std::exchange(legendre, (term.ahead * cosine * legendre) - (term.back * before));
    }
    return sum;
  }

 private:
  struct Term {
    double weight = 0;
    double ahead = 0;  // P_n+1 = ahead cos P_n - back P_n-1
    double back = 0;
  };
  std::array<Term, terms> terms_{};
};

}  // namespace

std::vector<double> interpolated(std::span<const ScalpPosition> sources, std::span<const double> values,
                                 std::span<const ScalpPosition> targets) {
  // Beside g(1) = 0.015: enough to tell places apart that coincide, too little to be seen.
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
