// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/hmm/batch.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "hmm/kernels/dispatch.h"
#include "hmm/passes.h"

namespace heed::hmm {
namespace {

// -1 if a length is negative or the sum would not fit the rows.
Index total_length(std::span<const Index> lengths, Index rows) noexcept {
  Index total = 0;
  for (const Index length : lengths) {
    if (length < 0 || length > rows - total) return -1;
    total += length;
  }
  return total;
}

Index longest(std::span<const Index> lengths) noexcept { return lengths.empty() ? 0 : std::ranges::max(lengths); }

bool fits(const Chain& chain, const BatchView& batch, std::span<const SequenceSummary> sequences) noexcept {
  const MatrixView& tall = batch.log_likelihood;
  return (tall.rows == 0 || tall.columns == chain.states()) && sequences.size() == batch.lengths.size() &&
         total_length(batch.lengths, tall.rows) == tall.rows;
}

// Calls run(first row, rows) for every sequence and keeps what it returns.
template <typename Run>
void each_sequence(const BatchView& batch, std::span<SequenceSummary> sequences, Run&& run) noexcept {
  Index first = 0;
  for (std::size_t s = 0; s < batch.lengths.size(); ++s) {
    sequences[s] = run(first, batch.lengths[s]);
    first += batch.lengths[s];
  }
}

template <typename Run>
bool each_posterior(const Chain& chain, const BatchView& batch, const BatchPosteriorsView& out, Run&& run) noexcept {
  if (!fits(chain, batch, out.sequences) || !same_shape(chain, batch.log_likelihood, out.values)) return false;
  each_sequence(batch, out.sequences, [&](Index first, Index rows) noexcept {
    return run(batch.log_likelihood.middle_rows(first, rows), out.values.middle_rows(first, rows));
  });
  return true;
}

// How many of the next sequences go side by side: as many as a register holds if they are of similar
// length (the shorter ones wait for the longest) and there is room, else one.
std::size_t together(std::span<const Index> lengths, std::span<const double> storage) noexcept {
  const auto lanes = static_cast<std::size_t>(kernels::best_kernels().lanes);
  if (lengths.size() < lanes) return 1;
  const auto [shortest, most] = std::ranges::minmax(lengths.first(lanes));
  const auto needed = static_cast<std::size_t>(kernels::lanes_storage(kernels::best_kernels().lanes, most));
  return shortest >= 1 && 2 * most <= 3 * shortest && needed <= storage.size() ? lanes : 1;
}

void require_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths) {
  require_states(chain, tall);
  const Index rows = tall.values.rows();
  if (total_length(lengths, rows) == rows) return;
  throw Error(ErrorKind::invalid_argument, "the " + std::to_string(lengths.size()) +
                                               " lengths of the batch do not add up to its " + std::to_string(rows) +
                                               " rows; give every sequence's number of windows, in order");
}

BatchPosteriors room(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths) {
  require_batch(chain, tall, lengths);
  return {.values = Matrix(tall.values.rows(), chain.states()),
          .window = tall.window,
          .hop = tall.hop,
          .sequences = std::vector<SequenceSummary>(lengths.size())};
}

}  // namespace

bool filter_batch_into(const Chain& chain, const BatchView& batch, FilterWorkspace& workspace,
                       const BatchPosteriorsView& out) noexcept {
  if (!workspace.fits(chain.states())) return false;
  return each_posterior(chain, batch, out, [&](MatrixView log_likelihood, MutableMatrixView posterior) noexcept {
    const double log_evidence = filter_into(chain, log_likelihood, workspace, posterior);
    return SequenceSummary{log_evidence, workspace.held()};
  });
}

bool smooth_batch_into(const Chain& chain, const BatchView& batch, SmoothWorkspace& workspace,
                       const BatchPosteriorsView& out) noexcept {
  if (!workspace.fits(longest(batch.lengths), chain.states())) return false;
  if (!fits(chain, batch, out.sequences) || !same_shape(chain, batch.log_likelihood, out.values)) return false;
  const std::span<double> storage = SmoothStorage(workspace).side_by_side();
  const bool contiguous = batch.log_likelihood.stride == 2 && out.values.stride == 2;
  const bool side_by_side = contiguous && kernels::suits_lanes(chain);
  Index row = 0;
  for (std::size_t s = 0; s < batch.lengths.size();) {
    const auto count = side_by_side ? together(batch.lengths.subspan(s), storage) : 1;
    if (count > 1) {
      kernels::smooth_lanes(kernels::best_kernels(), chain, {&batch, &out, storage.data()}, s, row);
    } else {
      const double log_evidence = smooth_into(chain, batch.log_likelihood.middle_rows(row, batch.lengths[s]), workspace,
                                              out.values.middle_rows(row, batch.lengths[s]));
      out.sequences[s] = {log_evidence, workspace.held()};
    }
    for (std::size_t k = 0; k < count; ++k) row += batch.lengths[s++];
  }
  return true;
}

bool viterbi_batch_into(const Chain& chain, const BatchView& batch, ViterbiWorkspace& workspace,
                        const BatchPathsView& out) noexcept {
  const bool prepared = workspace.fits(longest(batch.lengths), chain.states());
  const bool sized = out.states.size() == static_cast<std::size_t>(batch.log_likelihood.rows);
  if (!fits(chain, batch, out.sequences) || !sized || !prepared) return false;
  each_sequence(batch, out.sequences, [&](Index first, Index rows) noexcept {
    const auto path = out.states.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(rows));
    const double log_probability = viterbi_into(chain, batch.log_likelihood.middle_rows(first, rows), workspace, path);
    return SequenceSummary{log_probability, workspace.held()};
  });
  return true;
}

BatchPosteriors filter_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths) {
  BatchPosteriors out = room(chain, tall, lengths);
  FilterWorkspace workspace(chain.states());
  filter_batch_into(chain, {data::view(tall.values), lengths}, workspace, {data::view(out.values), out.sequences});
  return out;
}

BatchPosteriors smooth_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths) {
  BatchPosteriors out = room(chain, tall, lengths);
  SmoothWorkspace workspace;
  workspace.prepare_batch(longest(lengths), chain.states());
  smooth_batch_into(chain, {data::view(tall.values), lengths}, workspace, {data::view(out.values), out.sequences});
  return out;
}

BatchPaths viterbi_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths) {
  require_batch(chain, tall, lengths);
  BatchPaths out{.states = std::vector<Speaker>(static_cast<std::size_t>(tall.values.rows())),
                 .window = tall.window,
                 .hop = tall.hop,
                 .sequences = std::vector<SequenceSummary>(lengths.size())};
  ViterbiWorkspace workspace(longest(lengths), chain.states());
  viterbi_batch_into(chain, {data::view(tall.values), lengths}, workspace, {out.states, out.sequences});
  return out;
}

}  // namespace heed::hmm
