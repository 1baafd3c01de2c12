// SPDX-License-Identifier: MIT
// Forward-backward of as many sequences as a register has lanes, two states each: every operation works
// on all of them, and no recursion waits. A shorter sequence goes on through windows that say nothing,
// which changes no posterior. Included inside a kernel file's unnamed namespace, after weights.h.

constexpr long block = lanes / 2 > 0 ? lanes / 2 : 1;  // windows whose rows of one sequence fill a register

// Rows and columns exchanged: log2(lanes) perfect shuffles.
inline void transpose(Lane (&square)[lanes]) {
  for (long span = 1; span < lanes; span *= 2) {
    Lane shuffled[lanes];
    for (long i = 0; i < lanes / 2; ++i) {
      shuffled[2 * i] = zip_low(square[i], square[i + lanes / 2]);
      shuffled[2 * i + 1] = zip_high(square[i], square[i + lanes / 2]);
    }
    for (long i = 0; i < lanes; ++i) square[i] = shuffled[i];
  }
}

// How many of the block's windows sequence k still has.
inline long windows_left(const LanesRun& run, long k, long first) {
  const long left = run.lengths[k] - first;
  return left < 0 ? 0 : (left < block ? left : block);
}

// Register 2w + j: log-likelihood of state j in window first + w, a sequence a lane.
inline void read_block(const LanesRun& run, long first, Lane (&rows)[lanes]) {
  for (long k = 0; k < lanes; ++k) {
    const long left = windows_left(run, k, first);
    if (left == block) {
      rows[k] = load(run.log_likelihood[k] + 2 * first);
    } else {
      double padded[lanes] = {};
      if (left > 0) {
        __builtin_memcpy(padded, run.log_likelihood[k] + 2 * first, static_cast<unsigned long>(left) * 2 * sizeof(double));
      }
      rows[k] = load(padded);
    }
  }
  transpose(rows);
}

inline void write_block(const LanesRun& run, long first, Lane (&rows)[lanes]) {
  transpose(rows);
  for (long k = 0; k < lanes; ++k) {
    const long left = windows_left(run, k, first);
    if (left == block) {
      store(run.posterior[k] + 2 * first, rows[k]);
    } else if (left > 0) {
      double row[lanes];
      store(row, rows[k]);
      __builtin_memcpy(run.posterior[k] + 2 * first, row, static_cast<unsigned long>(left) * 2 * sizeof(double));
    }
  }
}

// The two weights of a window in one number: the larger is 1, the sign says which.
struct PairWeights {
  Lane a;
  Lane b;
};

inline Lane packed(Lane ratio, LaneBits first_is_larger) { return first_is_larger ? ratio : -ratio; }

inline PairWeights unpacked(Lane ratio) {
  LaneBits bits;
  __builtin_memcpy(&bits, &ratio, sizeof bits);
  const auto second_is_larger = bits < 0;
  const Lane one = splat(1);
  return {second_is_larger ? -ratio : one, second_is_larger ? one : ratio};
}

struct PairState {
  Lane u;
  Lane v;

  // Scaled by a power of two to a sum in [1, 2); the power is returned.
  LaneBits rescale() {
    const Lane size = u + v;
    LaneBits bits;
    __builtin_memcpy(&bits, &size, sizeof bits);
    const LaneBits exponent = (bits >> 52) & 0x7ff;
    const LaneBits inverse_bits = (2046 - exponent) << 52;
    Lane inverse;
    __builtin_memcpy(&inverse, &inverse_bits, sizeof inverse);
    u *= inverse;
    v *= inverse;
    return exponent - 1023;
  }
  void predict(double stay, double move) {
    const Lane moved = stay * v + move * u;
    u = stay * u + move * v;
    v = moved;
  }
};

struct LanesEvidence {
  Lane shift{};
  Lane held{};
  LaneBits exponents{};
};

inline void lanes_forward(const LanesRun& run, long windows, PairState& alpha, LanesEvidence& evidence) {
  double* storage = run.storage;
  for (long first = 0; first < windows; first += block) {
    Lane rows[lanes];
    read_block(run, first, rows);
    const long count = windows - first < block ? windows - first : block;
    for (long w = 0; w < count; ++w, storage += 3 * lanes) {
      const Lane a = rows[2 * w];
      const Lane b = rows[2 * w + 1];
      const Lane top = larger(a, b);
      const auto whole = (a < infinity) & (b < infinity) & (top > -infinity);
      const Lane one = splat(1);
      const Lane ratio = whole ? exponential((a > b ? b : a) - top) : one;
      evidence.shift += whole ? top : Lane{};
      evidence.held += whole ? Lane{} : one;
      const Lane code = packed(ratio, a >= b);
      const PairWeights weights = unpacked(code);
      if (first + w > 0) alpha.predict(run.stay, run.move);
      alpha.u *= weights.a;
      alpha.v *= weights.b;
      store(storage, alpha.u);
      store(storage + lanes, alpha.v);
      store(storage + 2 * lanes, code);
    }
    evidence.exponents += alpha.rescale();
  }
}

inline void lanes_backward(const LanesRun& run, long windows) {
  PairState beta{splat(1), splat(1)};
  for (long first = (windows - 1) / block * block; first >= 0; first -= block) {
    Lane rows[lanes] = {};
    const long count = windows - first < block ? windows - first : block;
    for (long w = count - 1; w >= 0; --w) {
      const double* storage = run.storage + (first + w) * 3 * lanes;
      const Lane u = load(storage) * beta.u;
      const Lane v = load(storage + lanes) * beta.v;
      const Lane inverse = 1 / (u + v);
      rows[2 * w] = u * inverse;
      rows[2 * w + 1] = v * inverse;
      const PairWeights weights = unpacked(load(storage + 2 * lanes));
      beta.u *= weights.a;
      beta.v *= weights.b;
      beta.predict(run.stay, run.move);
    }
    beta.rescale();
    write_block(run, first, rows);
  }
}

inline void smooth_lanes(LanesRun& run) noexcept {
  long windows = 0;
  for (long k = 0; k < lanes; ++k) windows = run.lengths[k] > windows ? run.lengths[k] : windows;
  PairState alpha{splat(run.initial[0]), splat(run.initial[1])};
  LanesEvidence evidence;
  lanes_forward(run, windows, alpha, evidence);
  for (long k = 0; k < lanes; ++k) {
    run.log_evidence[k] = evidence.shift[k] + static_cast<double>(evidence.exponents[k]) * 0.69314718055994530942 +
                          __builtin_log(alpha.u[k] + alpha.v[k]);
    run.held[k] = static_cast<long>(evidence.held[k]);
  }
  lanes_backward(run, windows);
}
