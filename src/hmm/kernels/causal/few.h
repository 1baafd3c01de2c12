// SPDX-License-Identifier: MIT
// The causal filter of a handful of states on a sticky chain: beliefs in one short register, so that one division does
// for all. The weights of as many windows as a register has lanes are made at once, a window a lane, while the windows
// before wait for their divisions. Included inside a kernel file's unnamed namespace, after evidence.h.

// A number per state; a fourth is beside three states and never read.
template <long N>
struct ShortRow {
  typedef double Numbers __attribute__((vector_size(32)));  // NOLINT(modernize-use-using)
};
template <>
struct ShortRow<2> {
  typedef double Numbers __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)
};

// `lanes` windows from `first` on: w kept and w p of every state, as the recursion wants them.
template <long N>
struct FewWeights {
  using Row = typename ShortRow<N>::Numbers;
  static constexpr long width = static_cast<long>(sizeof(Row) / sizeof(double));

  double kept[lanes * width];  // rows
  double move[lanes * width];
  double top[lanes];
  double whole[lanes];  // 1, or 0 where the window is missing
  bool all_whole;

  void weigh(const CausalRun& run, long first) {
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
    Lane kept_of[N];
    Lane move_of[N];
    for (long j = 0; j < N; ++j) {
      const Lane weight = is_whole ? exponential(l[j] - highest) : splat(1);
      kept_of[j] = weight * run.kept;
      move_of[j] = weight * run.move;
    }
    store_rows(kept, kept_of);
    store_rows(move, move_of);
  }

  static Row row(const double* rows, long k) {
    Row result;
    __builtin_memcpy(&result, rows + k * width, sizeof result);
    return result;
  }

 private:
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

  // A state a register to a window a row.
  static void store_rows(double* to, const Lane (&x)[N]) {
    if constexpr (N == 2) {
      store(to, zip_low(x[0], x[1]));
      store(to + lanes, zip_high(x[0], x[1]));
    } else {
      const Lane beside = N == 4 ? x[N - 1] : Lane{};
      const Lane even[] = {zip_low(x[0], x[2]), zip_high(x[0], x[2])};
      const Lane odd[] = {zip_low(x[1], beside), zip_high(x[1], beside)};
      for (long half = 0; half < 2; ++half) {
        store(to + 2 * half * lanes, zip_low(even[half], odd[half]));
        store(to + (2 * half + 1) * lanes, zip_high(even[half], odd[half]));
      }
    }
  }
};

template <long N>
class FewFilter {
 public:
  explicit FewFilter(CausalRun& run) : run_(run), belief_{} {
    for (long j = 0; j < N; ++j) belief_[j] = run.posterior[j];
  }

  // Weights are made before the steps ahead of theirs, so that no step waits for them.
  void go() {
    FewWeights<N> weights[2];
    if (run_.windows > 1) weights[0].weigh(run_, 1);
    long made = 0;
    for (long first = 1; first < run_.windows; first += lanes) {
      const FewWeights<N>& ready = weights[made];
      made = 1 - made;
      if (first + lanes < run_.windows) weights[made].weigh(run_, first + lanes);
      steps(ready, first);
    }
    evidence_.into(run_);
  }

 private:
  using Row = typename FewWeights<N>::Row;

  void steps(const FewWeights<N>& weights, long first) {
    const long count = run_.windows - first < lanes ? run_.windows - first : lanes;
    if (weights.all_whole && count == lanes) {
      for (long k = 0; k < lanes; ++k) step<true>(weights, first, k);
    } else {
      for (long k = 0; k < count; ++k) step<false>(weights, first, k);
    }
  }

  // As core's advance: (w kept) b + (w p), then the division; a missing window is predicted only.
  template <bool Whole>
  void step(const FewWeights<N>& weights, long first, long k) {
    const Row arrived = weights.row(weights.kept, k) * belief_ + weights.row(weights.move, k);
    double total = arrived[0];
    for (long j = 1; j < N; ++j) total += arrived[j];
    const bool whole = Whole || weights.whole[k] != 0;
    if (!whole) total = 1;
    belief_ = arrived / total;
    double* const row = run_.posterior + (first + k) * run_.posterior_stride;
    for (long j = 0; j < N; ++j) row[j] = belief_[j];
    evidence_.add({weights.top[k], whole}, total);
  }

  CausalRun& run_;
  Row belief_;
  CausalEvidence evidence_;
};
