// SPDX-License-Identifier: MIT
// One step of the unscaled recursions, forward and backward, for up to six states on a sticky chain. The
// sweep (sweep.h) is written once over these and register_models.h. Included inside a kernel file's unnamed
// namespace, after weights.h.

// Both states in the two halves of one register.
struct TwoStates {
  typedef double State __attribute__((vector_size(16)));  // NOLINT(modernize-use-using)
  State near;                                             // stay, move
  State far;                                              // move, stay
  double move;

  TwoStates(double stay, double p) : near{stay, p}, far{p, stay}, move(p) {}

  static constexpr long most = 2;
  static constexpr long states() { return 2; }
  [[nodiscard]] double smallest() const { return move; }  // transition: p <= 1/N makes it the move
  static State both(double value) { return State{value, value}; }
  static State ones() { return both(1); }
  static State read(const double* row, const double* = nullptr) {
    State result;
    __builtin_memcpy(&result, row, sizeof result);
    return result;
  }
  static void write(double* row, State x) { __builtin_memcpy(row, &x, sizeof x); }
  // The products with the weights do not wait for x: one product and one sum a window do.
  State forward(State x, const double* w) const {
    const State weights = read(w);
    return (weights * near) * both(x[0]) + (weights * far) * both(x[1]);
  }
  State backward(State x, const double* w) const {
    return (both(w[0]) * near) * both(x[0]) + (both(w[1]) * far) * both(x[1]);
  }
  static double total(State x) { return x[0] + x[1]; }
  static State scaled(State x, double by) { return x * by; }
  static State product(State x, State y) { return x * y; }
  // Probability of a move between a window (forward x) and the next (weights w, backward y); scale: one over the joint
  // mass of the step.
  double moving(State x, const double* w, State y, double scale) const {
    const State future = read(w) * y;
    return move * (x[0] * future[1] + x[1] * future[0]) * scale;
  }
  static Weighed weigh(const double* rows, double* weights, long windows) { return weigh_two(rows, weights, windows); }
};

// A handful of states on a sticky chain, in scalars too: rows that do not fill a register are awkward to
// move in and out of one.
template <long N>
struct FewStates {
  struct State {
    double x[N];
  };
  double move;
  double kept;  // 1 - Np

  static constexpr long most = N;
  static constexpr long states() { return N; }
  [[nodiscard]] double smallest() const { return move; }
  static State ones() {
    State result;
    for (double& x : result.x) x = 1;
    return result;
  }
  static State read(const double* row, const double*) {
    State result;
    __builtin_memcpy(result.x, row, sizeof result.x);
    return result;
  }
  static void write(double* row, const State& a) { __builtin_memcpy(row, a.x, sizeof a.x); }
  State forward(const State& a, const double* w) const {
    const double all = total(a);
    State result;
    for (long j = 0; j < N; ++j) result.x[j] = (w[j] * kept) * a.x[j] + (w[j] * move) * all;
    return result;
  }
  State backward(const State& a, const double* w) const {
    State weighed;
    for (long j = 0; j < N; ++j) weighed.x[j] = w[j] * a.x[j];
    const double arriving = move * total(weighed);
    State result;
    for (long j = 0; j < N; ++j) result.x[j] = kept * weighed.x[j] + arriving;
    return result;
  }
  static double total(const State& a) {
    double result = a.x[0];
    for (long j = 1; j < N; ++j) result += a.x[j];
    return result;
  }
  static State scaled(const State& a, double by) {
    State result;
    for (long j = 0; j < N; ++j) result.x[j] = a.x[j] * by;
    return result;
  }
  static State product(const State& a, const State& b) {
    State result;
    for (long j = 0; j < N; ++j) result.x[j] = a.x[j] * b.x[j];
    return result;
  }
  double moving(const State& a, const double* w, const State& b, double scale) const {
    State future;
    for (long j = 0; j < N; ++j) future.x[j] = w[j] * b.x[j];
    const double all = total(future);
    double result = 0;
    for (long j = 0; j < N; ++j) result += a.x[j] * (all - future.x[j]);
    return move * result * scale;
  }
  static Weighed weigh(const double* rows, double* weights, long windows) {
    return weigh_any_rows(rows, weights, windows, N);
  }
};
