// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <emission/transform.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/label_free.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace heed::emission {
namespace {

// The null: T d^2 of noise, exceeded in 1 of 100 recordings. It depends on the switches that the chain expects, u, far
// more than on T itself: with few, noise may choose one place to change sides; with many, its square root. Simulated
// 4,000 times each at T = 1000 (tests/unit/emission/separation_slow_test.cpp simulates anew).
struct NullBound {
  double expected_switches;
  double two_speakers;
  double more_speakers;  // 3 and 5 differ by no more than the simulation
};
constexpr std::array null_bounds{NullBound{0.03, 15.9, 11.8}, NullBound{0.1, 17.4, 13}, NullBound{0.3, 18.5, 14.4},
                                 NullBound{1, 21.2, 17.6},    NullBound{3, 27.8, 23.8}, NullBound{10, 42.9, 36},
                                 NullBound{30, 69.6, 60},     NullBound{100, 140, 106}, NullBound{300, 503, 280}};

// A trial begins anew with any speaker: noise gains by it what it gains by so many expected switches.
constexpr double switches_per_trial = 0.3;

// Straight lines between the logarithms, and beyond the last.
double null_bound(double expected_switches, Index speakers) {
  const auto value = [&](const NullBound& one) { return speakers == 2 ? one.two_speakers : one.more_speakers; };
  if (expected_switches <= null_bounds.front().expected_switches) return value(null_bounds.front());
  std::size_t k = 1;
  while (k + 1 < null_bounds.size() && null_bounds[k].expected_switches < expected_switches) ++k;
  const NullBound& low = null_bounds[k - 1];
  const NullBound& high = null_bounds[k];
  const double along =
      std::log(expected_switches / low.expected_switches) / std::log(high.expected_switches / low.expected_switches);
  return value(low) * std::pow(value(high) / value(low), along);
}

// The mean over speakers, which attention leaves alone: what it repeats is noise.
Eigen::VectorXd common_part(const ScoredTrial& trial, bool fisher) {
  Eigen::VectorXd result(trial.scores.values.rows());
  for (Index t = 0; t < result.size(); ++t) {
    double sum = 0;
    for (const double value : data::view(trial.scores.values).row(t)) {
      sum += std::isnan(value) ? value : transformed(value, fisher);
    }
    result(t) = sum / static_cast<double>(trial.scores.values.cols());
  }
  return result;
}

struct Autocorrelation {
  double products = 0;
  double squares = 0;
  double pairs = 0;
  double all_squares = 0;  // of the scores themselves
};

void add_trial(Autocorrelation& sums, const ScoredTrial& trial, bool fisher) {
  const Eigen::VectorXd common = common_part(trial, fisher);
  double mean = 0;
  double count = 0;
  for (const double value : common) {
    if (!std::isnan(value)) mean += (value - mean) / ++count;
  }
  for (Index t = 0; t < common.size(); ++t) {
    if (std::isnan(common(t))) continue;
    for (const double value : data::view(trial.scores.values).row(t)) {
      sums.all_squares += std::pow(transformed(value, fisher) - mean, 2);
    }
    if (t + 1 == common.size() || std::isnan(common(t + 1))) continue;
    sums.products += (common(t) - mean) * (common(t + 1) - mean);
    sums.squares += (std::pow(common(t) - mean, 2) + std::pow(common(t + 1) - mean, 2)) / 2;
    ++sums.pairs;
  }
}

// How many windows say as much as one that is independent of the others, (1 + r)/(1 - r) where neighbours correlate
// by r; known from the overlap alone where the columns are one score and its negative and have no common part.
Index repeated_windows(std::span<const ScoredParticipant> participants, bool fisher) {
  Autocorrelation sums;
  for (const ScoredParticipant& one : participants) {
    for (const ScoredTrial& trial : one.trials) add_trial(sums, trial, fisher);
  }
  constexpr double nothing = 1e-6;
  constexpr double most = 0.99;
  if (!(sums.squares > nothing * sums.all_squares)) return windows_per_block(participants.front());
  const double r = std::min(sums.products / sums.squares, most);
  const double luck = 2 / std::sqrt(sums.pairs);
  // Twice as many, so that the means of blocks hardly correlate any more.
  return r > luck ? static_cast<Index>(std::lround(2 * (1 + r) / (1 - r))) : 1;
}

// Means over blocks of windows that lie end to end, of those that are complete; transformed.
ScoredTrial block_means(const ScoredTrial& trial, Index windows, bool fisher) {
  const Matrix& from = trial.scores.values;
  ScoredTrial result{.name = trial.name, .scores = trial.scores};
  Matrix& to = result.scores.values;
  to = Matrix::Zero(from.rows() / windows, from.cols());
  for (Index block = 0; block < to.rows(); ++block) {
    double complete = 0;
    for (Index t = block * windows; t < (block + 1) * windows; ++t) {
      if (from.row(t).hasNaN()) continue;
      ++complete;
      for (Index n = 0; n < from.cols(); ++n) to(block, n) += transformed(from(t, n), fisher);
    }
    to.row(block) /= complete;  // 0/0: the block is missing
  }
  return result;
}

double leaving(const hmm::Chain& chain) {
  double sum = 0;
  for (Index n = 0; n < chain.states(); ++n) sum += 1 - chain.transition(hmm::From{n}, hmm::To{n});
  return sum / static_cast<double>(chain.states());
}

// In units of the noise that is not common to all speakers; 0 where there is nothing but that.
double separation_of(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                     const std::function<void()>& each_iteration) {
  try {
    const GaussianEmission found =
        fit_baum_welch(participants, chain, {.fisher = false, .spread = Spread::exchangeable}, each_iteration).emission;
    const double noise = found.sigma_attended * std::sqrt(1 - found.correlation);
    return noise > 0 ? (found.mu_attended - found.mu_unattended) / noise : 0;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::singular) throw;
    return 0;
  }
}

}  // namespace

