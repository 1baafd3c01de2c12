// SPDX-License-Identifier: MIT
// Forward-backward in one sweep: the forward recursion from the start and the backward one from the end
// run side by side, so that each hides the other's latency. Until they meet, each leaves its vectors in
// the posterior's rows; afterwards each finds the other's there and makes the posterior of them.
// Included inside a kernel file's unnamed namespace.

// Few enough that transitions of 1e-30 leave the product of both vectors a normal number.
constexpr long windows_between_scalings = 4;
// Weights of this many windows stay in the cache from the first half to the second; longer sequences
// make them twice, which costs less than memory does.
constexpr long windows_kept = 8192;
constexpr long chunk = 128;

// x <- x 2^-k with the sum of x in [1, 2); returns k.
template <typename Model>
inline long rescale(typename Model::State& x) {
  const double size = Model::total(x);
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &size, sizeof bits);
  const auto exponent = static_cast<long>((bits >> 52U) & 0x7ffU) - 1023;
  const unsigned long long inverse_bits = static_cast<unsigned long long>(1023 - exponent) << 52U;
  double inverse = 0;
  __builtin_memcpy(&inverse, &inverse_bits, sizeof inverse);
  x = Model::scaled(x, inverse);
  return exponent;
}

template <typename Model>
class Sweep {
 public:
  Sweep(const Model& model, SmoothRun& run)
      : model_(model), run_(run), alpha_(model.read(run.posterior, run.posterior + model.states())), beta_(Model::ones()) {}

  void go() {
    const long windows = run_.windows;
    if (windows <= windows_kept) add(model_.weigh(rows(1, windows - 1, gathered_), weights(1), windows - 1));
    const long half = windows / 2;
    if (half > 0) write(windows - 1, beta_);
    steps<false>(1, half);
    const bool odd = windows % 2 == 1;
    if (odd && windows > 1) meet(half);
    steps<true>(odd ? half + 1 : (half > 0 ? half : 1), windows);
    run_.log_evidence = shift_ + static_cast<double>(exponents_) * 0.69314718055994530942 +
                        __builtin_log(Model::total(alpha_));
    run_.held = held_;
    run_.switches = switches_;
  }

 private:
  using State = typename Model::State;

  double* weights(long t) { return run_.weights + t * model_.states(); }
  double* row(long t) { return run_.posterior + t * run_.posterior_stride; }
  void write(long t, const State& x) { model_.write(row(t), x); }
  void add(const Weighed& weighed) {
    shift_ += weighed.shift;
    held_ += weighed.held;
  }

  // Log-likelihoods of windows first ... as contiguous rows.
  const double* rows(long first, long count, double* room) {
    const long states = model_.states();
    const double* from = run_.log_likelihood + first * run_.stride;
    if (run_.stride == states || count == 0) return from;
    if (count > chunk) return copy_all(first, count);
    for (long t = 0; t < count; ++t) {
      __builtin_memcpy(room + t * states, from + t * run_.stride, static_cast<unsigned long>(states) * sizeof(double));
    }
    return room;
  }
  // Rows apart, all kept: the weights' own room takes them first.
  const double* copy_all(long first, long count) {
    const long states = model_.states();
    for (long t = 0; t < count; ++t) {
      __builtin_memcpy(weights(first + t), run_.log_likelihood + (first + t) * run_.stride,
                       static_cast<unsigned long>(states) * sizeof(double));
    }
    return weights(first);
  }

  // Iteration k: forward to window k, backward to window T-1-k, which needs the weights of T-k.
  template <bool Met>
  void steps(long from, long to) {
    for (long k = from; k < to; k += chunk) {
      const long count = to - k < chunk ? to - k : chunk;
      const double* ahead = weights(k);
      const double* behind = weights(run_.windows - k);
      if (run_.windows > windows_kept) {
        add(model_.weigh(rows(k, count, gathered_), ahead_, count));
        model_.weigh(rows(run_.windows - k - count + 1, count, gathered_), behind_, count);
        ahead = ahead_;
        behind = behind_ + (count - 1) * model_.states();
      }
      if (run_.count_switches) {
        walk<Met, true>(k, count, ahead, behind);
      } else {
        walk<Met, false>(k, count, ahead, behind);
      }
    }
  }

  template <bool Met, bool Count>
  void walk(long k, long count, const double* ahead, const double* behind) {
    const long states = model_.states();
    State alpha = alpha_;
    State beta = beta_;
    for (long done = 0; done < count;) {
      const long pause = done + windows_between_scalings < count ? done + windows_between_scalings : count;
      for (; done < pause; ++done) {
        const long t = k + done;
        advance<Met, Count>(alpha, ahead + done * states, t);
        retreat<Met, Count>(beta, behind - done * states, run_.windows - 1 - t);
      }
      exponents_ += rescale<Model>(alpha);
      rescale<Model>(beta);
    }
    alpha_ = alpha;
    beta_ = beta;
  }

  template <bool Met, bool Count>
  void advance(State& alpha, const double* w, long t) {
    const State before = alpha;
    alpha = model_.forward(alpha, w);
    if constexpr (!Met) {
      write(t, alpha);
      return;
    }
    const State future = model_.read(row(t), end_);
    const State both = Model::product(alpha, future);
    const double inverse = 1 / Model::total(both);
    write(t, Model::scaled(both, inverse));
    if constexpr (Count) switches_ += model_.moving(before, w, future) * inverse;
  }

  template <bool Met, bool Count>
  void retreat(State& beta, const double* w, long t) {
    const State after = beta;
    beta = model_.backward(beta, w);
    if constexpr (!Met) {
      write(t, beta);
      return;
    }
    const State past = model_.read(row(t), end_);
    const State both = Model::product(past, beta);
    const double inverse = 1 / Model::total(both);
    write(t, Model::scaled(both, inverse));
    // Of an even number of windows the step in the middle was counted by advance().
    if (Count && 2 * (t + 1) != run_.windows) switches_ += model_.moving(past, w, after) * inverse;
  }

  // The middle window of an odd number: both arrive at once.
  void meet(long t) {
    const double* w_forward = weights(t);
    const double* w_backward = weights(t + 1);
    if (run_.windows > windows_kept) {
      add(model_.weigh(rows(t, 1, gathered_), ahead_, 1));
      model_.weigh(rows(t + 1, 1, gathered_), behind_, 1);
      w_forward = ahead_;
      w_backward = behind_;
    }
    alpha_ = model_.forward(alpha_, w_forward);
    beta_ = model_.backward(beta_, w_backward);
    const State both = Model::product(alpha_, beta_);
    write(t, Model::scaled(both, 1 / Model::total(both)));
  }

  const Model& model_;
  SmoothRun& run_;
  const double* end_ = run_.posterior + (run_.windows - 1) * run_.posterior_stride + model_.states();
  State alpha_;
  State beta_;
  double shift_ = 0;
  double switches_ = 0;
  long held_ = 0;
  long exponents_ = 0;
  double gathered_[chunk * Model::most];
  double ahead_[(chunk + 1) * Model::most];
  double behind_[(chunk + 1) * Model::most];
};
