// SPDX-License-Identifier: MIT
#include <heed/hmm/viterbi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What differs by no more is a tie: the same factors multiplied in another order. A missing window makes
// such ties, for switching before it or after it is equally likely.
constexpr double tie = 1e-12;

// The lowest index among the best.
std::size_t lowest_best(std::span<const double> score) noexcept {
  const double enough = std::ranges::max(score) - tie;
  return static_cast<std::size_t>(std::ranges::find_if(score, [=](double s) { return s >= enough; }) - score.begin());
}

// score: log-probability of the best path into each state, less that of the best of them.
class BestMoves {
 public:
  BestMoves(const Chain& chain, std::span<double> scratch) noexcept : chain_(chain), scratch_(scratch) {
    if (const auto* sticky = chain.as_sticky()) {
      log_stay_ = std::log(sticky->stay());
      log_move_ = std::log(sticky->move());
    }
  }

  void predict(std::span<double> score, std::span<Speaker> came_from) const noexcept {
    if (chain_.as_sticky() != nullptr) {
      predict_sticky(score, came_from);
    } else {
      predict_general(score, came_from);
    }
  }

 private:
  // Staying is at least as likely as any one move, so whoever moves comes from the best state of all.
  void predict_sticky(std::span<double> score, std::span<Speaker> came_from) const noexcept {
    const std::size_t best = lowest_best(score);
    const double moved = score[best] + log_move_;
    for (std::size_t j = 0; j < score.size(); ++j) {
      const double stayed = score[j] + log_stay_;
      const bool moves = moved > stayed + tie && j != best;
      came_from[j] = static_cast<Speaker>(moves ? best : j);
      score[j] = moves ? moved : stayed;
    }
  }

  void predict_general(std::span<double> score, std::span<Speaker> came_from) const noexcept {
    for (std::size_t j = 0; j < score.size(); ++j) {
      const std::size_t best = best_before(score, j);
      came_from[j] = static_cast<Speaker>(best);
      scratch_[j] = score[best] + log_transition(best, j);
    }
    std::ranges::copy(scratch_, score.begin());
  }

  [[nodiscard]] std::size_t best_before(std::span<const double> score, std::size_t j) const noexcept {
    double highest = -infinity;
    for (std::size_t i = 0; i < score.size(); ++i) highest = std::max(highest, score[i] + log_transition(i, j));
    if (score[j] + log_transition(j, j) >= highest - tie) return j;
    std::size_t lowest = 0;
    while (score[lowest] + log_transition(lowest, j) < highest - tie) ++lowest;
    return lowest;
  }

  [[nodiscard]] double log_transition(std::size_t from, std::size_t to) const noexcept {
    return chain_.log_general()(static_cast<Index>(from), static_cast<Index>(to));
  }

  const Chain& chain_;
  std::span<double> scratch_;
  double log_stay_ = 0;
  double log_move_ = 0;
};

// The largest log-likelihood over states that a path reaches; -inf: the window is missing.
double largest_reachable(std::span<const double> score, std::span<const double> log_likelihood) noexcept {
  double largest = -infinity;
  for (std::size_t j = 0; j < score.size(); ++j) {
    if (!(log_likelihood[j] < infinity)) return -infinity;  // NaN too
    if (score[j] > -infinity) largest = std::max(largest, log_likelihood[j]);
  }
  return largest;
}

// Adds the window's evidence unless it is missing, then takes the best score out, so that nothing drifts.
LogEvidence weigh(std::span<double> score, std::span<const double> log_likelihood) noexcept {
  const double largest = largest_reachable(score, log_likelihood);
  const bool held = largest == -infinity;
  if (!held) {
    for (std::size_t j = 0; j < score.size(); ++j) score[j] += log_likelihood[j] - largest;
  }
  const double best = std::ranges::max(score);
  for (double& s : score) s -= best;
  return {.log = held ? best : largest + best, .held = held ? 1 : 0};
}

bool fits(const Chain& chain, MatrixView log_likelihood, const ViterbiWorkspace& workspace,
          std::span<const Speaker> path) noexcept {
  const Index windows = log_likelihood.rows;
  const bool shaped = windows == 0 || log_likelihood.columns == chain.states();
  return shaped && path.size() == static_cast<std::size_t>(windows) && workspace.fits(windows, chain.states());
}

}  // namespace

void ViterbiWorkspace::prepare(Index windows, Index states) {
  const auto n = static_cast<std::size_t>(states);
  came_from_.resize(std::max(came_from_.size(), static_cast<std::size_t>(windows) * n));
  score_.resize(std::max(score_.size(), n));
  scratch_.resize(score_.size());
  if (states == 2) leads_.resize(std::max(leads_.size(), static_cast<std::size_t>(kernels::viterbi_storage(windows))));
}

bool ViterbiWorkspace::fits(Index windows, Index states) const noexcept {
  const auto n = static_cast<std::size_t>(states);
  const auto leads = static_cast<std::size_t>(states == 2 ? kernels::viterbi_storage(windows) : 0);
  return score_.size() >= n && came_from_.size() >= static_cast<std::size_t>(windows) * n && leads_.size() >= leads;
}

double viterbi_plainly(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                       std::span<Speaker> path) noexcept {
  if (!fits(chain, log_likelihood, workspace, path)) return std::numeric_limits<double>::quiet_NaN();
  const Index windows = log_likelihood.rows;
  const auto states = static_cast<std::size_t>(chain.states());
  const std::span<double> score{workspace.score_.data(), states};
  const BestMoves moves(chain, {workspace.scratch_.data(), states});
  const auto came_from = [&](Index t) {
    return std::span<Speaker>{workspace.came_from_.data() + (static_cast<std::size_t>(t) * states), states};
  };

  LogEvidence evidence;
  std::ranges::transform(chain.initial(), score.begin(), [](double probability) { return std::log(probability); });
  for (Index t = 0; t < windows; ++t) {
    if (t > 0) moves.predict(score, came_from(t));
    const LogEvidence window = weigh(score, log_likelihood.row(t));
    evidence.log += window.log;
    evidence.held += window.held;
  }

  auto state = static_cast<Speaker>(lowest_best(score));
  for (Index t = windows - 1; t >= 0; --t) {
    path[static_cast<std::size_t>(t)] = state;
    if (t > 0) state = came_from(t)[static_cast<std::size_t>(state)];
  }
  workspace.held_ = evidence.held;
  return evidence.log;
}

double viterbi_into(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                    std::span<Speaker> path) noexcept {
  const bool suits = !path.empty() && kernels::suits_viterbi(chain);
  if (!suits || !fits(chain, log_likelihood, workspace, path)) {
    return viterbi_plainly(chain, log_likelihood, workspace, path);
  }
  const auto best = kernels::viterbi(kernels::best_kernels(), chain, log_likelihood,
                                     {.leads = workspace.leads_, .path = path, .tie = tie});
  workspace.held_ = best.held;
  return best.log_probability;
}

Path viterbi(const Chain& chain, const LogLikelihoods& log_likelihoods) {
  require_states(chain, log_likelihoods);
  const Index windows = log_likelihoods.values.rows();
  ViterbiWorkspace workspace(windows, chain.states());
  Path path{.states = std::vector<Speaker>(static_cast<std::size_t>(windows)),
            .window = log_likelihoods.window,
            .hop = log_likelihoods.hop};
  path.log_probability = viterbi_into(chain, data::view(log_likelihoods.values), workspace, path.states);
  path.held = workspace.held();
  return path;
}

}  // namespace heed::hmm