SeparationTest test_separation(std::span<const ScoredParticipant> participants, const hmm::Chain& chain, bool fisher,
                               const std::function<void()>& each_iteration) {
  if (participants.empty()) throw Error(ErrorKind::bad_data, "there are no scores to be told apart");
  const Index repeated = repeated_windows(participants, fisher);
  double windows = 0;
  double trials = 0;
  std::vector<ScoredParticipant> independent;
  for (const ScoredParticipant& one : participants) {
    independent.push_back({.id = one.id, .speakers = one.speakers, .type = one.type, .features = one.features});
    for (const ScoredTrial& trial : one.trials) {
      ScoredTrial blocks = block_means(trial, repeated, fisher);
      if (blocks.scores.values.rows() == 0) continue;
      windows += static_cast<double>(blocks.scores.values.rows() -
                                     blocks.scores.values.array().isNaN().rowwise().any().count());
      ++trials;
      independent.back().trials.push_back(std::move(blocks));
    }
    if (independent.back().trials.empty()) independent.pop_back();
  }
  constexpr double fewest = 10;  // fewer could be told apart whatever they are
  if (windows < fewest) return {.found = 0, .bound = std::sqrt(null_bound(0, chain.states()) / fewest)};
  const auto speakers = static_cast<double>(chain.states());
  const double leave = std::min(leaving(chain) * static_cast<double>(repeated), (speakers - 1) / speakers);
  const auto slower = hmm::Chain::sticky(chain.states(), std::max(leave, 1e-12) / (speakers - 1));
  const double expected = (leave * windows) + (switches_per_trial * (trials - 1));
  return {.found = separation_of(independent, slower, each_iteration),
          .bound = std::sqrt(null_bound(expected, chain.states()) / windows)};
}

GaussianEmission undecided(GaussianEmission emission, Index speakers) noexcept {
  const auto n = static_cast<double>(speakers);
  const double mean = (emission.mu_attended + (n - 1) * emission.mu_unattended) / n;
  emission.mu_attended = mean;
  emission.mu_unattended = mean;
  return emission;
}

std::string undecided_words(const SeparationTest& test, bool known) {
  const auto two_decimals = [](double value) { return data::shown(std::round(100 * value) / 100); };
  return "without labels, these scores do not tell the speakers apart: they differ by " + two_decimals(test.found) +
         " SD, and noise alone by up to " + two_decimals(test.bound) +
         (known ? "; who is attended is decided by what scores mean in the population alone, so check it by labels, or "
                  "take a longer recording"
                : ", so they decide nothing; take a longer recording, labelled scores of others, or a model: as a last "
                  "resort, heed's reference");
}

}  // namespace heed::emission
