// SPDX-License-Identifier: MIT
// The forward and the backward pass that filter, smooth, fixed lag, E-step and sampling are made of,
// over either kind of chain. Sticky chains go through core's compiled steps, bit for bit; general
// chains share core's absorb and differ only in the matrix product.
#pragma once

#include <heed/core/recursion.h>
#include <heed/data/series.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/smooth.h>

#include <algorithm>
#include <optional>
#include <span>

namespace heed::hmm {

// The storage of a run, all of it the caller's. T windows, N states.
struct Trellis {
  MutableMatrixView beliefs;  // T x N. forward: P(S_t | windows 0..t); combine: row by row P(S_t | more windows)
  MutableMatrixView weights;  // T x N, b_j(t) up to a scale a window. Stride 0 (one row for all) if nobody looks back
  std::span<double> future;   // N, P(later windows | S_t) up to scale; the paper's beta
  std::span<double> scratch;  // N
};

struct LogEvidence {
  double log = 0;
  Index held = 0;  // windows that were missing
};

// What one window needs beside the belief; N numbers each.
struct WindowStorage {
  std::span<double> weights;  // b_j up to a scale: written going forward, read going back
  std::span<double> scratch;
};

// How attention moves in one step: one of the two. A general matrix need not sum to one.
struct ChainStep {
  const core::StickyChain<double>* sticky = nullptr;
  MatrixView general{};
};

core::Absorbed<double> advance(const ChainStep& chain, std::span<double> belief, std::span<const double> log_likelihood,
                               const WindowStorage& window) noexcept;
void retreat(const ChainStep& chain, std::span<double> future, const WindowStorage& later) noexcept;

// Every window but the first: belief <- the chain's prediction, then the window's evidence.
core::Absorbed<double> advance(const Chain& chain, std::span<double> belief, std::span<const double> log_likelihood,
                               const WindowStorage& window) noexcept;

// future <- A (weights of the later window x future), scaled to sum one.
void retreat(const Chain& chain, std::span<double> future, const WindowStorage& later) noexcept;

// belief <- belief x other, scaled to sum one.
void combine(std::span<double> belief, std::span<const double> other) noexcept;

// Fills beliefs and weights. Shapes agree: settled by the caller.
LogEvidence forward(const Chain& chain, MatrixView log_likelihood, const Trellis& trellis) noexcept;

// The same on a trellis: future of window t+1 becomes that of t; beliefs(t) take the future in.
void retreat(const Chain& chain, const Trellis& trellis, Index t) noexcept;
void combine(const Trellis& trellis, Index t) noexcept;

// Turns the rows `first` ... T-1 of beliefs into P(S_t | all windows). The last row is so already.
// `visit(t)` is called while future and row t+1's weights still belong to window t+1 and row t is the
// forward belief: all a transition t -> t+1 needs.
template <typename Visit>
void backward(const Chain& chain, const Trellis& trellis, Index first, Visit&& visit) noexcept {
  std::ranges::fill(trellis.future, 1.0);
  for (Index t = trellis.beliefs.rows - 2; t >= first; --t) {
    visit(t);
    retreat(chain, trellis, t);
    combine(trellis, t);
  }
}

// A workspace seen from inside.
class SmoothStorage {
 public:
  explicit SmoothStorage(SmoothWorkspace& workspace) noexcept : workspace_(workspace) {}

  // Whether there is room for smooth_into of this chain.
  [[nodiscard]] bool fits(const Chain& chain, Index windows) const noexcept;

  // Precondition: the workspace fits(beliefs.rows, beliefs.columns).
  [[nodiscard]] Trellis trellis(MutableMatrixView beliefs) const noexcept;
  [[nodiscard]] double* weights() const noexcept { return workspace_.weights_.data(); }
  [[nodiscard]] std::span<double> side_by_side() const noexcept { return workspace_.side_by_side_; }
  void set_held(Index windows) const noexcept { workspace_.held_ = windows; }

 private:
  SmoothWorkspace& workspace_;
};

// smooth_into by the plain recursions, whatever the chain: what the kernels are held to.
double smooth_plainly(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                      MutableMatrixView posterior) noexcept;

// filter_into, likewise; here the kernels give the same bits.
class FilterWorkspace;
double filter_plainly(const Chain& chain, MatrixView log_likelihood, FilterWorkspace& workspace,
                      MutableMatrixView posterior) noexcept;

// expectation_into, likewise.
class ExpectationWorkspace;
double expectation_plainly(const Chain& chain, MatrixView log_likelihood, ExpectationWorkspace& workspace,
                           MutableMatrixView posterior) noexcept;

// viterbi_into, likewise.
class ViterbiWorkspace;
double viterbi_plainly(const Chain& chain, MatrixView log_likelihood, ViterbiWorkspace& workspace,
                       std::span<Speaker> path) noexcept;

// The forward pass in a workspace's storage, ready to look back. Nothing, and nothing written, if the
// shapes do not fit.
struct ForwardPass {
  Trellis trellis;
  double log_evidence = 0;
};
std::optional<ForwardPass> forward_pass(const Chain& chain, MatrixView log_likelihood, SmoothWorkspace& workspace,
                                        MutableMatrixView beliefs) noexcept;

// Throws invalid_argument unless it lies in 0 ... longest_stream_lag.
Index checked_stream_lag(Index lag);
// Probabilities that sum to one, but for rounding.
bool is_distribution(std::span<const double> belief) noexcept;

// Throws invalid_argument unless the log-likelihoods have a column per state (or nothing at all).
void require_states(const Chain& chain, const LogLikelihoods& log_likelihoods);
// Values not yet set, in memory that is quick to enter.
Matrix new_matrix(Index rows, Index columns);
// Posteriors of the same windows, values not yet set. Throws as require_states.
Posteriors room_for_posteriors(const Chain& chain, const LogLikelihoods& log_likelihoods);

// Whether an in-place call's output is as large as its input and both fit the chain.
inline bool same_shape(const Chain& chain, MatrixView input, MatrixView output) noexcept {
  return input.rows == output.rows &&
         (input.rows == 0 || (input.columns == chain.states() && output.columns == chain.states()));
}

}  // namespace heed::hmm
