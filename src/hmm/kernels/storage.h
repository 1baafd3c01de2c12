// SPDX-License-Identifier: MIT
// How many numbers the kernels need from whoever calls them.
#pragma once

namespace heed::hmm::kernels {

// States padded to whole registers of any machine. Rows of a general chain's matrices lie so far apart.
constexpr long most_lanes = 8;
constexpr long padded(long states) noexcept { return (states + most_lanes - 1) / most_lanes * most_lanes; }

constexpr long filter_storage(long states) noexcept { return 3 * padded(states); }

// Kernels read, but never use, so many numbers past the last weight.
constexpr long weights_slack = 32;

// So many states at most go side by side in lanes. There, a window has its belief and its weights, those of two states
// in one number.
constexpr long largest_lanes_states = 4;
constexpr long lanes_storage(long lanes, long windows, long states) noexcept {
  return windows * lanes * (states == 2 ? 3 : 2 * states);
}

// Pieces of a long sequence, in a block that stays in the cache.
constexpr long longest_piece = 512;

// Weights of this many windows stay in the cache from the first half to the second; longer sequences
// make them twice, which costs less than memory does.
constexpr long windows_kept = 8192;
constexpr long most_registers = 4;  // that hold states; more states go through memory in blocks, with some rows beside
constexpr long block_rows = 11;

// What smoothing needs: weights of every window, or of some, or a block of pieces and a record of every block.
constexpr long smoothing_storage(long lanes, long windows, long states) noexcept {
  if (states > most_registers * lanes) return (windows + block_rows) * padded(states);
  const long weights = (windows < windows_kept ? windows : windows_kept) * states + weights_slack;
  if (states > largest_lanes_states) return weights;
  const long in_block = windows < longest_piece * most_lanes ? windows : longest_piece * most_lanes;
  // Blocks are no shorter than two lanes' pieces; a record is a matrix and a row of whole registers.
  const long pieces = lanes_storage(1, in_block + most_lanes * most_lanes, states) +
                      (states * states + 1) * most_lanes * (1 + windows / (2 * longest_piece));
  return pieces > weights ? pieces : weights;
}

// Expected numbers of transitions, rows as far apart as those of the chain.
constexpr long pair_storage(long states) noexcept { return states * padded(states); }

// Scores of every state and window; or leads of pieces that are rounded up, and what each piece decides.
constexpr long viterbi_leads(long windows) noexcept { return windows + most_lanes * (most_lanes + 1); }
constexpr long viterbi_storage(long windows, long states) noexcept {
  const long scores = windows * states + most_lanes;
  const long pieces = viterbi_leads(windows) + most_lanes * (1 + windows / (2 * longest_piece));
  return states == 2 && pieces > scores ? pieces : scores;
}

}  // namespace heed::hmm::kernels
