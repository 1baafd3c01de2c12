// SPDX-License-Identifier: MIT
// What a lag later is known of windows of a sticky chain: as many windows as a register has lanes look ahead side by
// side, each with core's operations in core's order, so that rows are those of a stream to the bit. Included inside a
// kernel file's unnamed namespace, after registers.h.

// Fixed: the number of states, or 0 if it is known only now.
template <long Fixed>
class LaggedRows {
 public:
  explicit LaggedRows(const LaggedRun& run) : run_(run) {}

  void go() {
    for (long first = run_.first; first < run_.end; first += lanes) look_ahead(first);
  }

 private:
  [[nodiscard]] long states() const { return Fixed > 0 ? Fixed : run_.states; }

  // Column j of rows, a window a lane; past the last window that is wanted, that one again.
  [[nodiscard]] Lane column(const double* rows, long stride, long first) const {
    const long count = run_.end - first;
    if (count >= lanes) return gather(rows, stride);
    Lane result{};
    for (long k = 0; k < lanes; ++k) result[k] = rows[(k < count ? k : count - 1) * stride];
    return result;
  }

  // As core's normalise.
  void normalise(Lane* values) const {
    Lane total = values[0];
    for (long j = 1; j < states(); ++j) total += values[j];
    for (long j = 0; j < states(); ++j) values[j] = total > 0 ? values[j] / total : values[j];
  }

  void look_ahead(long first) const {
    Lane future[Fixed > 0 ? Fixed : largest_lagged_states];
    for (long j = 0; j < states(); ++j) future[j] = splat(1);
    for (long later = first + run_.lag; later > first; --later) {
      const double* weights = run_.weights + later * states();
      for (long j = 0; j < states(); ++j) future[j] *= column(weights + j, states(), first);
      normalise(future);
      Lane total = future[0];
      for (long j = 1; j < states(); ++j) total += future[j];
      const Lane arriving = run_.move * total;
      for (long j = 0; j < states(); ++j) future[j] = run_.kept * future[j] + arriving;
    }
    double* const rows = run_.posterior + first * run_.posterior_stride;
    for (long j = 0; j < states(); ++j) future[j] *= column(rows + j, run_.posterior_stride, first);
    normalise(future);
    for (long k = 0; k < lanes && first + k < run_.end; ++k) {
      for (long j = 0; j < states(); ++j) rows[k * run_.posterior_stride + j] = future[j][k];
    }
  }

  const LaggedRun& run_;
};

inline void look_ahead(const LaggedRun& run) {
  switch (run.states) {
    case 2:
      return LaggedRows<2>(run).go();
    case 3:
      return LaggedRows<3>(run).go();
    case 4:
      return LaggedRows<4>(run).go();
    default:
      return LaggedRows<0>(run).go();
  }
}
