// SPDX-License-Identifier: MIT
#include <data/in_parallel.h>
#include <heed/data/error.h>
#include <heed/hmm/batch.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
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

// How many of the next sequences go side by side: as many as a register holds if they are of similar
// length (the shorter ones wait for the longest), else one.
std::size_t together(std::span<const Index> lengths) noexcept {
  const auto lanes = static_cast<std::size_t>(kernels::best_kernels().lanes);
  if (lengths.size() < lanes) return 1;
  const auto [shortest, most] = std::ranges::minmax(lengths.first(lanes));
  return shortest >= 1 && 2 * most <= 3 * shortest ? lanes : 1;
}

bool fits(const Chain& chain, const BatchView& batch, const BatchPosteriorsView& out) noexcept {
  return fits(chain, batch, out.sequences) && same_shape(chain, batch.log_likelihood, out.values);
}

bool may_go_side_by_side(const Chain& chain, const BatchView& batch, const BatchPosteriorsView& out) noexcept {
  return batch.log_likelihood.stride == chain.states() && out.values.stride == chain.states() &&
         kernels::suits_lanes(chain);
}

// Sequences that are worked on together: the first of them, how many, and where their rows are.
struct Group {
  std::size_t first = 0;
  std::size_t count = 1;
  Index row = 0;
  Index rows = 0;
};

// Calls work(group) for all sequences in order.
template <typename Work>
void each_group(std::span<const Index> lengths, bool side_by_side, Work&& work) {
  for (Group group; group.first < lengths.size();) {
    group.count = side_by_side ? together(lengths.subspan(group.first)) : 1;
    const auto sizes = lengths.subspan(group.first, group.count);
    group.rows = std::accumulate(sizes.begin(), sizes.end(), Index{0});
    work(group);
    group.first += group.count;
    group.row += group.rows;
  }
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
  return {.values = new_matrix(tall.values.rows(), chain.states()),
          .window = tall.window,
          .hop = tall.hop,
          .sequences = std::vector<SequenceSummary>(lengths.size())};
}

BatchPosteriorsView part_of(BatchPosteriors& all, const Group& part) noexcept {
  return {data::view(all.values).middle_rows(part.row, part.rows),
          std::span(all.sequences).subspan(part.first, part.count)};
}

// Calls work(the part as a batch, the part) for parts that are cut between groups, over several threads. Sequences stay
// with those they go side by side with, so the bytes are the same for any number of threads.
template <typename Work>
void each_part(const Chain& chain, const BatchView& batch, std::size_t threads, const Work& work) {
  const Index rows_in_part = threads == 1 ? batch.log_likelihood.rows : Index{1} << 16U;
  std::vector<Group> parts;
  each_group(batch.lengths, kernels::suits_lanes(chain), [&](const Group& group) {
    if (parts.empty() || parts.back().rows >= rows_in_part) parts.push_back({group.first, 0, group.row, 0});
    parts.back().count += group.count;
    parts.back().rows += group.rows;
  });
  data::each_in_parallel(parts.size(), {threads}, [&](std::size_t k) {
    const Group& part = parts[k];
    work(
        BatchView{batch.log_likelihood.middle_rows(part.row, part.rows), batch.lengths.subspan(part.first, part.count)},
        part);
  });
}

}  // namespace

bool filter_batch_into(const Chain& chain, const BatchView& batch, FilterWorkspace& workspace,
                       const BatchPosteriorsView& out) noexcept {
  if (!workspace.fits(chain.states()) || !fits(chain, batch, out)) return false;
  each_group(batch.lengths, may_go_side_by_side(chain, batch, out), [&](const Group& group) noexcept {
    if (group.count > 1) {
      kernels::filter_lanes(kernels::best_kernels(), chain, {&batch, &out, nullptr}, group.first, group.row);
      return;
    }
    const double log_evidence = filter_into(chain, batch.log_likelihood.middle_rows(group.row, group.rows), workspace,
                                            out.values.middle_rows(group.row, group.rows));
    out.sequences[group.first] = {log_evidence, workspace.held()};
  });
  return true;
}

