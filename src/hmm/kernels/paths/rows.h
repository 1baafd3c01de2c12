// SPDX-License-Identifier: MIT
// Viterbi for any number of states, which fill registers: sticky chains, and general ones without impossible
// transitions. Rows of scores are kept as in few.h. Included inside a kernel file's unnamed namespace, after few.h.

// Fixed: the number of states, or 0 if it is known only now.
template <long Fixed, bool Dense>
class RowPath {
 public:
  explicit RowPath(ViterbiRun& run)
      : run_(run),
        reader_(states(), run.log_likelihood + (run.windows - 1) * run.stride + states()),
        score_(run.scores) {
    const RowReader<Fixed> first(states(), run.scores + states());
    for (long v = 0; Fixed > 0 && v < registers(); ++v) score_.set(v, first.read(run.scores, v, -infinity));
  }

  void go() {
    for (long t = 1; t < run_.windows; ++t) step(t);
    if (Dense) {
      trace_path(run_, [&](const double* scores, long state) { return before(scores, state); });
    } else {
      run_.log_probability += static_cast<double>(run_.windows - 1) * run_.log_stay;
      trace_sticky_path(run_);
    }
  }

 private:
  [[nodiscard]] long states() const { return Fixed > 0 ? Fixed : run_.states; }
  [[nodiscard]] long registers() const { return (states() + lanes - 1) / lanes; }

  // The best way into register v of states.
  [[nodiscard]] Lane arrived(long v) const {
    if (!Dense) return larger(score_.get(v), splat(run_.log_move - run_.log_stay));
    const double* m = run_.log_transition + v * lanes;
    const long stride = padded(states());
    const auto way = [&](long i) { return score_.at(i) + load(m + i * stride); };
    Lane even = way(0);
    Lane odd = even;
    long i = 1;
    for (; i + 1 < states(); i += 2) {
      odd = larger(odd, way(i));
      even = larger(even, way(i + 1));
    }
    if (i < states()) odd = larger(odd, way(i));
    return larger(even, odd);
  }

  // Adds the window's evidence, then takes the best score out, so that nothing drifts.
  void step(long t) {
    const double* l = run_.log_likelihood + t * run_.stride;
    const auto read = [&](long v) { return reader_.read(l, v, -infinity); };
    Lane top = read(0);
    Lane all = top;
    for (long v = 1; v < registers(); ++v) {
      top = larger(top, read(v));
      all += read(v);
    }
    double shift = largest(top);
    const bool whole = is_whole(sum(all), shift);
    if (!whole) shift = 0;
    double* const row = run_.scores + t * states();
    StateRow<Fixed> next(row);
    Lane highest = splat(-infinity);
    for (long v = 0; v < registers(); ++v) {
      const Lane evidence = whole ? read(v) - shift : nothing(v);
      next.set(v, arrived(v) + evidence);
      highest = larger(highest, next.get(v));
    }
    const double best = largest(highest);
    for (long v = 0; v < registers(); ++v) next.set(v, next.get(v) - best);
    if (Fixed > 0) next.write(row, states());
    score_ = next;
    run_.log_probability += shift + best;
    run_.held += whole ? 0 : 1;
  }
  // What a missing window says of states and of what fills the registers up.
  [[nodiscard]] Lane nothing(long v) const {
    return (v + 1) * lanes <= states() ? Lane{} : (reader_.valid ? Lane{} : splat(-infinity));
  }

  // Ties: stay first, then the lowest index.
  [[nodiscard]] long before(const double* scores, long state) const {
    const double* ways = run_.log_transposed + state * padded(states());
    Lane highest = splat(-infinity);
    for (long v = 0; v < registers(); ++v) highest = larger(highest, load(scores + v * lanes) + load(ways + v * lanes));
    const double enough = largest(highest) - run_.tie;
    if (scores[state] + ways[state] >= enough) return state;
    long j = 0;
    while (scores[j] + ways[j] < enough) ++j;
    return j;
  }

  ViterbiRun& run_;
  RowReader<Fixed> reader_;
  StateRow<Fixed> score_;
};
