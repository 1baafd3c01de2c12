// SPDX-License-Identifier: MIT
// Viterbi for a handful of states on a sticky chain, which live in scalars. A row of scores is kept for every window,
// the best of them 0, and the path is read off the rows from the end: no back-pointers are stored. Included inside a
// kernel file's unnamed namespace, after state_row.h.

// The lowest index among the best of a row, whose best is 0.
inline long lowest_best(const double* scores, double tie) {
  long j = 0;
  while (scores[j] < -tie) ++j;
  return j;
}

// The path over rows of scores, given before(scores, state): the best state before. Whoever stays, as nearly all do,
// is guessed by the processor, so that nothing waits.
template <typename Before>
void trace_path(const ViterbiRun& run, Before&& before) {
  const double* scores = run.scores + (run.windows - 1) * run.states;
  long state = lowest_best(scores, run.tie);
  for (long t = run.windows - 1; t > 0; --t) {
    run.path[t] = static_cast<int>(state);
    scores -= run.states;
    state = before(scores, state);
  }
  run.path[0] = static_cast<int>(state);
}

// On a sticky chain whoever moves comes from the best state of all.
inline void trace_sticky_path(const ViterbiRun& run) {
  const double decisive = run.log_move - run.log_stay - run.tie;
  trace_path(run, [&](const double* scores, long state) {
    return scores[state] < decisive ? lowest_best(scores, run.tie) : state;
  });
}

template <long N>
class FewPath {
 public:
  explicit FewPath(ViterbiRun& run) : run_(run) {
    for (long j = 0; j < N; ++j) score_[j] = run.scores[j];
  }

  void go() {
    for (long first = 1; first < run_.windows; first += lanes) {
      const long count = run_.windows - first < lanes ? run_.windows - first : lanes;
      weigh(first, count);
      for (long k = 0; k < count; ++k) step(first + k, k);
      take_out_best();
    }
    run_.log_probability = sum(shift_) + taken_out_ + static_cast<double>(run_.windows - 1) * run_.log_stay;
    run_.held = static_cast<long>(sum(held_));
    trace_sticky_path(run_);
  }

 private:
  // What the windows say beside the best of their states, a window a lane.
  void weigh(long first, long count) {
    const double* rows = run_.log_likelihood + first * run_.stride;
    Lane l[N];
    for (long j = 0; j < N; ++j) {
      l[j] = Lane{};
      if (count == lanes) l[j] = gather(rows + j, run_.stride);
      for (long k = 0; count < lanes && k < count; ++k) l[j][k] = rows[k * run_.stride + j];
    }
    Lane top = l[0];
    auto finite = l[0] < infinity;  // not so for NaN
    for (long j = 1; j < N; ++j) {
      top = larger(top, l[j]);
      finite &= l[j] < infinity;
    }
    const auto whole = is_whole(finite, top);
    shift_ += whole ? top : Lane{};
    held_ += whole ? Lane{} : splat(1);
    for (long j = 0; j < N; ++j) store(evidence_[j], whole ? l[j] - top : Lane{});
  }

  // A score falls behind the best by no more than moving costs; so does the next one. Whoever moves moves best to the
  // state whose evidence is the best, which is 0: so the next best does not wait for the next scores.
  void step(long t, long k) {
    const double furthest = run_.log_move - run_.log_stay;
    const double best = best_;
    best_ += furthest;
    for (long j = 0; j < N; ++j) {
      const double evidence = evidence_[j][k];
      const double stays = score_[j] + evidence;
      const double moves = best + (furthest + evidence);
      score_[j] = stays > moves ? stays : moves;
      best_ = stays > best_ ? stays : best_;
    }
    for (long j = 0; j < N; ++j) run_.scores[t * N + j] = score_[j] - best_;
  }

  // So that nothing drifts.
  void take_out_best() {
    for (long j = 0; j < N; ++j) score_[j] -= best_;
    taken_out_ += best_;
    best_ = 0;
  }

  ViterbiRun& run_;
  double score_[N];
  double evidence_[N][lanes];
  Lane shift_{};
  Lane held_{};
  double best_ = 0;       // of the scores
  double taken_out_ = 0;  // of them
};
