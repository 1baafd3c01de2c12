// SPDX-License-Identifier: MIT
// Forward-backward of more states than fit into registers: a row of states is a row of registers in memory, padded with
// zeros. There and back; weights are kept in between, and forward vectors wait in the posterior's rows. Included inside
// a kernel file's unnamed namespace, after state_row.h and chain_numbers.h.

class Blocks {
 public:
  explicit Blocks(SmoothRun& run)
      : run_(run),
        states_(run.states),
        width_((run.states + lanes - 1) / lanes * lanes),
        kept_(kept_of(run)),
        rows_(run.weights + run.windows * width_),
        evidence_(run.states, run.log_likelihood + (run.windows - 1) * run.stride + run.states),
        posteriors_(run.states, run.posterior + (run.windows - 1) * run.posterior_stride + run.states) {}

  void go() {
    forward();
    backward();
  }

 private:
  static constexpr long counted_together = 4;  // steps, so that the sums of pairs are seldom fetched
  static constexpr double small = 1e-60;       // what is below is scaled up

  // Rows of states in the storage behind the weights.
  enum Row { product, future, weighed_future, departures, arrivals = departures + counted_together };

  [[nodiscard]] double* storage(long row) const { return rows_ + row * width_; }
  [[nodiscard]] double* weights(long t) const { return run_.weights + t * width_; }
  [[nodiscard]] double* posterior(long t) const { return run_.posterior + t * run_.posterior_stride; }
  [[nodiscard]] Lane belief(long t, long j) const { return posteriors_.read(posterior(t), j / lanes, 0); }
  void put(double* row, long j, Lane value) const {
    if (j + lanes <= states_) return store(row + j, value);
    double last[lanes];
    store(last, value);
    __builtin_memcpy(row + j, last, static_cast<unsigned long>(states_ - j) * sizeof(double));
  }

  // Takes make(j), the register from state j on, of a whole row; returns the sum.
  template <typename Make, typename Take>
  double each_register(Make&& make, Take&& take) const {
    Lane even{};
    Lane odd{};
    long j = 0;
    for (; j + lanes < width_; j += 2 * lanes) {
      const Lane first = make(j);
      const Lane second = make(j + lanes);
      take(j, first);
      take(j + lanes, second);
      even += first;
      odd += second;
    }
    if (j < width_) {
      const Lane last = make(j);
      take(j, last);
      even += last;
    }
    return sum(even + odd);
  }
  template <typename Make>
  double sum_of(Make&& make) const {
    return each_register(make, [](long, Lane) {});
  }
  // The same into a padded row.
  template <typename Make>
  double fill(double* to, Make&& make) const {
    return each_register(make, [&](long j, Lane value) { store(to + j, value); });
  }
  // The same into a row of the posterior.
  template <typename Make>
  double write(long t, Make&& make) const {
    double* const to = posterior(t);
    return each_register(make, [&](long j, Lane value) { put(to, j, value); });
  }

  void weigh(long t) {
    const double* row = run_.log_likelihood + t * run_.stride;
    const auto log_likelihood = [&](long j) { return evidence_.read(row, j / lanes, -infinity); };
    Lane top = splat(-infinity);
    const double total = each_register(log_likelihood, [&](long, Lane l) { top = larger(l, top); });
    const double highest = largest(top);
    // A NaN can hide from comparisons, but not in the sum; nor can +inf.
    const bool whole = total < infinity && highest > -infinity;
    double* const w = weights(t);
    if (whole) {
      fill(w, [&](long j) { return exponential(log_likelihood(j) - highest); });
      shift_ += highest;
    } else {
      for (long j = 0; j < width_; ++j) w[j] = j < states_ ? 1 : 0;
      run_.held += 1;
    }
  }

