// SPDX-License-Identifier: MIT
// Which windows count as missing on the way to the best path; and what the others say of a path of two states.
// Included inside a kernel file's unnamed namespace, after registers.h.

typedef int LaneStates __attribute__((vector_size(HEED_LANES * 4)));  // NOLINT(modernize-use-using)

// A window is missing where a state's log-likelihood is NaN or +inf, or where all are -inf. `finite`: none of the
// former; `top`: the largest.
template <typename Finite>
auto is_whole(Finite finite, Lane top) {
  return finite & (top > -infinity);
}

inline auto is_whole(Lane a, Lane b) { return is_whole((a < infinity) & (b < infinity), larger(a, b)); }

// `all`: the sum of the row. A NaN can hide from comparisons, but not in a sum; nor can +inf.
inline bool is_whole(double all, double top) { return (all < infinity) & (top > -infinity); }

inline bool is_whole(const double* row) {
  return (row[0] < infinity) & (row[1] < infinity) & ((row[0] > -infinity) | (row[1] > -infinity));
}

// What windows from ... to add to the path's log-probability, and how many were missing.
inline void add_evidence(ViterbiRun& run, long from, long to) {
  for (long t = from; t < to; ++t) {
    const double* row = run.log_likelihood + t * run.stride;
    const bool whole = is_whole(row);
    run.log_probability += whole ? row[run.path[t]] : 0;
    run.held += whole ? 0 : 1;
  }
}

inline void add_all_evidence(ViterbiRun& run) {
  if (run.stride != 2) return add_evidence(run, 0, run.windows);
  Lane log_probability{};
  Lane held{};
  long t = 0;
  for (; t + lanes <= run.windows; t += lanes) {
    const Lane x = load(run.log_likelihood + 2 * t);
    const Lane y = load(run.log_likelihood + 2 * t + lanes);
    const Lane a = evens(x, y);
    const Lane b = odds(x, y);
    const auto whole = is_whole(a, b);
    LaneStates path;
    __builtin_memcpy(&path, run.path + t, sizeof path);
    const auto second = __builtin_convertvector(path, LaneBits) != 0;
    log_probability += whole ? (second ? b : a) : Lane{};
    held += whole ? Lane{} : splat(1);
  }
  run.log_probability += sum(log_probability);
  run.held += static_cast<long>(sum(held));
  add_evidence(run, t, run.windows);
}
