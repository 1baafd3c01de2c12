// SPDX-License-Identifier: MIT
// Rows of several sequences, or of several pieces of one, into the lanes of registers and back. Two states:
// a row is a pair. Included inside a kernel file's unnamed namespace, after registers.h.

constexpr long block = lanes / 2 > 0 ? lanes / 2 : 1;  // windows whose rows of one sequence fill a register

// What goes side by side. A lane that is shorter than the longest goes on through windows that say nothing.
struct LanesTask {
  const double* log_likelihood[lanes];  // the first row of each
  double* posterior[lanes];
  long lengths[lanes];
  long windows;     // of the longest
  double* storage;  // lanes_storage(lanes, windows) numbers
  double stay;
  double move;
  bool stream;  // posteriors go past the cache: there is no room for them in it
};

// Rows and columns exchanged: log2(lanes) perfect shuffles.
inline void transpose(Lane (&square)[lanes]) {
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

// Register 2w + j: log-likelihood of state j in window first + w, a sequence a lane.
inline void read_block(const LanesTask& task, long first, Lane (&rows)[lanes]) {
  for (long k = 0; k < lanes; ++k) {
    const long left = windows_left(task, k, first, block);
    if (left == block) {
      rows[k] = load(task.log_likelihood[k] + 2 * first);
    } else {
      double padded[lanes] = {};
      if (left > 0) {
        __builtin_memcpy(padded, task.log_likelihood[k] + 2 * first,
                         static_cast<unsigned long>(left) * 2 * sizeof(double));
      }
      rows[k] = load(padded);
    }
  }
  transpose(rows);
}

inline void write_block(const LanesTask& task, long first, Lane (&rows)[lanes]) {
  transpose(rows);
  for (long k = 0; k < lanes; ++k) {
    const long left = windows_left(task, k, first, block);
    double* const to = task.posterior[k] + 2 * first;
    if (left == block) {
      if (task.stream) {
        stream(to, rows[k]);
      } else {
        store(to, rows[k]);
      }
    } else if (left > 0) {
      double row[lanes];
      store(row, rows[k]);
      __builtin_memcpy(to, row, static_cast<unsigned long>(left) * 2 * sizeof(double));
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
