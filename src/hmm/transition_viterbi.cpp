// SPDX-License-Identifier: MIT
#include "hmm/transition_viterbi.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "hmm/best_moves.h"

namespace heed::hmm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The most probable ways over so many windows, from every state to every state.
Matrix best_ways(const Chain& chain, Index windows) {
  const MatrixView step = chain.log_general();
  Matrix ways = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(step.data, step.rows, step.columns,
                                                                  Eigen::OuterStride<>(step.stride));
  for (Index k = 1; k < windows; ++k) {
    Matrix longer = Matrix::Constant(ways.rows(), ways.cols(), -infinity);
    for (Index i = 0; i < ways.rows(); ++i) {
      for (Index m = 0; m < ways.cols(); ++m) {
        for (Index j = 0; j < ways.cols(); ++j) longer(i, j) = std::max(longer(i, j), ways(i, m) + step(m, j));
      }
    }
    ways = std::move(longer);
  }
  return ways;
}

// The recursion of one trial. A window that was observed after another is reached from that one in a single step.
class BestPath {
 public:
  BestPath(const Chain& chain, const TransitionWindows& windows)
      : chain_(chain),
        windows_(windows),
        plain_(LogMoves::of(chain)),
        score_(static_cast<std::size_t>(chain.states())),
        anchor_(score_.size()),
        scratch_(score_.size()),
        came_from_(windows.hops.size() * score_.size()) {}

  Path find() {
    std::ranges::transform(chain_.initial(), score_.begin(), [](double p) { return std::log(p); });
    for (Index t = 0; t < count(); ++t) step(t);
    Path path{.states = std::vector<Speaker>(windows_.hops.size())};
    trace(path.states);
    path.log_probability = count() == 0 ? 0 : log_probability_ + *std::ranges::max_element(score_);
    path.held = std::ranges::count(windows_.observed, false);
    return path;
  }

 private:
  [[nodiscard]] Index count() const { return std::ssize(windows_.hops); }
  [[nodiscard]] std::span<Speaker> came_from(Index t) {
    return std::span(came_from_).subspan(static_cast<std::size_t>(t) * score_.size(), score_.size());
  }

  void step(Index t) {
    const auto window = static_cast<std::size_t>(t);
    const Index hops = windows_.hops[window];
    if (hops > 0) {
      score_ = anchor_;
      for (std::size_t i = 0; i < score_.size(); ++i) score_[i] += windows_.departing(t, static_cast<Index>(i));
      over(hops, windows_.stay[window], came_from(t));
    } else if (t > 0) {
      predict_best(plain_, score_, came_from(t), scratch_);
    }
    if (!windows_.observed[window]) return;
    for (std::size_t j = 0; j < score_.size(); ++j) score_[j] += windows_.arriving(t, static_cast<Index>(j));
    const double best = *std::ranges::max_element(score_);  // taken out, so that nothing drifts
    for (double& s : score_) s -= best;
    log_probability_ += best + windows_.common[window];
    anchor_ = score_;
  }

  void over(Index hops, double stay, std::span<Speaker> from) {
    if (chain_.as_sticky() != nullptr) {
      const double staying = static_cast<double>(hops - 1) * plain_.stay;
      predict_best({.stay = plain_.stay + staying + stay, .move = plain_.move + staying}, score_, from, scratch_);
      return;
    }
    Matrix ways = best_ways(chain_, hops);
    ways.diagonal().array() += stay;
    predict_best({.general = data::view(std::as_const(ways))}, score_, from, scratch_);
  }

  void trace(std::vector<Speaker>& path) {
    if (path.empty()) return;
    auto state = static_cast<Speaker>(lowest_best(score_));
    for (Index t = count() - 1; t >= 0;) {
      path[static_cast<std::size_t>(t)] = state;
      const Index hops = windows_.hops[static_cast<std::size_t>(t)];
      const Speaker before = t > 0 ? came_from(t)[static_cast<std::size_t>(state)] : state;
      const auto missing = static_cast<std::size_t>(std::max<Index>(hops - 1, 0));
      fill_gap(std::span(path).subspan(static_cast<std::size_t>(t) - missing, missing), before, state);
      t -= std::max<Index>(hops, 1);
      state = before;
    }
  }

  // Missing windows between two states: by a recursion of their own, to a last step into the known end.
  void fill_gap(std::span<Speaker> gap, Speaker from, Speaker to) {
    if (chain_.as_sticky() != nullptr) {
      std::ranges::fill(gap, to);
      return;
    }
    const auto states = static_cast<std::size_t>(chain_.states());
    std::vector<Speaker> pointers((gap.size() + 1) * states);
    std::vector<double> score(states, -infinity);
    score[static_cast<std::size_t>(from)] = 0;
    for (std::size_t k = 0; k <= gap.size(); ++k) {
      predict_best(plain_, score, std::span(pointers).subspan(k * states, states), scratch_);
    }
    for (std::size_t k = gap.size(); k > 0; --k) {
      to = pointers[(k * states) + static_cast<std::size_t>(to)];
      gap[k - 1] = to;
    }
  }

  const Chain& chain_;
  const TransitionWindows& windows_;
  LogMoves plain_;
  std::vector<double> score_;
  std::vector<double> anchor_;  // of the last observed window
  std::vector<double> scratch_;
  std::vector<Speaker> came_from_;
  double log_probability_ = 0;
};

}  // namespace

Path viterbi(const Chain& chain, const TransitionWindows& windows) { return BestPath(chain, windows).find(); }

}  // namespace heed::hmm
