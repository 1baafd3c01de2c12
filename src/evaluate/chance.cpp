// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/evaluate/chance.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::evaluate {
namespace {

constexpr double significance = 0.05;

// P(X >= k), k = 0..n. Terms are built outwards from the most probable count by their exact ratios, so
// there are no factorials to overflow; far tails fade to zero.
std::vector<double> upper_tails(Index n, double p) {
  std::vector<double> terms(static_cast<std::size_t>(n) + 1);
  const auto mode = std::min(n, static_cast<Index>(static_cast<double>(n + 1) * p));
  const auto term = [&](Index k) -> double& { return terms[static_cast<std::size_t>(k)]; };
  const auto ratio = [&](Index k) {  // P(X = k) / P(X = k - 1)
    return static_cast<double>(n - k + 1) / static_cast<double>(k) * (p / (1 - p));
  };
  term(mode) = 1;
  for (Index k = mode + 1; k <= n; ++k) term(k) = term(k - 1) * ratio(k);
  for (Index k = mode; k > 0; --k) term(k - 1) = term(k) / ratio(k);
  for (Index k = n - 1; k >= 0; --k) term(k) += term(k + 1);  // smallest first
  const double total = terms.front();
  for (double& tail : terms) tail /= total;
  return terms;
}

}  // namespace

Chance Chance::make(std::size_t speakers, Index windows) {
  if (speakers < 2) throw Error(ErrorKind::invalid_argument, "chance needs at least two speakers to guess from");
  if (windows < 0) throw Error(ErrorKind::invalid_argument, "a negative number of windows has no chance level");
  const double level = 1 / static_cast<double>(speakers);
  return {level, upper_tails(windows, level)};
}

std::optional<double> Chance::bound() const noexcept {
  const auto first = std::find_if(tails_.begin(), tails_.end(), [](double tail) { return tail <= significance; });
  if (first == tails_.end()) return std::nullopt;
  return static_cast<double>(first - tails_.begin()) / static_cast<double>(windows());
}

std::optional<double> Chance::p_value(double accuracy) const {
  if (!(accuracy >= 0 && accuracy <= 1)) {
    throw Error(ErrorKind::invalid_argument, "accuracy " + std::to_string(accuracy) + " lies outside 0..1");
  }
  if (windows() == 0) return std::nullopt;
  // k/n times n may end a rounding error above k.
  const double correct = std::ceil((accuracy * static_cast<double>(windows())) - 1e-6);
  return tails_[static_cast<std::size_t>(std::max(0.0, correct))];
}

}  // namespace heed::evaluate
