// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/baum_welch.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct StepCounts {
  double stays = 0;
  double switches = 0;
};

// The joint posterior of a step t -> t+1 is belief_i A_ij u_j up to scale, u = weights x future of t+1.
// Writes u into the scratch.
void weigh_future(const Trellis& trellis, Index t) noexcept {
  const auto weights = trellis.weights.row(t + 1);
  for (std::size_t j = 0; j < weights.size(); ++j) trellis.scratch[j] = weights[j] * trellis.future[j];
}

StepCounts count_sticky(const core::StickyChain<double>& chain, const Trellis& trellis, Index t) noexcept {
  weigh_future(trellis, t);
  double total = 0;
  for (const double u : trellis.scratch) total += u;
  double stays = 0;
  double switches = 0;
  const auto belief = trellis.beliefs.row(t);
  for (std::size_t i = 0; i < belief.size(); ++i) {
    stays += belief[i] * trellis.scratch[i];
    switches += belief[i] * std::max(0.0, total - trellis.scratch[i]);
  }
  stays *= chain.stay();
  switches *= chain.move();
  const double sum = stays + switches;
  return sum > 0 ? StepCounts{stays / sum, switches / sum} : StepCounts{};
}

StepCounts count_general(MatrixView transition, const Trellis& trellis, Index t, MutableMatrixView pairs) noexcept {
  weigh_future(trellis, t);
  const auto belief = trellis.beliefs.row(t);
  double sum = 0;
  for (Index i = 0; i < pairs.rows; ++i) {
    for (Index j = 0; j < pairs.columns; ++j) {
      sum += belief[static_cast<std::size_t>(i)] * transition(i, j) * trellis.scratch[static_cast<std::size_t>(j)];
    }
  }
  StepCounts counts;
  if (!(sum > 0)) return counts;
  for (Index i = 0; i < pairs.rows; ++i) {
    for (Index j = 0; j < pairs.columns; ++j) {
      const double joint =
          belief[static_cast<std::size_t>(i)] * transition(i, j) * trellis.scratch[static_cast<std::size_t>(j)] / sum;
      pairs(i, j) += joint;
      (i == j ? counts.stays : counts.switches) += joint;
    }
  }
  return counts;
}

void require_labels(const LogLikelihoods& log_likelihoods, const AttentionTrack& labels) {
  const Matrix& values = log_likelihoods.values;
  const auto given = static_cast<Index>(labels.attended.size());
  if (given != values.rows()) {
    throw Error(ErrorKind::invalid_argument,
                std::to_string(given) + " labels for " + std::to_string(values.rows()) +
                    " windows; give one label for each window, -1 where attention is unknown");
  }
  for (Index t = 0; t < given; ++t) {
    const Speaker label = labels.attended[static_cast<std::size_t>(t)];
    if (label >= unknown_speaker && label < values.cols()) continue;
    throw Error(ErrorKind::invalid_argument, "window " + std::to_string(t + 1) + " is labelled " +
                                                 std::to_string(label) + "; speakers are counted from 0 to " +
                                                 std::to_string(values.cols() - 1));
  }
}

// A clamped window leaves its label certain, unless the label is a state no path reaches.
void require_reached(const Posteriors& posteriors, const AttentionTrack& labels) {
  for (std::size_t t = 0; t < labels.attended.size(); ++t) {
    const Speaker label = labels.attended[t];
    if (label == unknown_speaker || posteriors.values(static_cast<Index>(t), label) > 0) continue;
    throw Error(
        ErrorKind::bad_data,
        "window " + std::to_string(t + 1) + " is labelled " + std::to_string(label) +
            ", which the chain cannot reach from the windows before it; correct the label or allow the transition");
  }
}

}  // namespace

TransitionCounts& TransitionCounts::operator+=(const TransitionCounts& other) {
  stays += other.stays;
  switches += other.switches;
  if (pairs.size() == 0) {
    pairs = other.pairs;
  } else {
    pairs += other.pairs;
  }
  return *this;
}

void ExpectationWorkspace::prepare(Index windows, Index states) {
  smooth_.prepare(windows, states);
  pairs_.resize(std::max(pairs_.size(), static_cast<std::size_t>(kernels::pair_storage(states))));
}

