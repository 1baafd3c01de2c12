// SPDX-License-Identifier: MIT
// Forward-backward in one sweep: the forward recursion from the start and the backward one from the end
// run side by side, so that each hides the other's latency. Until they meet, each leaves its vectors in
// the posterior's rows; afterwards each finds the other's there and makes the posterior of them.
// Included inside a kernel file's unnamed namespace.

// A window shrinks a vector at most by the smallest transition, so this many of them leave the product of
// both vectors a normal number: 1e-30 allows 4, the paper's .001 all of 32.
inline long windows_between_scalings(double smallest) {
  long windows = 4;
  double shrinking = smallest * smallest * smallest * smallest;
  for (; windows < 32 && shrinking * smallest > 1e-120; ++windows) shrinking *= smallest;
  return windows;
}

typedef double Pair __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)

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
      : model_(model),
        run_(run),
        alpha_(model.read(run.posterior, run.posterior + model.states())),
        beta_(Model::ones()) {}

  void go() {
    const long windows = run_.windows;
    if (windows <= windows_kept) add(model_.weigh(rows(1, windows - 1, gathered_), weights(1), windows - 1));
    const long half = windows / 2;
    if (half > 0) model_.write(row(windows - 1), beta_);
    steps<false>(1, half);
    const bool odd = windows % 2 == 1;
    if (odd && windows > 1) meet(half);
    steps<true>(odd ? half + 1 : (half > 0 ? half : 1), windows);
    run_.log_evidence =
        shift_ + static_cast<double>(exponents_) * 0.69314718055994530942 + __builtin_log(Model::total(alpha_));
    run_.held = held_;
    run_.switches = switches_;
  }

 private:
  using State = typename Model::State;

  double* weights(long t) { return run_.weights + t * model_.states(); }
  double* row(long t) { return run_.posterior + t * run_.posterior_stride; }
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
      if (run_.count) {
        walk<Met, true>(k, count, ahead, behind);
      } else {
        walk<Met, false>(k, count, ahead, behind);
      }
    }
  }

  template <bool Met, bool Count>
  void walk(long k, long count, const double* ahead, const double* behind) {
    State alpha = alpha_;
    State beta = beta_;
    for (long done = 0; done < count;) {
      const long pause = done + between_scalings_ < count ? done + between_scalings_ : count;
      for (; done < pause; ++done) {
        const long offset = done * model_.states();
        step<Met, Count>(alpha, beta, ahead + offset, behind - offset, k + done);
      }
      exponents_ += rescale<Model>(alpha);
      rescale<Model>(beta);
    }
    alpha_ = alpha;
    beta_ = beta;
  }

  // Forward to window k, backward to the window as far from the end.
  template <bool Met, bool Count>
  void step(State& alpha, State& beta, const double* w_forward, const double* w_backward, long k) {
    const State before = alpha;
    const State after = beta;
    alpha = model_.forward(alpha, w_forward);
    beta = model_.backward(beta, w_backward);
    double* const later = row(k);
    double* const earlier = row(run_.windows - 1 - k);
    if constexpr (!Met) {
      model_.write(later, alpha);
      model_.write(earlier, beta);
      return;
    }
    const State future = model_.read(later, end_);
    const State past = model_.read(earlier, end_);
    const State late = Model::product(alpha, future);
    const State early = Model::product(past, beta);
    const Pair inverse = 1 / Pair{Model::total(late), Model::total(early)};  // one division for both
    model_.write(later, Model::scaled(late, inverse[0]));
    model_.write(earlier, Model::scaled(early, inverse[1]));
    if constexpr (Count) {
      switches_ += model_.moving(before, w_forward, future, inverse[0]);
      // Of an even number of windows both come over the step in the middle: it counts once.
      if (2 * k != run_.windows) switches_ += model_.moving(past, w_backward, after, inverse[1]);
    }
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
    model_.write(row(t), Model::scaled(both, 1 / Model::total(both)));
  }

  const Model& model_;
  SmoothRun& run_;
  const double* end_ = run_.posterior + (run_.windows - 1) * run_.posterior_stride + model_.states();
  State alpha_;
  State beta_;
  long between_scalings_ = windows_between_scalings(model_.smallest());
  double shift_ = 0;
  double switches_ = 0;
  long held_ = 0;
  long exponents_ = 0;
  double gathered_[chunk * Model::most];
  double ahead_[(chunk + 1) * Model::most];
  double behind_[(chunk + 1) * Model::most];
};
