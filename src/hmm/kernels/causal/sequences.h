// SPDX-License-Identifier: MIT
// The causal filter of as many sequences as a register has lanes, two states each: core's operations in core's order in
// every lane, and no division is waited for alone. Included inside a kernel file's unnamed namespace, after
// lanes/rows.h.

class SequencesFilter {
 public:
  explicit SequencesFilter(LanesRun& run) : run_(run), u_(splat(run.initial[0])), v_(splat(run.initial[1])) {
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
    for (long first = 0; first < task_.windows; first += block) {
      Lane rows[lanes];
      read_block(task_, first, rows);
      for (long w = 0; w < block; ++w) {
        step(first + w, rows[2 * w], rows[2 * w + 1]);
        rows[2 * w] = u_;
        rows[2 * w + 1] = v_;
      }
      write_block(task_, first, rows);
    }
    if (task_.stream) finish_streams();
    for (long k = 0; k < lanes; ++k) {
      const double first = first_shift_[k] + __builtin_log(first_normaliser_[k]);
      run_.log_evidence[k] = first + (shift_[k] + (log_[k] + __builtin_log(product_[k])));
      run_.held[k] = static_cast<long>(held_[k]);
    }
  }

 private:
  // As core's absorb in the first window, then as its advance. A sequence that has ended goes on without being heard.
  void step(long t, Lane a, Lane b) {
    const Lane top = larger(a, b);
    const auto whole = (a < infinity) & (b < infinity) & (top > -infinity);
    const Lane one = splat(1);
    const Lane ratio = whole ? exponential((a > b ? b : a) - top) : one;
    const Lane first_weight = a >= b ? one : ratio;
    const Lane second_weight = b > a ? one : ratio;
    u_ = t == 0 ? u_ * first_weight : (first_weight * run_.kept) * u_ + first_weight * run_.move;
    v_ = t == 0 ? v_ * second_weight : (second_weight * run_.kept) * v_ + second_weight * run_.move;
    const Lane total = whole ? u_ + v_ : one;
    u_ /= total;
    v_ /= total;
    const auto heard = splat(static_cast<double>(t)) < lengths_;
    held_ += heard & ~whole ? one : Lane{};
    const Lane shift = heard & whole ? top : Lane{};
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
  Lane u_;
  Lane v_;
  Lane first_shift_{};
  Lane first_normaliser_ = splat(1);
  Lane shift_{};
  Lane held_{};
  Lane log_{};
  Lane product_ = splat(1);
};
