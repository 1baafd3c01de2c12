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

inline void viterbi_two(ViterbiRun& run) noexcept {
  fill_leads(run);
  const double limit = run.log_stay - run.log_move;
  double lead = run.first;
  for (long t = 0; t < run.windows; ++t) {
    const double above = lead > limit && t > 0 ? limit : lead;
    lead = run.scores[t] + (above < -limit && t > 0 ? -limit : above);
    run.scores[t] = lead;
  }
  // From the last window on: a lead beyond the limit decides the state, any other keeps the later one.
  int state = lead >= -run.tie ? 0 : 1;
  const double decisive = limit + run.tie;
  double log_probability = 0;
  long switches = 0;
  for (long t = run.windows - 1; t >= 0; --t) {
    const int after = state;
    if (t + 1 < run.windows) {
      state = run.scores[t] > decisive ? 0 : state;
      state = run.scores[t] < -decisive ? 1 : state;
    }
    switches += state != after ? 1 : 0;
    run.path[t] = state;
    const double* row = run.log_likelihood + t * run.stride;
    const bool whole = is_whole(row);
    log_probability += whole ? row[state] : 0;
    run.held += whole ? 0 : 1;
  }
  const auto stays = static_cast<double>(run.windows - 1 - switches);
  run.log_probability = log_probability + stays * run.log_stay + static_cast<double>(switches) * run.log_move;
}