bool smooth_batch_into(const Chain& chain, const BatchView& batch, SmoothWorkspace& workspace,
                       const BatchPosteriorsView& out) noexcept {
  const Index most = longest(batch.lengths);
  const SmoothStorage inside(workspace);
  if (!inside.fits(chain, most) || !fits(chain, batch, out)) return false;
  const auto& set = kernels::best_kernels();
  const std::span<double> storage = inside.side_by_side();
  const bool roomy =
      storage.size() >= static_cast<std::size_t>(kernels::lanes_storage(set.lanes, most, chain.states()));
  each_group(batch.lengths, roomy && may_go_side_by_side(chain, batch, out), [&](const Group& group) noexcept {
    if (group.count > 1) {
      kernels::smooth_lanes(set, chain, {&batch, &out, storage.data()}, group.first, group.row);
      return;
    }
    const double log_evidence = smooth_into(chain, batch.log_likelihood.middle_rows(group.row, group.rows), workspace,
                                            out.values.middle_rows(group.row, group.rows));
    out.sequences[group.first] = {log_evidence, workspace.held()};
  });
  return true;
}

bool viterbi_batch_into(const Chain& chain, const BatchView& batch, ViterbiWorkspace& workspace,
                        const BatchPathsView& out) noexcept {
  const bool prepared = workspace.fits(longest(batch.lengths), chain.states());
  const bool sized = out.states.size() == static_cast<std::size_t>(batch.log_likelihood.rows);
  if (!fits(chain, batch, out.sequences) || !sized || !prepared) return false;
  each_group(batch.lengths, false, [&](const Group& group) noexcept {
    const auto path = out.states.subspan(static_cast<std::size_t>(group.row), static_cast<std::size_t>(group.rows));
    const double log_probability =
        viterbi_into(chain, batch.log_likelihood.middle_rows(group.row, group.rows), workspace, path);
    out.sequences[group.first] = {log_probability, workspace.held()};
  });
  return true;
}

BatchPosteriors filter_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths,
                             std::size_t threads) {
  BatchPosteriors out = room(chain, tall, lengths);
  each_part(chain, {data::view(tall.values), lengths}, threads, [&](const BatchView& batch, const Group& part) {
    FilterWorkspace workspace(chain.states());
    filter_batch_into(chain, batch, workspace, part_of(out, part));
  });
  return out;
}

BatchPosteriors smooth_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths,
                             std::size_t threads) {
  BatchPosteriors out = room(chain, tall, lengths);
  each_part(chain, {data::view(tall.values), lengths}, threads, [&](const BatchView& batch, const Group& part) {
    SmoothWorkspace workspace;
    if (batch.lengths.size() == 1) {
      workspace.prepare_for(chain, batch.lengths[0]);
    } else {
      workspace.prepare_batch(longest(batch.lengths), chain.states());
    }
    smooth_batch_into(chain, batch, workspace, part_of(out, part));
  });
  return out;
}

BatchPaths viterbi_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths,
                         std::size_t threads) {
  require_batch(chain, tall, lengths);
  BatchPaths out{.states = std::vector<Speaker>(static_cast<std::size_t>(tall.values.rows())),
                 .window = tall.window,
                 .hop = tall.hop,
                 .sequences = std::vector<SequenceSummary>(lengths.size())};
  each_part(chain, {data::view(tall.values), lengths}, threads, [&](const BatchView& batch, const Group& part) {
    ViterbiWorkspace workspace(longest(batch.lengths), chain.states());
    const auto states =
        std::span(out.states).subspan(static_cast<std::size_t>(part.row), static_cast<std::size_t>(part.rows));
    viterbi_batch_into(chain, batch, workspace, {states, std::span(out.sequences).subspan(part.first, part.count)});
  });
  return out;
}

}  // namespace heed::hmm
