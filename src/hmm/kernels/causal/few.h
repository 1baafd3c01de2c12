// SPDX-License-Identifier: MIT
// The causal filter of a handful of states on a sticky chain, which live in scalars: the weights of as many windows as
// a register has lanes are made at once, a window a lane, while the windows before wait for their divisions. Included
// inside a kernel file's unnamed namespace, after evidence.h.

// `lanes` windows from `first` on: w kept and w p of every state, as the recursion wants them.
template <long N>
struct FewWeights {
  double kept[N][lanes];
  double move[N][lanes];
  double top[lanes];
  double whole[lanes];  // 1, or 0 where the window is missing
  bool all_whole;

  FewWeights(const CausalRun& run, long first) {
    Lane l[N];
    read(run, first, l);
    Lane highest = l[0];
    auto finite = l[0] < infinity;  // not so for NaN
    for (long j = 1; j < N; ++j) {
      highest = larger(highest, l[j]);
      finite &= l[j] < infinity;
    }
    const auto is_whole = finite & (highest > -infinity);
    store(top, is_whole ? highest : Lane{});
    const Lane flags = is_whole ? splat(1) : Lane{};
    store(whole, flags);
    all_whole = sum(flags) == static_cast<double>(lanes);
    for (long j = 0; j < N; ++j) {
      const Lane weight = is_whole ? exponential(l[j] - highest) : splat(1);
      store(kept[j], weight * run.kept);
      store(move[j], weight * run.move);
    }
  }

  static void read(const CausalRun& run, long first, Lane (&l)[N]) {
    const double* rows = run.log_likelihood + first * run.stride;
    const long count = run.windows - first;
    if (count >= lanes) {
      for (long j = 0; j < N; ++j) l[j] = gather(rows + j, run.stride);
      return;
    }
    for (long j = 0; j < N; ++j) l[j] = Lane{};
    for (long k = 0; k < count; ++k) {
      for (long j = 0; j < N; ++j) l[j][k] = rows[k * run.stride + j];
    }
  }
};

template <long N>
class FewFilter {
 public:
  explicit FewFilter(CausalRun& run) : run_(run) {
    for (long j = 0; j < N; ++j) belief_[j] = run.posterior[j];
  }

  void go() {
    for (long first = 1; first < run_.windows; first += lanes) {
      const FewWeights<N> weights(run_, first);
      const long count = run_.windows - first < lanes ? run_.windows - first : lanes;
      if (weights.all_whole && count == lanes) {
        for (long k = 0; k < lanes; ++k) step<true>(weights, first, k);
      } else {
        for (long k = 0; k < count; ++k) step<false>(weights, first, k);
      }
    }
    evidence_.into(run_);
  }

 private:
  // As core's advance: (w kept) b + (w p), then the division; a missing window is predicted only.
  template <bool Whole>
  void step(const FewWeights<N>& weights, long first, long k) {
    double total = 0;
    for (long j = 0; j < N; ++j) {
      belief_[j] = weights.kept[j][k] * belief_[j] + weights.move[j][k];
      total = j == 0 ? belief_[0] : total + belief_[j];
    }
    const bool whole = Whole || weights.whole[k] != 0;
    if (!whole) total = 1;
    double* const row = run_.posterior + (first + k) * run_.posterior_stride;
    for (long j = 0; j < N; ++j) row[j] = belief_[j] /= total;
    evidence_.add({weights.top[k], whole}, total);
  }

  CausalRun& run_;
  double belief_[N];
  CausalEvidence evidence_;
};
