// SPDX-License-Identifier: MIT
// Viterbi for two states: the lead d of state 0 over state 1 obeys d_t = l_t + clip(d_{t-1}, +-L),
// L = log(stay/move). The path is read off the leads from the end: no back-pointers are stored.
// Included inside a kernel file's unnamed namespace, after lanes.h.

inline bool is_whole(const double* row) {
  return (row[0] < infinity) & (row[1] < infinity) & ((row[0] > -infinity) | (row[1] > -infinity));
}

// l_t of every window, 0 where it is missing.
inline void fill_leads(const ViterbiRun& run) {
  long t = 0;
  if (run.stride == 2) {
    for (; t + lanes <= run.windows; t += lanes) {
      const Lane x = load(run.log_likelihood + 2 * t);
      const Lane y = load(run.log_likelihood + 2 * t + lanes);
      const Lane a = evens(x, y);
      const Lane b = odds(x, y);
      const auto whole = (a < infinity) & (b < infinity) & ((a > -infinity) | (b > -infinity));
      store(run.scores + t, whole ? a - b : Lane{});
    }
  }
  for (; t < run.windows; ++t) {
    const double* row = run.log_likelihood + t * run.stride;
    run.scores[t] = is_whole(row) ? row[0] - row[1] : 0;
  }
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
  typedef int LaneStates __attribute__((vector_size(HEED_LANES * 4)));  // NOLINT(modernize-use-using)
  Lane log_probability{};
  Lane held{};
  long t = 0;
  for (; t + lanes <= run.windows; t += lanes) {
    const Lane x = load(run.log_likelihood + 2 * t);
    const Lane y = load(run.log_likelihood + 2 * t + lanes);
    const Lane a = evens(x, y);
    const Lane b = odds(x, y);
    const auto whole = (a < infinity) & (b < infinity) & ((a > -infinity) | (b > -infinity));
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

inline void viterbi_two(ViterbiRun& run) noexcept {
  fill_leads(run);
  const double limit = run.log_stay - run.log_move;
  double lead = run.scores[0] + run.first;
  run.scores[0] = lead;
  for (long t = 1; t < run.windows; ++t) {
    const double below = lead < limit ? lead : limit;
    lead = run.scores[t] + (below > -limit ? below : -limit);
    run.scores[t] = lead;
  }
  // From the last window on: a lead beyond the limit decides the state, any other keeps the later one.
  int state = lead >= -run.tie ? 0 : 1;
  const double decisive = limit + run.tie;
  long switches = 0;
  run.path[run.windows - 1] = state;
  for (long t = run.windows - 2; t >= 0; --t) {
    const int kept = run.scores[t] > decisive ? 0 : state;
    const int decided = run.scores[t] < -decisive ? 1 : kept;
    switches += decided ^ state;
    state = decided;
    run.path[t] = state;
  }
  const auto stays = static_cast<double>(run.windows - 1 - switches);
  run.log_probability = stays * run.log_stay + static_cast<double>(switches) * run.log_move;
  add_all_evidence(run);
}
