// SPDX-License-Identifier: MIT
// Many sequences end to end in one tall matrix, the chain starting anew at each: a cohort in one call and
// one workspace. Row ranges follow `lengths`, in order.
#pragma once

#include <heed/data/series.h>
#include <heed/hmm/chain.h>
#include <heed/hmm/filter.h>
#include <heed/hmm/smooth.h>
#include <heed/hmm/viterbi.h>

#include <cstddef>
#include <span>
#include <vector>

namespace heed::hmm {

// Of one sequence.
struct SequenceSummary {
  double log_evidence = 0;  // of Viterbi: log P(best path, windows)
  Index held = 0;
};

struct BatchPosteriors {
  Matrix values;
  Seconds window{1};
  Seconds hop = window;
  std::vector<SequenceSummary> sequences;  // one per length
};

struct BatchPaths {
  std::vector<Speaker> states;
  Seconds window{1};
  Seconds hop = window;
  std::vector<SequenceSummary> sequences;
};

// Throw invalid_argument unless lengths are 0 or more and add up to the rows, and the width fits the chain. Any number
// of threads gives the same bytes; 0: as many as the machine has.
BatchPosteriors filter_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths,
                             std::size_t threads = 1);
BatchPosteriors smooth_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths,
                             std::size_t threads = 1);
BatchPaths viterbi_batch(const Chain& chain, const LogLikelihoods& tall, std::span<const Index> lengths,
                         std::size_t threads = 1);

struct BatchView {
  MatrixView log_likelihood;
  std::span<const Index> lengths;
};
// Where the results go: as tall as the input; one summary a length.
struct BatchPosteriorsView {
  MutableMatrixView values;
  std::span<SequenceSummary> sequences;
};
struct BatchPathsView {
  std::span<Speaker> states;
  std::span<SequenceSummary> sequences;
};

// The same into the caller's storage, without allocating; a workspace for the longest sequence is enough.
// False, and nothing written, if shapes or lengths do not fit or the workspace is not prepared for them.
bool filter_batch_into(const Chain& chain, const BatchView& batch, FilterWorkspace& workspace,
                       const BatchPosteriorsView& out) noexcept;
bool smooth_batch_into(const Chain& chain, const BatchView& batch, SmoothWorkspace& workspace,
                       const BatchPosteriorsView& out) noexcept;
bool viterbi_batch_into(const Chain& chain, const BatchView& batch, ViterbiWorkspace& workspace,
                        const BatchPathsView& out) noexcept;

}  // namespace heed::hmm
