// SPDX-License-Identifier: MIT
// Rows of several sequences, or of several pieces of one, into the lanes of registers and back. Rows of N states
// fill whole registers every `block` windows: two states one register, three states three. Included inside a kernel
// file's unnamed namespace, after registers.h.

constexpr long common_divisor(long a, long b) { return b == 0 ? a : common_divisor(b, a % b); }
template <long N>
constexpr long squares = N / common_divisor(N, lanes);  // registers of a sequence in a block
template <long N>
constexpr long block = lanes / common_divisor(N, lanes);  // windows
template <long N>
constexpr long block_numbers = lanes / common_divisor(N, lanes) * N;

// What goes side by side. A lane that is shorter than the longest goes on through windows that say nothing.
struct LanesTask {
  const double* log_likelihood[lanes];  // the first row of each
  double* posterior[lanes];
  long lengths[lanes];
  long windows;     // of the longest
  double* storage;  // lanes_storage(lanes, windows, states) numbers
  double stay;
  double kept;  // 1 - Np
  double move;
  bool stream;  // posteriors go past the cache: there is no room for them in it
};

// Rows and columns exchanged: log2(lanes) perfect shuffles.
inline void transpose(Lane* square) {
  for (long span = 1; span < lanes; span *= 2) {
    Lane shuffled[lanes];
    for (long i = 0; i < lanes / 2; ++i) {
      shuffled[2 * i] = zip_low(square[i], square[i + lanes / 2]);
      shuffled[2 * i + 1] = zip_high(square[i], square[i + lanes / 2]);
    }
    for (long i = 0; i < lanes; ++i) square[i] = shuffled[i];
  }
}

// How many of `most` windows from `first` on lane k still has.
inline long windows_left(const LanesTask& task, long k, long first, long most) {
  const long left = task.lengths[k] - first;
  return left < 0 ? 0 : (left < most ? left : most);
}

// Register N w + j: log-likelihood of state j in window first + w, a sequence a lane.
template <long N>
inline void read_block(const LanesTask& task, long first, Lane (&rows)[block_numbers<N>]) {
  for (long k = 0; k < lanes; ++k) {
    const long left = windows_left(task, k, first, block<N>);
    const double* from = task.log_likelihood[k] + N * first;
    double padded[block_numbers<N>];
    if (left < block<N>) {
      for (double& number : padded) number = 0;
      if (left > 0) __builtin_memcpy(padded, from, static_cast<unsigned long>(left * N) * sizeof(double));
      from = padded;
    }
    for (long s = 0; s < squares<N>; ++s) rows[s * lanes + k] = load(from + s * lanes);
  }
  for (long s = 0; s < squares<N>; ++s) transpose(rows + s * lanes);
}

template <long N>
inline void write_block(const LanesTask& task, long first, Lane (&rows)[block_numbers<N>]) {
  for (long s = 0; s < squares<N>; ++s) transpose(rows + s * lanes);
  for (long k = 0; k < lanes; ++k) {
    const long left = windows_left(task, k, first, block<N>);
    double* const to = task.posterior[k] + N * first;
    if (left == block<N>) {
      for (long s = 0; s < squares<N>; ++s) {
        if (task.stream) {
          stream(to + s * lanes, rows[s * lanes + k]);
        } else {
          store(to + s * lanes, rows[s * lanes + k]);
        }
      }
    } else if (left > 0) {
      double padded[block_numbers<N>];
      for (long s = 0; s < squares<N>; ++s) store(padded + s * lanes, rows[s * lanes + k]);
      __builtin_memcpy(to, padded, static_cast<unsigned long>(left * N) * sizeof(double));
    }
  }
}

// Streaming wants whole registers at whole addresses. Blocks keep the alignment of the first row.
inline bool may_stream(const LanesTask& task) {
  for (const double* row : task.posterior) {
    if (reinterpret_cast<unsigned long>(row) % sizeof(Lane) != 0) return false;
  }
  return true;
}
