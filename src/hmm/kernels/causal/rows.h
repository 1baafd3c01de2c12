// SPDX-License-Identifier: MIT
// The causal filter of any number of states, which fill registers: sticky chains, and general ones without impossible
// transitions. The weights of a window are made while the window before waits for its division. Included inside a
// kernel file's unnamed namespace, after state_row.h and evidence.h.

// Fixed: the number of states, or 0 if it is known only now.
template <long Fixed, bool Dense>
class RowFilter {
 public:
  explicit RowFilter(CausalRun& run)
      : run_(run),
        reader_(states(), run.log_likelihood + (run.windows - 1) * run.stride + states()),
        belief_(run.storage) {
    const RowReader<Fixed> first(states(), run.posterior + states());
    for (long v = 0; v < registers(); ++v) belief_.set(v, first.read(run.posterior, v, 0));
  }

  void go() {
    double* weights = run_.storage + padded(states());
    double* next_weights = weights + padded(states());
    WeighedWindow window{};
    if (run_.windows > 1) window = weigh(1, weights);
    for (long t = 1; t < run_.windows; ++t) {
      WeighedWindow next{};
      if (t + 1 < run_.windows) next = weigh(t + 1, next_weights);
      step(t, weights, window);
      window = next;
      double* const used = weights;
      weights = next_weights;
      next_weights = used;
    }
    evidence_.into(run_);
  }

 private:
  [[nodiscard]] long states() const { return Fixed > 0 ? Fixed : run_.states; }
  [[nodiscard]] long registers() const { return (states() + lanes - 1) / lanes; }

  WeighedWindow weigh(long t, double* weights) const {
    const double* row = run_.log_likelihood + t * run_.stride;
    Lane top = reader_.read(row, 0, -infinity);
    Lane all = top;
    for (long v = 1; v < registers(); ++v) {
      const Lane l = reader_.read(row, v, -infinity);
      top = larger(top, l);
      all += l;
    }
    const double highest = largest(top);
    // A NaN can hide from comparisons, but not in the sum; nor can +inf.
    const bool whole = sum(all) < infinity && highest > -infinity;
    for (long v = 0; v < registers(); ++v) {
      store(weights + v * lanes, whole ? exponential(reader_.read(row, v, -infinity) - highest) : splat(1));
    }
    return {highest, whole};
  }

  // What arrives in register v of states: in the order of predict_general (passes.cpp).
  [[nodiscard]] Lane predicted(long v) const {
    const double* m = run_.transition + v * lanes;
    const long stride = padded(states());
    const auto product = [&](long i) { return belief_.at(i) * load(m + i * stride); };
    const auto four = [&](long i) { return (product(i) + product(i + 1)) + (product(i + 2) + product(i + 3)); };
    long i = states() >= 4 ? 4 : 1;
    Lane result = states() >= 4 ? four(0) : product(0);
    for (; i + 4 <= states(); i += 4) result += four(i);
    for (; i < states(); ++i) result += product(i);
    return result;
  }

  // core's operations in core's order.
  void step(long t, double* weights, const WeighedWindow& window) {
    StateRow<Fixed> arrived(weights);
    double total = 0;
    for (long v = 0; v < registers(); ++v) {
      const Lane w = load(weights + v * lanes);
      arrived.set(v, Dense ? predicted(v) * w : (w * run_.kept) * belief_.get(v) + w * run_.move);
    }
    for (long j = 0; j < states(); ++j) total = j == 0 ? arrived.at(0) : total + arrived.at(j);
    if (!window.whole) total = 1;
    for (long v = 0; v < registers(); ++v) belief_.set(v, arrived.get(v) / total);
    double* const row = run_.posterior + t * run_.posterior_stride;
    belief_.write(row, states());
    evidence_.add(window, total);
  }

  CausalRun& run_;
  RowReader<Fixed> reader_;
  StateRow<Fixed> belief_;
  CausalEvidence evidence_;
};
