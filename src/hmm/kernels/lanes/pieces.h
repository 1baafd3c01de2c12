// SPDX-License-Identifier: MIT
// One sequence of two states cut into pieces that go side by side in the lanes of a register. Each piece's
// effect on whatever comes into it is a 2 x 2 matrix; from these the belief at every cut is known, from the
// past and from the future, and the pieces are smoothed as sequences of their own. Included inside a kernel
// file's unnamed namespace, after sequences.h.

constexpr long block_windows = longest_piece * lanes;

// Rows of each piece's matrix: what becomes of belief in the first state, and in the second, from before
// the piece's first window to after its last and the step beyond.
struct Transfer {
  PairState from_first;
  PairState from_second;
};

struct Vector {
  double u;
  double v;

  [[nodiscard]] Vector normalised() const {
    const double inverse = 1 / (u + v);
    return {u * inverse, v * inverse};
  }
};

inline Vector ahead(Vector x, const Transfer& m, long piece) {
  return Vector{x.u * m.from_first.u[piece] + x.v * m.from_second.u[piece],
                x.u * m.from_first.v[piece] + x.v * m.from_second.v[piece]}
      .normalised();
}
inline Vector behind(const Transfer& m, Vector x, long piece) {
  return Vector{m.from_first.u[piece] * x.u + m.from_first.v[piece] * x.v,
                m.from_second.u[piece] * x.u + m.from_second.v[piece] * x.v}
      .normalised();
}

// Leaves the weights in the storage.
inline Transfer transfer(const LanesTask& task, LanesEvidence& evidence) {
  Transfer m{{splat(1), Lane{}}, {Lane{}, splat(1)}};
  double* storage = task.storage + 2 * lanes;
  for (long first = 0; first < task.windows; first += block) {
    Lane rows[lanes];
    read_block(task, first, rows);
    weigh_block(rows, evidence);
    for (long w = 0; w < block; ++w, storage += 3 * lanes) {
      const Lane code = rows[2 * w];
      store(storage, code);
      m.from_first.absorb(code);
      m.from_second.absorb(code);
      m.from_first.predict(task.stay, task.move);
      m.from_second.predict(task.stay, task.move);
    }
    const Lane inverse = power_below(m.from_first.u + m.from_first.v + m.from_second.u + m.from_second.v).inverse;
    m.from_first.scale(inverse);
    m.from_second.scale(inverse);
  }
  return m;
}

// Belief before the first window of each piece, and, up to scale, the future's evidence after its last.
struct Cuts {
  PairState past;
  PairState future;
};

// start: before the block; future: of the state in the first window after it. start moves on to the next block.
inline Cuts cuts(const LanesTask& task, const Transfer& m, Vector& start, Vector future) {
  Cuts result;
  for (long k = 0; k < lanes; ++k) {
    result.past.u[k] = start.u;
    result.past.v[k] = start.v;
    start = ahead(start, m, k);
  }
  for (long k = lanes - 1; k >= 0; --k) {
    result.future.u[k] = task.stay * future.u + task.move * future.v;
    result.future.v[k] = task.stay * future.v + task.move * future.u;
    future = behind(m, future, k);
  }
  return result;
}

class Pieces {
 public:
  explicit Pieces(SmoothRun& run) : run_(run) {}

  void go() {
    const long blocks = (run_.windows + block_windows - 1) / block_windows;
    const Vector ones{1, 1};
    Vector start{run_.initial[0], run_.initial[1]};
    if (blocks == 1) {
      const LanesTask task = block_of(0);
      LanesEvidence evidence;
      const Transfer m = transfer(task, evidence);
      smooth_block<true>(task, cuts(task, m, start, ones), evidence);
    } else {
      go_through(blocks, start);
    }
    if (run_.stream) finish_streams();
  }

 private:
  struct BlockRecord {
    Transfer matrices;
    Vector future;  // of the state in the first window after the block
  };

  // Twice over the input, once over the output: what lies between would not stay in the cache.
  void go_through(long blocks, Vector start) {
    double* const records = run_.weights + lanes_storage(lanes, longest_piece);
    BlockRecord record;
    for (long b = 0; b < blocks; ++b) {
      LanesEvidence unused;
      record.matrices = transfer(block_of(b), unused);
      __builtin_memcpy(records + b * record_size, &record, sizeof record);
    }
    Vector future{1, 1};
    for (long b = blocks - 1; b >= 0; --b) {
      __builtin_memcpy(&record, records + b * record_size, sizeof record);
      record.future = future;
      __builtin_memcpy(records + b * record_size, &record, sizeof record);
      for (long k = lanes - 1; k >= 0; --k) future = behind(record.matrices, future, k);
    }
    for (long b = 0; b < blocks; ++b) {
      __builtin_memcpy(&record, records + b * record_size, sizeof record);
      const LanesTask task = block_of(b);
      smooth_block<false>(task, cuts(task, record.matrices, start, record.future), LanesEvidence{});
    }
  }

  template <bool Weighed>
  void smooth_block(const LanesTask& task, Cuts at, LanesEvidence evidence) {
    lanes_forward<Weighed>(task, at.past, evidence);
    for (long k = 0; k < lanes; ++k) {
      run_.log_evidence += log_evidence_of(evidence, at.past, k);
      run_.held += static_cast<long>(evidence.held[k]);
    }
    lanes_backward(task, at.future);
  }

  LanesTask block_of(long b) const {
    const long first = b * block_windows;
    const long count = run_.windows - first < block_windows ? run_.windows - first : block_windows;
    const long piece = ((count + lanes - 1) / lanes + block - 1) / block * block;
    LanesTask task{{}, {}, {}, piece, run_.weights, run_.stay, run_.move, false};
    for (long k = 0; k < lanes; ++k) {
      const long left = count - k * piece;
      const long begin = left > 0 ? first + k * piece : first;  // an empty lane points somewhere valid
      task.log_likelihood[k] = run_.log_likelihood + 2 * begin;
      task.posterior[k] = run_.posterior + 2 * begin;
      task.lengths[k] = left < 0 ? 0 : (left < piece ? left : piece);
    }
    task.stream = run_.stream && may_stream(task);
    return task;
  }

  static constexpr long record_size = static_cast<long>(sizeof(BlockRecord) / sizeof(double));

  SmoothRun& run_;
};
