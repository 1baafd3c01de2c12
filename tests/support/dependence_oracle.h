// SPDX-License-Identifier: MIT
// Every path of attention through scores that repeat each other, in long double and by the definition: joint normal
// densities of windows that were observed, an offset summed over, missing windows walked through. Shares no code with
// heed.
#pragma once

#include <heed/emission/dependence.h>

#include "support/hmm_oracle.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace heed::test {

struct DependentEnumeration {
  std::vector<Matrix> given;  // given[m](t, j) = P(S_t = j | windows 0..m)
  double log_evidence = 0;    // of all windows
  double best = 0;            // log P(path, offset, windows) of the best path and offset
  double runner_up = 0;       // of the next best path
  std::vector<Speaker> best_path;
};

// z: transformed scores; a row of NaN is missing.
class DependenceOracle {
 public:
  DependenceOracle(PlainChain chain, emission::DependentGaussian model, Matrix z)
      : chain_(std::move(chain)), model_(std::move(model)), z_(std::move(z)) {}

  [[nodiscard]] DependentEnumeration enumerate() const {
    const Index windows = z_.rows();
    const Index states = z_.cols();
    DependentEnumeration result;
    result.best = result.runner_up = -std::numeric_limits<double>::infinity();
    for (Index m = 0; m < windows; ++m) {
      std::vector<std::vector<long double>> sums(static_cast<std::size_t>(windows),
                                                 std::vector<long double>(static_cast<std::size_t>(states)));
      long double all = 0;
      each_path([&](const std::vector<Speaker>& path) {
        long double joint = 0;
        long double largest = 0;
        for (const auto& offset : model_.offsets()) {
          const long double one = offset.probability * density(path, offset.value, m + 1);
          joint += one;
          largest = std::max(largest, one);
        }
        joint *= prior(path);
        all += joint;
        for (std::size_t t = 0; t < path.size(); ++t) sums[t][static_cast<std::size_t>(path[t])] += joint;
        if (m == windows - 1) note_best(path, static_cast<double>(std::log(largest * prior(path))), result);
      });
      Matrix& given = result.given.emplace_back(windows, states);
      for (Index t = 0; t < windows; ++t) {
        for (Index j = 0; j < states; ++j) {
          given(t, j) = static_cast<double>(sums[static_cast<std::size_t>(t)][static_cast<std::size_t>(j)] / all);
        }
      }
      result.log_evidence = static_cast<double>(std::log(all));
    }
    return result;
  }

 private:
  template <typename Visit>
  void each_path(const Visit& visit) const {
    std::vector<Speaker> path(static_cast<std::size_t>(z_.rows()));
    for (;;) {
      visit(path);
      std::size_t t = 0;
      while (t < path.size() && ++path[t] == z_.cols()) path[t++] = 0;
      if (t == path.size()) return;
    }
  }

  [[nodiscard]] long double prior(const std::vector<Speaker>& path) const {
    long double p = chain_.initial[static_cast<std::size_t>(path.front())];
    for (std::size_t t = 1; t < path.size(); ++t) p *= chain_.transition(path[t - 1], path[t]);
    return p;
  }

  // Of the first windows given the path: sigma^2 phi^|s - t| between times, sigma^2 rho between speakers. An
  // exchangeable model tells only differences of speakers' scores apart, and of its density what states and offsets
  // have in common is left out: exp(-x'Q x / 2) over that of nobody attended, without an offset.
  [[nodiscard]] long double density(const std::vector<Speaker>& path, double offset, Index count) const {
    const auto& e = model_.emission();
    const long double phi = model_.dependence().autocorrelation;
    const bool exchangeable = e.spread == Spread::exchangeable;
    const long double sigma2 =
        static_cast<long double>(e.sigma_attended) * e.sigma_attended * (1 - static_cast<long double>(e.correlation));
    long double log_density = 0;
    Index before = -1;
    for (Index t = 0; t < count; ++t) {
      if (std::isnan(z_(t, 0))) continue;
      const long double r = before < 0 ? 0 : std::pow(phi, static_cast<long double>(t - before));
      const long double variance = sigma2 * (1 - r * r);
      const auto residual = [&](Index window, Index k, bool attended, double moved) {
        const long double shift = (k == 0 ? -0.5L : 0.5L) * moved;
        const long double mean = exchangeable ? (attended ? e.mu_attended - e.mu_unattended : 0.0)
                                              : (attended ? e.mu_attended : e.mu_unattended);
        return z_(window, k) + shift - mean;
      };
      for (Index k = 0; k < z_.cols(); ++k) {
        long double x = residual(t, k, path[static_cast<std::size_t>(t)] == k, offset);
        long double nobody = residual(t, k, false, 0);
        if (before >= 0) {
          x -= r * residual(before, k, path[static_cast<std::size_t>(before)] == k, offset);
          nobody -= r * residual(before, k, false, 0);
        }
        log_density -= x * x / (2 * variance);
        if (!exchangeable) log_density -= std::log(2 * std::numbers::pi_v<long double> * variance) / 2;
        if (exchangeable) log_density += nobody * nobody / (2 * variance);
      }
      // What is left is (D^2 (1 + r^2)) / (2 variance), whoever is attended.
      const long double distance = e.mu_attended - e.mu_unattended;
      if (exchangeable) log_density += distance * distance * (1 + r * r) / (2 * variance);
      before = t;
    }
    return std::exp(log_density);
  }

  static void note_best(const std::vector<Speaker>& path, double log_joint, DependentEnumeration& result) {
    if (log_joint > result.best) {
      result.runner_up = result.best;
      result.best = log_joint;
      result.best_path = path;
    } else {
      result.runner_up = std::max(result.runner_up, log_joint);
    }
  }

  PlainChain chain_;
  emission::DependentGaussian model_;
  Matrix z_;
};

}  // namespace heed::test
