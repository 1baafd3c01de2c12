// SPDX-License-Identifier: MIT
// The causal filter of as many sequences as a register has lanes, N states each: core's operations in core's order in
// every lane, and no division is waited for alone. Included inside a kernel file's unnamed namespace, after
// lanes/ranking.h.

template <long N>
class SequencesFilter {
 public:
  explicit SequencesFilter(LanesRun& run) : run_(run) {
    for (long j = 0; j < N; ++j) belief_[j] = splat(run.initial[j]);
    for (long k = 0; k < lanes; ++k) {
      task_.log_likelihood[k] = run.log_likelihood[k];
      task_.posterior[k] = run.posterior[k];
      task_.lengths[k] = run.lengths[k];
      task_.windows = run.lengths[k] > task_.windows ? run.lengths[k] : task_.windows;
      lengths_[k] = static_cast<double>(run.lengths[k]);
    }
    task_.stream = run.stream && may_stream(task_);
  }

  void go() {
    for (long first = 0; first < task_.windows; first += block<N>) {
      Lane rows[block_numbers<N>];
      read_block<N>(task_, first, rows);
      for (long w = 0; w < block<N>; ++w) step(first + w, rows + N * w);
      write_block<N>(task_, first, rows);
    }
    if (task_.stream) finish_streams();
    for (long k = 0; k < lanes; ++k) {
      const double first = first_shift_[k] + __builtin_log(first_normaliser_[k]);
      run_.log_evidence[k] = first + (shift_[k] + (log_[k] + __builtin_log(product_[k])));
      run_.held[k] = static_cast<long>(held_[k]);
    }
  }

 private:
  // As core's absorb in the first window, then as its advance; beliefs take the place of what windows say. A sequence
  // that has ended goes on without being heard.
  void step(long t, Lane* row) {
    const Ranking<N> ranking(row);
    const auto whole = ranking.whole(row);
    const Lane one = splat(1);
    Lane ratio[N];
    for (long j = 1; j < N; ++j) ratio[j] = whole ? exponential(ranking.behind[j]) : one;
    Lane weight[N];
    ranking.weigh(row, ratio, weight);
    Lane total;
    for (long j = 0; j < N; ++j) {
      belief_[j] = t == 0 ? belief_[j] * weight[j] : (weight[j] * run_.kept) * belief_[j] + weight[j] * run_.move;
      total = j == 0 ? belief_[0] : total + belief_[j];
    }
    total = whole ? total : one;
    for (long j = 0; j < N; ++j) row[j] = belief_[j] /= total;
    const auto heard = splat(static_cast<double>(t)) < lengths_;
    held_ += heard & ~whole ? one : Lane{};
    const Lane shift = heard & whole ? ranking.top() : Lane{};
    const Lane normaliser = heard ? total : one;
    if (t == 0) {
      first_shift_ = shift;
      first_normaliser_ = normaliser;
    } else {
      shift_ += shift;
      multiply(normaliser);
    }
  }

  // As CausalEvidence, in lanes.
  void multiply(Lane normaliser) {
    product_ *= normaliser;
    if (sum(product_ < 1e-200 ? splat(1) : Lane{}) == 0) return;
    for (long k = 0; k < lanes; ++k) {
      if (!(product_[k] < 1e-200)) continue;
      log_[k] += __builtin_log(product_[k]);
      product_[k] = 1;
    }
  }

  LanesRun& run_;
  LanesTask task_{};
  Lane lengths_{};
  Lane belief_[N];
  Lane first_shift_{};
  Lane first_normaliser_ = splat(1);
  Lane shift_{};
  Lane held_{};
  Lane log_{};
  Lane product_ = splat(1);
};

inline void filter_lanes(LanesRun& run) {
  switch (run.states) {
    case 2:
      return SequencesFilter<2>(run).go();
    case 3:
      return SequencesFilter<3>(run).go();
    default:
      return SequencesFilter<4>(run).go();
  }
}
