// SPDX-License-Identifier: MIT
// Forward-backward of as many sequences as a register has lanes, of N states each on a sticky chain: every operation
// works on all of them, and no recursion waits. Included inside a kernel file's unnamed namespace, after
// lanes/weights.h.

// A number for each state: belief, or the future's evidence.
template <long N, typename Number>
struct States {
  Number x[N];

  static States ones() {
    States result;
    for (Number& number : result.x) number = Number{} + 1;
    return result;
  }
  [[nodiscard]] Number total() const {
    Number result = x[0];
    for (long j = 1; j < N; ++j) result += x[j];
    return result;
  }
  void scale(Number by) {
    for (Number& number : x) number *= by;
  }
};

template <long N>
struct LaneBeliefs : States<N, Lane> {
  using States<N, Lane>::x;

  // To a sum in [1, 2); returns the exponent taken out.
  LaneBits rescale() {
    const PowerOfTwo power = power_below(this->total());
    this->scale(power.inverse);
    return power.exponent;
  }
  void absorb(const LaneWeights<N>& weights) {
    for (long j = 0; j < N; ++j) x[j] = weights.times(j, x[j]);
  }
  void predict(const LanesTask& chain) {
    if constexpr (N == 2) {
      const Lane moved = chain.stay * x[1] + chain.move * x[0];
      x[0] = chain.stay * x[0] + chain.move * x[1];
      x[1] = moved;
    } else {
      const Lane arriving = chain.move * this->total();
      for (Lane& number : x) number = chain.kept * number + arriving;
    }
  }
  // Predicts, then absorbs. Of three states or more, products that do not wait for the sum over states go first.
  void advance(const LanesTask& chain, const LaneWeights<N>& weights) {
    if constexpr (N == 2) {
      predict(chain);
      absorb(weights);
    } else {
      const Lane all = this->total();
      for (long j = 0; j < N; ++j) {
        x[j] = weights.times(j, splat(chain.kept)) * x[j] + weights.times(j, splat(chain.move)) * all;
      }
    }
  }
  // Absorbs, then predicts.
  void retreat(const LanesTask& chain, const LaneWeights<N>& weights) {
    if constexpr (N == 2) {
      absorb(weights);
      predict(chain);
    } else {
      Lane arriving = weights.times(0, splat(chain.move)) * x[0];
      for (long j = 1; j < N; ++j) arriving += weights.times(j, splat(chain.move)) * x[j];
      for (long j = 0; j < N; ++j) x[j] = weights.times(j, splat(chain.kept)) * x[j] + arriving;
    }
  }
};

// What is stored of a window: belief, then its weights.
template <long N>
constexpr long window_numbers = (N + LaneWeights<N>::numbers) * lanes;

// alpha: what is believed of each lane's first window before it is seen. Leaves alpha and, unless it finds
// them there, the weights of every window in the storage. A window shrinks alpha, or the future, at most by
// smallest_transition, and a block has at most eight: both and their product stay above 1e-270, a normal number.
template <long N, bool Weighed>
inline void lanes_forward(const LanesTask& task, LaneBeliefs<N>& alpha, LanesEvidence& evidence) {
  double* storage = task.storage;
  for (long first = 0; first < task.windows; first += block<N>) {
    LaneWeights<N> weights[block<N>];
    if constexpr (!Weighed) {
      Lane rows[block_numbers<N>];
      read_block<N>(task, first, rows);
      weigh_block<N>(rows, weights, evidence);
    }
    const long count = task.windows - first < block<N> ? task.windows - first : block<N>;
    for (long w = 0; w < count; ++w, storage += window_numbers<N>) {
      const LaneWeights<N> now = Weighed ? LaneWeights<N>::read(storage + N * lanes) : weights[w];
      if (first + w > 0) {
        alpha.advance(task, now);
      } else {
        alpha.absorb(now);
      }
      for (long j = 0; j < N; ++j) store(storage + j * lanes, alpha.x[j]);
      if constexpr (!Weighed) now.write(storage + N * lanes);
    }
    evidence.exponents += alpha.rescale();
  }
}

// beta: of each lane's last window. Writes the posteriors.
template <long N>
inline void lanes_backward(const LanesTask& task, LaneBeliefs<N> beta) {
  for (long first = (task.windows - 1) / block<N> * block<N>; first >= 0; first -= block<N>) {
    Lane rows[block_numbers<N>] = {};
    const long count = task.windows - first < block<N> ? task.windows - first : block<N>;
    for (long w = count - 1; w >= 0; --w) {
      const double* storage = task.storage + (first + w) * window_numbers<N>;
      States<N, Lane> both;
      for (long j = 0; j < N; ++j) both.x[j] = load(storage + j * lanes) * beta.x[j];
      both.scale(1 / both.total());
      for (long j = 0; j < N; ++j) rows[N * w + j] = both.x[j];
      beta.retreat(task, LaneWeights<N>::read(storage + N * lanes));
    }
    beta.rescale();
    write_block<N>(task, first, rows);
  }
}

inline double log_evidence_of(const LanesEvidence& evidence, Lane total, long lane) {
  return evidence.shift[lane] + static_cast<double>(evidence.exponents[lane]) * 0.69314718055994530942 +
         __builtin_log(total[lane]);
}

template <long N>
inline void smooth_sequences(LanesRun& run) {
  LanesTask task{{}, {}, {}, 0, run.storage, run.stay, run.kept, run.move, false};
  for (long k = 0; k < lanes; ++k) {
    task.log_likelihood[k] = run.log_likelihood[k];
    task.posterior[k] = run.posterior[k];
    task.lengths[k] = run.lengths[k];
    task.windows = run.lengths[k] > task.windows ? run.lengths[k] : task.windows;
  }
  task.stream = run.stream && may_stream(task);
  LaneBeliefs<N> alpha;
  for (long j = 0; j < N; ++j) alpha.x[j] = splat(run.initial[j]);
  LanesEvidence evidence;
  lanes_forward<N, false>(task, alpha, evidence);
  for (long k = 0; k < lanes; ++k) {
    run.log_evidence[k] = log_evidence_of(evidence, alpha.total(), k);
    run.held[k] = static_cast<long>(evidence.held[k]);
  }
  lanes_backward<N>(task, {LaneBeliefs<N>::ones()});
  if (task.stream) finish_streams();
}
