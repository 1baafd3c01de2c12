// SPDX-License-Identifier: MIT
// Forward-backward of as many sequences as a register has lanes, two states each: every operation works
// on all of them, and no recursion waits. Included inside a kernel file's unnamed namespace, after
// rows.h.

struct LanesEvidence {
  Lane shift{};
  Lane held{};
  LaneBits exponents{};
};

// A window's weights in one number: the larger is 1, this is the smaller, and its sign says whose it is: the
// second state's if positive.
inline Lane weigh_any(Lane a, Lane b, LanesEvidence& evidence) {
  const Lane top = larger(a, b);
  const auto whole = (a < infinity) & (b < infinity) & (top > -infinity);
  const Lane one = splat(1);
  const Lane ratio = whole ? exponential((a > b ? b : a) - top) : one;
  evidence.shift += whole ? top : Lane{};
  evidence.held += whole ? Lane{} : one;
  return a >= b ? ratio : -ratio;
}

// rows[2w] <- the packed weights of window w. Windows as they should be, nearly always all of them, need
// no look at what could be wrong.
inline void weigh_block(Lane (&rows)[lanes], LanesEvidence& evidence) {
  Lane apart{};
  for (long w = 0; w < block; ++w) apart += from_bits(bits_of(rows[2 * w] - rows[2 * w + 1]) | sign_bit);
  if (sum(apart) > core::ExponentialConstants<double>::lowest) {  // so each is; not if one is NaN or infinite
    for (long w = 0; w < block; ++w) {
      const Lane lead = rows[2 * w] - rows[2 * w + 1];
      evidence.shift += larger(rows[2 * w], rows[2 * w + 1]);
      const Lane ratio = exponential_of_normal(from_bits(bits_of(lead) | sign_bit));
      rows[2 * w] = from_bits(bits_of(ratio) | (bits_of(lead) & sign_bit));
    }
  } else {
    for (long w = 0; w < block; ++w) rows[2 * w] = weigh_any(rows[2 * w], rows[2 * w + 1], evidence);
  }
}

struct PairState {
  Lane u;
  Lane v;

  void scale(Lane by) {
    u *= by;
    v *= by;
  }
  // To a sum in [1, 2); returns the exponent taken out.
  LaneBits rescale() {
    const PowerOfTwo power = power_below(u + v);
    scale(power.inverse);
    return power.exponent;
  }
  void absorb(Lane packed_weights) {
    const auto second_is_larger = bits_of(packed_weights) < 0;
    u = second_is_larger ? -packed_weights * u : u;
    v = second_is_larger ? v : packed_weights * v;
  }
  void predict(double stay, double move) {
    const Lane moved = stay * v + move * u;
    u = stay * u + move * v;
    v = moved;
  }
};

// alpha: what is believed of each lane's first window before it is seen. Leaves alpha and, unless it finds
// them there, the weights of every window in the storage.
template <bool Weighed>
inline void lanes_forward(const LanesTask& task, PairState& alpha, LanesEvidence& evidence) {
  double* storage = task.storage;
  for (long first = 0; first < task.windows; first += block) {
    Lane rows[lanes];
    if constexpr (!Weighed) {
      read_block(task, first, rows);
      weigh_block(rows, evidence);
    }
    const long count = task.windows - first < block ? task.windows - first : block;
    for (long w = 0; w < count; ++w, storage += 3 * lanes) {
      const Lane code = Weighed ? load(storage + 2 * lanes) : rows[2 * w];
      if (first + w > 0) alpha.predict(task.stay, task.move);
      alpha.absorb(code);
      store(storage, alpha.u);
      store(storage + lanes, alpha.v);
      if constexpr (!Weighed) store(storage + 2 * lanes, code);
    }
    evidence.exponents += alpha.rescale();
  }
}

// beta: of each lane's last window. Writes the posteriors.
inline void lanes_backward(const LanesTask& task, PairState beta) {
  for (long first = (task.windows - 1) / block * block; first >= 0; first -= block) {
    Lane rows[lanes] = {};
    const long count = task.windows - first < block ? task.windows - first : block;
    for (long w = count - 1; w >= 0; --w) {
      const double* storage = task.storage + (first + w) * 3 * lanes;
      const Lane u = load(storage) * beta.u;
      const Lane v = load(storage + lanes) * beta.v;
      const Lane inverse = 1 / (u + v);
      rows[2 * w] = u * inverse;
      rows[2 * w + 1] = v * inverse;
      beta.absorb(load(storage + 2 * lanes));
      beta.predict(task.stay, task.move);
    }
    beta.rescale();
    write_block(task, first, rows);
  }
}

inline double log_evidence_of(const LanesEvidence& evidence, const PairState& alpha, long lane) {
  return evidence.shift[lane] + static_cast<double>(evidence.exponents[lane]) * 0.69314718055994530942 +
         __builtin_log(alpha.u[lane] + alpha.v[lane]);
}

inline void smooth_lanes(LanesRun& run) noexcept {
  LanesTask task{{}, {}, {}, 0, run.storage, run.stay, run.move, false};
  for (long k = 0; k < lanes; ++k) {
    task.log_likelihood[k] = run.log_likelihood[k];
    task.posterior[k] = run.posterior[k];
    task.lengths[k] = run.lengths[k];
    task.windows = run.lengths[k] > task.windows ? run.lengths[k] : task.windows;
  }
  task.stream = run.stream && may_stream(task);
  PairState alpha{splat(run.initial[0]), splat(run.initial[1])};
  LanesEvidence evidence;
  lanes_forward<false>(task, alpha, evidence);
  for (long k = 0; k < lanes; ++k) {
    run.log_evidence[k] = log_evidence_of(evidence, alpha, k);
    run.held[k] = static_cast<long>(evidence.held[k]);
  }
  lanes_backward(task, {splat(1), splat(1)});
  if (task.stream) finish_streams();
}