TransitionCounts ExpectationWorkspace::transitions() const {
  const Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> pairs(pairs_.data(), pair_states_, pair_states_,
                                                                Eigen::OuterStride<>(kernels::padded(pair_states_)));
  return {.stays = stays_, .switches = switches_, .pairs = pairs};
}

double expectation_plainly(const Chain& chain, MatrixView log_likelihood, ExpectationWorkspace& workspace,
                           MutableMatrixView posterior) noexcept {
  const auto pass = forward_pass(chain, log_likelihood, workspace.smooth_, posterior);
  if (!pass) return std::numeric_limits<double>::quiet_NaN();
  const auto* sticky = chain.as_sticky();
  const Index n = sticky != nullptr ? 0 : chain.states();
  const MutableMatrixView pairs{workspace.pairs_.data(), n, n, kernels::padded(n)};
  std::fill_n(workspace.pairs_.begin(), kernels::pair_storage(n), 0.0);
  workspace.pair_states_ = n;
  workspace.stays_ = workspace.switches_ = 0;
  backward(chain, pass->trellis, 0, [&](Index t) {
    const StepCounts counts = sticky != nullptr ? count_sticky(*sticky, pass->trellis, t)
                                                : count_general(chain.general(), pass->trellis, t, pairs);
    workspace.stays_ += counts.stays;
    workspace.switches_ += counts.switches;
  });
  return pass->log_evidence;
}

double expectation_into(const Chain& chain, MatrixView log_likelihood, ExpectationWorkspace& workspace,
                        MutableMatrixView posterior) noexcept {
  const auto& set = kernels::best_kernels();
  const bool fits =
      same_shape(chain, log_likelihood, posterior) && workspace.smooth_.fits(posterior.rows, chain.states());
  if (!fits || posterior.rows == 0 || !kernels::suits_smoothing(chain)) {
    return expectation_plainly(chain, log_likelihood, workspace, posterior);
  }
  const SmoothStorage storage(workspace.smooth_);
  const auto expected =
      kernels::expect(set, chain, log_likelihood, {storage.weights(), workspace.pairs_.data()}, posterior);
  storage.set_held(expected.held);
  const Index n = chain.general().rows;
  workspace.pair_states_ = n;
  workspace.switches_ = expected.switches;
  const double* pairs = workspace.pairs_.data();
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) workspace.switches_ += i == j ? 0 : pairs[(i * kernels::padded(n)) + j];
  }
  workspace.stays_ = static_cast<double>(posterior.rows - 1) - workspace.switches_;
  return expected.log_evidence;
}

LogLikelihoods clamp(LogLikelihoods log_likelihoods, const AttentionTrack& labels) {
  require_labels(log_likelihoods, labels);
  for (Index t = 0; t < log_likelihoods.values.rows(); ++t) {
    const Speaker label = labels.attended[static_cast<std::size_t>(t)];
    if (label == unknown_speaker) continue;
    auto row = log_likelihoods.values.row(t);
    const bool observed = (row.array() < infinity).all() && row(label) > -infinity;
    const double evidence = observed ? row(label) : 0;
    row.setConstant(-infinity);
    row(label) = evidence;
  }
  return log_likelihoods;
}

Expectation expectation(const Chain& chain, const LogLikelihoods& log_likelihoods, const AttentionTrack& labels) {
  Posteriors posteriors = room_for_posteriors(chain, log_likelihoods);
  ExpectationWorkspace workspace(posteriors.values.rows(), chain.states());
  const bool labelled = !labels.attended.empty();
  const LogLikelihoods clamped = labelled ? clamp(log_likelihoods, labels) : LogLikelihoods{};
  const Matrix& values = labelled ? clamped.values : log_likelihoods.values;
  posteriors.log_evidence = expectation_into(chain, data::view(values), workspace, data::view(posteriors.values));
  posteriors.held = workspace.held();
  require_reached(posteriors, labels);
  return {.posteriors = std::move(posteriors), .transitions = workspace.transitions()};
}

}  // namespace heed::hmm
