// SPDX-License-Identifier: MIT
#include <data/switching.h>
#include <data/text.h>

#include <algorithm>
#include <cmath>

namespace heed::data {
namespace {

// The first value at which the weights add up to `share`.
std::size_t quantile(const SwitchPosterior& posterior, double share) {
  double sum = 0;
  for (std::size_t g = 0; g < posterior.weights.size(); ++g) {
    sum += posterior.weights[g];
    if (sum >= share) return g;
  }
  return posterior.weights.size() - 1;
}

}  // namespace

std::string three_digits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return shown(std::round(value / unit) * unit);
}

Seconds switch_interval(const SwitchPosterior& posterior, std::size_t value) {
  return {1 / (static_cast<double>(posterior.speakers - 1) * posterior.per_second[value])};
}

std::size_t most_probable(const SwitchPosterior& posterior) {
  return static_cast<std::size_t>(std::ranges::max_element(posterior.weights) - posterior.weights.begin());
}

std::string switching_words(const SwitchPosterior& posterior) {
  const std::size_t best = most_probable(posterior);
  const std::size_t slowest = quantile(posterior, 0.05);
  const std::size_t quickest = quantile(posterior, 0.95);
  const auto interval = [&](std::size_t value) { return three_digits(switch_interval(posterior, value).value); };
  std::string words = "about every " + interval(best) + " s (p = " + three_digits(posterior.per_second[best]) +
                      " per second, " + shown(std::round(100 * posterior.weights[best])) + " %";
  if (slowest != quickest) words += "; 90 % between " + interval(quickest) + " and " + interval(slowest) + " s";
  return words + ")";
}

}  // namespace heed::data