  // Registers of sum_i x_i m_i over the rows of m.
  template <long Count>
  void combine_registers(const double* x, const double* m, double* to) const {
    const long stride = padded(states_);
    Lane result[Count] = {};
    for (long i = 0; i < states_; ++i) {
      for (long v = 0; v < Count; ++v) result[v] += load(m + i * stride + v * lanes) * x[i];
    }
    for (long v = 0; v < Count; ++v) store(to + v * lanes, result[v]);
  }
  void combine(const double* x, const double* m, double* to) const {
    long j = 0;
    for (; j + 4 * lanes <= width_; j += 4 * lanes) combine_registers<4>(x, m + j, to + j);
    for (; j < width_; j += lanes) combine_registers<1>(x, m + j, to + j);
  }

  void forward() {
    double total = sum_of([&](long j) { return belief(0, j); });
    long exponents = 0;
    for (long t = 1; t < run_.windows; ++t) {
      weigh(t);
      const double* w = weights(t);
      if (run_.transition == nullptr) {
        const double arriving = run_.move * total;
        total = write(t, [&](long j) { return (belief(t - 1, j) * kept_ + arriving) * load(w + j); });
      } else {
        double* const arrived = storage(product);
        combine(posterior(t - 1), run_.transition, arrived);
        total = write(t, [&](long j) { return load(arrived + j) * load(w + j); });
      }
      if (total < small) {
        const PowerOfTwo power = power_below(splat(total));
        exponents += power.exponent[0];
        total = write(t, [&](long j) { return belief(t, j) * power.inverse; });
      }
    }
    run_.log_evidence = shift_ + static_cast<double>(exponents) * 0.69314718055994530942 + __builtin_log(total);
  }

  // At window t `future` holds what follows it, `weighed_future` that of window t + 1 with its evidence.
  void backward() {
    double* const y = storage(future);
    double* const u = storage(weighed_future);
    double* const both = storage(product);
    fill(y, [](long) { return splat(1); });
    for (long t = run_.windows - 1; t >= 0; --t) {
      const double inverse = 1 / fill(both, [&](long j) { return belief(t, j) * load(y + j); });
      if (run_.count && t + 1 < run_.windows) count(t, inverse);
      write(t, [&](long j) { return load(both + j) * inverse; });
      if (t > 0) retreat(t, y, u);
    }
    if (counted_ > 0) count_pairs();
  }

  // y <- A u, u = weights x y
  void retreat(long t, double* y, double* u) const {
    const double* w = weights(t);
    double all = fill(u, [&](long j) { return load(y + j) * load(w + j); });
    if (all < small) {
      const PowerOfTwo power = power_below(splat(all));
      all = fill(u, [&](long j) { return load(u + j) * power.inverse; });
    }
    if (run_.transition == nullptr) {
      const double arriving = run_.move * all;
      fill(y, [&](long j) { return load(u + j) * kept_ + arriving; });
    } else {
      combine(u, run_.transposed, y);
    }
  }

  // The step from window t to the next.
  void count(long t, double inverse) {
    const double* u = storage(weighed_future);
    if (run_.transition != nullptr) {
      fill(storage(departures + counted_), [&](long j) { return belief(t, j) * inverse; });
      fill(storage(arrivals + counted_), [&](long j) { return load(u + j); });
      if (++counted_ == counted_together) count_pairs();
      return;
    }
    const double all = sum_of([&](long j) { return load(u + j); });
    run_.switches += run_.move * inverse * sum_of([&](long j) { return belief(t, j) * (all - load(u + j)); });
  }

  // Adds the steps' joint mass up, but for the factor A, which is the same for all steps.
  void count_pairs() {
    for (long i = 0; i < states_; ++i) {
      double* const to = run_.pairs + i * padded(states_);
      for (long j = 0; j < width_; j += lanes) {
        Lane joint = load(to + j);
        for (long k = 0; k < counted_; ++k) joint += storage(departures + k)[i] * load(storage(arrivals + k) + j);
        store(to + j, joint);
      }
    }
    counted_ = 0;
  }

  SmoothRun& run_;
  long states_;
  long width_;  // of a padded row
  double kept_;
  double* rows_;
  RowReader<0> evidence_;
  RowReader<0> posteriors_;
  double shift_ = 0;
  long counted_ = 0;
};
