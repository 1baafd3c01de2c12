// SPDX-License-Identifier: MIT
// One step of the unscaled recursions, forward and backward, with the states in registers: sticky chains and
// any chain without zeros. Included inside a kernel file's unnamed namespace, after weights.h.

// What chains over V registers share. Lanes beyond the states hold nothing that is ever read.
template <long V>
struct Registers {
  struct State {
    Lane x[V];
  };
  static constexpr long most = V * lanes;
  long count;   // of states
  State valid;  // 1 in the lanes of states, 0 beyond

  explicit Registers(long states) : count(states) {
    double ones[most] = {};
    for (long j = 0; j < states; ++j) ones[j] = 1;
    for (long v = 0; v < V; ++v) valid.x[v] = load(ones + v * lanes);
  }
  [[nodiscard]] long states() const { return count; }
  static State ones() {
    State result;
    for (Lane& x : result.x) x = splat(1);
    return result;
  }
  // Reads past the row's end, and past the last row, where states do not fill the registers.
  [[nodiscard]] State read_roomy(const double* row) const {
    State result;
    for (long v = 0; v < V; ++v) result.x[v] = valid.x[v] != 0 ? load(row + v * lanes) : Lane{};
    return result;
  }
  // Reads nothing at or beyond `end`.
  [[nodiscard]] State read(const double* row, const double* end) const {
    if (row + most <= end) return read_roomy(row);
    double padded[most] = {};
    __builtin_memcpy(padded, row, static_cast<unsigned long>(count) * sizeof(double));
    return read_roomy(padded);
  }
  void write(double* row, const State& state) const {
    if (count == V * lanes) {
      for (long v = 0; v < V; ++v) store(row + v * lanes, state.x[v]);
    } else {
      double padded[V * lanes];
      for (long v = 0; v < V; ++v) store(padded + v * lanes, state.x[v]);
      __builtin_memcpy(row, padded, static_cast<unsigned long>(count) * sizeof(double));
    }
  }
  static double dot(const State& a, const State& b) { return total(product(a, b)); }
  static double total(const State& a) {
    Lane all = a.x[0];
    for (long v = 1; v < V; ++v) all += a.x[v];
    return sum(all);
  }
  static State scaled(const State& a, double by) {
    State result;
    for (long v = 0; v < V; ++v) result.x[v] = a.x[v] * by;
    return result;
  }
  static State product(const State& a, const State& b) {
    State result;
    for (long v = 0; v < V; ++v) result.x[v] = a.x[v] * b.x[v];
    return result;
  }
  Weighed weigh(const double* rows, double* weights, long windows) const {
    return count == most ? weigh_full_rows<V>(rows, weights, windows) : weigh_any_rows(rows, weights, windows, count);
  }
};

template <long V>
struct Sticky : Registers<V> {
  using State = typename Registers<V>::State;
  double move;
  double kept;  // 1 - Np

  explicit Sticky(const SmoothRun& run) : Registers<V>(run.states), move(run.move), kept(kept_of(run)) {}
  [[nodiscard]] double smallest() const { return move; }
  [[nodiscard]] State predicted(const State& a) const {
    const Lane arriving = splat(move * Registers<V>::total(a));
    State result;
    for (long v = 0; v < V; ++v) result.x[v] = a.x[v] * kept + arriving;
    return result;
  }
  State forward(const State& x, const double* w) const {
    return Registers<V>::product(predicted(x), Registers<V>::read_roomy(w));
  }
  State backward(const State& x, const double* w) const {
    return predicted(Registers<V>::product(x, Registers<V>::read_roomy(w)));
  }
  double moving(const State& x, const double* w, const State& y, double scale) const {
    const State u = Registers<V>::product(y, Registers<V>::read_roomy(w));
    State elsewhere;
    const double all = Registers<V>::total(u);
    for (long v = 0; v < V; ++v) elsewhere.x[v] = all - u.x[v];
    return move * Registers<V>::dot(x, elsewhere) * scale;
  }
};

template <long V>
struct Dense : Registers<V> {
  using State = typename Registers<V>::State;
  const double* rows;     // A, padded with zeros
  const double* columns;  // A'
  double* pairs;
  long stride;

  explicit Dense(const SmoothRun& run)
      : Registers<V>(run.states),
        rows(run.transition),
        columns(run.transposed),
        pairs(run.pairs),
        stride(padded(run.states)) {}

  [[nodiscard]] double smallest() const { return smallest_entry(rows, this->count); }
  // sum_i x_i m_i over the rows of m
  [[nodiscard]] State combined(const State& x, const double* m) const {
    double each[V * lanes];
    for (long v = 0; v < V; ++v) store(each + v * lanes, x.x[v]);
    State even{};
    State odd{};
    long i = 0;
    for (; i + 1 < this->count; i += 2) {
      for (long v = 0; v < V; ++v) {
        even.x[v] += load(m + i * stride + v * lanes) * each[i];
        odd.x[v] += load(m + (i + 1) * stride + v * lanes) * each[i + 1];
      }
    }
    for (long v = 0; v < V; ++v) {
      if (i < this->count) even.x[v] += load(m + i * stride + v * lanes) * each[i];
      even.x[v] += odd.x[v];
    }
    return even;
  }
  State forward(const State& x, const double* w) const {
    return Registers<V>::product(combined(x, rows), Registers<V>::read_roomy(w));
  }
  State backward(const State& x, const double* w) const {
    return combined(Registers<V>::product(x, Registers<V>::read_roomy(w)), columns);
  }
  // Adds the step's joint mass up, but for the factor A, which is the same for all steps.
  double moving(const State& x, const double* w, const State& y, double scale) const {
    const State u = Registers<V>::scaled(Registers<V>::product(y, Registers<V>::read_roomy(w)), scale);
    double each[V * lanes];
    for (long v = 0; v < V; ++v) store(each + v * lanes, x.x[v]);
    for (long i = 0; i < this->count; ++i) {
      for (long v = 0; v < V; ++v) {
        double* const to = pairs + i * stride + v * lanes;
        store(to, load(to) + u.x[v] * each[i]);
      }
    }
    return 0;
  }
};
