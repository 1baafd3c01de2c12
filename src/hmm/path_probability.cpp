// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/viterbi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "hmm/passes.h"

namespace heed::hmm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// log of the sum of exponentials; -inf of nothing.
double log_sum(std::span<const double> logarithms) noexcept {
  const double largest = std::ranges::max(logarithms);
  if (largest == -infinity) return largest;
  double sum = 0;
  for (const double one : logarithms) sum += std::exp(one - largest);
  return largest + std::log(sum);
}

double log_add(double a, double b) noexcept {
  const double larger = std::max(a, b);
  return larger == -infinity ? larger : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

// Which windows are missing does not depend on the path: those that say nothing possible of any state that attention
// can have reached by then.
class ReachableStates {
 public:
  explicit ReachableStates(const Chain& chain) : chain_(chain) {
    for (const double probability : chain.initial()) reached_.push_back(probability > 0 ? 1 : 0);
    before_ = reached_;
  }

  void predict() {
    if (chain_.as_sticky() != nullptr) {  // every state can be reached from every other
      std::ranges::fill(reached_, 1);
      return;
    }
    before_.swap(reached_);
    for (Index to = 0; to < chain_.states(); ++to) reached_[static_cast<std::size_t>(to)] = reaches(to) ? 1 : 0;
  }

  // Whether the window says anything; states that it rules out are not reached.
  bool observe(std::span<const double> log_likelihood) {
    bool possible = false;
    for (std::size_t j = 0; j < reached_.size(); ++j) {
      if (!(log_likelihood[j] < infinity)) return false;  // NaN too
      possible = possible || (reached_[j] != 0 && log_likelihood[j] > -infinity);
    }
    for (std::size_t j = 0; possible && j < reached_.size(); ++j) {
      if (log_likelihood[j] == -infinity) reached_[j] = 0;
    }
    return possible;
  }

 private:
  [[nodiscard]] bool reaches(Index to) const noexcept {
    for (Index from = 0; from < chain_.states(); ++from) {
      if (before_[static_cast<std::size_t>(from)] != 0 && chain_.general()(from, to) > 0) return true;
    }
    return false;
  }

  const Chain& chain_;
  std::vector<char> reached_;
  std::vector<char> before_;
};

// All paths that agree with the given one so far: one where the last state is known, else one number for each state.
class AgreeingPaths {
 public:
  explicit AgreeingPaths(const Chain& chain)
      : chain_(chain),
        each_(chain.initial().begin(), chain.initial().end()),
        next_(static_cast<std::size_t>(chain.states())) {
    for (double& probability : each_) probability = std::log(probability);
    if (const auto* sticky = chain.as_sticky()) {
      log_stay_ = std::log(sticky->stay());
      log_move_ = std::log(sticky->move());
      log_beyond_move_ = std::log(std::max(sticky->stay() - sticky->move(), 0.0));
    }
  }

  // evidence: none of a window that is missing.
  void step(Speaker wanted, std::span<const double> evidence) {
    const auto log_likelihood = [&](std::size_t j) { return evidence.empty() ? 0.0 : evidence[j]; };
    if (wanted != unknown_speaker) {
      total_ = arriving(wanted) + log_likelihood(static_cast<std::size_t>(wanted));
    } else {
      for (std::size_t j = 0; j < next_.size(); ++j) next_[j] = arriving(static_cast<Index>(j)) + log_likelihood(j);
      each_.swap(next_);
      total_ = log_sum(each_);
    }
    last_ = wanted;
    begun_ = true;
  }

  [[nodiscard]] double total() const noexcept { return total_; }

 private:
  // log-probability of being in a state at the next window.
  [[nodiscard]] double arriving(Index to) {
    if (!begun_) return each_[static_cast<std::size_t>(to)];
    if (last_ != unknown_speaker) return total_ + log_transition(last_, to);
    if (chain_.as_sticky() != nullptr) {
      return log_add(log_beyond_move_ + each_[static_cast<std::size_t>(to)], log_move_ + total_);
    }
    double sum = -infinity;
    for (Index from = 0; from < chain_.states(); ++from) {
      sum = log_add(sum, each_[static_cast<std::size_t>(from)] + log_transition(from, to));
    }
    return sum;
  }

  [[nodiscard]] double log_transition(Index from, Index to) const noexcept {
    if (chain_.as_sticky() == nullptr) return chain_.log_general()(from, to);
    return from == to ? log_stay_ : log_move_;
  }

  const Chain& chain_;
  std::vector<double> each_;  // of the last window, where its state is not known; before the first: the initial one
  std::vector<double> next_;
  double total_ = 0;  // of all of them together
  Speaker last_ = unknown_speaker;
  bool begun_ = false;
  double log_stay_ = 0;
  double log_move_ = 0;
  double log_beyond_move_ = 0;  // log(stay - move): a sticky step is a move to anywhere, or this much more of staying
};

void require_path(const Chain& chain, const LogLikelihoods& log_likelihoods, std::span<const Speaker> path) {
  require_states(chain, log_likelihoods);
  const Index windows = log_likelihoods.values.rows();
  if (std::ssize(path) != windows) {
    throw Error(ErrorKind::invalid_argument, "a path of " + std::to_string(path.size()) + " states for " +
                                                 std::to_string(windows) + " windows; give one state for each window");
  }
  for (std::size_t t = 0; t < path.size(); ++t) {
    if (path[t] >= unknown_speaker && path[t] < chain.states()) continue;
    throw Error(ErrorKind::invalid_argument, "window " + std::to_string(t + 1) + " of the path is in state " +
                                                 std::to_string(path[t]) + "; states are counted from 0 to " +
                                                 std::to_string(chain.states() - 1) + ", -1 is unknown");
  }
}

}  // namespace

PathProbability& PathProbability::operator+=(const PathProbability& other) noexcept {
  log_prior += other.log_prior;
  log_joint += other.log_joint;
  log_evidence += other.log_evidence;
  held += other.held;
  return *this;
}

PathProbability mean_of(std::span<const PathProbability> chains) noexcept {
  const auto log_mean = [&](double PathProbability::*part) {
    double largest = -std::numeric_limits<double>::infinity();
    for (const PathProbability& one : chains) largest = std::max(largest, one.*part);
    if (std::isinf(largest)) return largest;
    double sum = 0;
    for (const PathProbability& one : chains) sum += std::exp(one.*part - largest);
    return largest + std::log(sum / static_cast<double>(chains.size()));
  };
  return {.log_prior = log_mean(&PathProbability::log_prior),
          .log_joint = log_mean(&PathProbability::log_joint),
          .log_evidence = log_mean(&PathProbability::log_evidence),
          .held = chains.front().held};
}

PathProbability path_probability(const Chain& chain, const LogLikelihoods& log_likelihoods,
                                 std::span<const Speaker> path) {
  require_path(chain, log_likelihoods, path);
  const Posteriors filtered = filter(chain, log_likelihoods);
  ReachableStates reachable(chain);
  AgreeingPaths alone(chain);
  AgreeingPaths with_windows(chain);
  for (std::size_t t = 0; t < path.size(); ++t) {
    if (t > 0) reachable.predict();
    const auto evidence = data::view(log_likelihoods.values).row(static_cast<Index>(t));
    alone.step(path[t], {});
    with_windows.step(path[t], reachable.observe(evidence) ? evidence : std::span<const double>{});
  }
  return {.log_prior = alone.total(),
          .log_joint = with_windows.total(),
          .log_evidence = filtered.log_evidence,
          .held = filtered.held};
}

}  // namespace heed::hmm
