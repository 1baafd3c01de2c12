// SPDX-License-Identifier: MIT
// One sequence of N states cut into pieces that go side by side in the lanes of a register. Each piece's
// effect on whatever comes into it is an N x N matrix; from these the belief at every cut is known, from the
// past and from the future, and the pieces are smoothed as sequences of their own. Included inside a kernel
// file's unnamed namespace, after sequences.h.

constexpr long block_windows = longest_piece * lanes;

// Rows of each piece's matrix: what becomes of belief in each state from before the piece's first window to
// after its last and the step beyond.
template <long N>
struct Transfer {
  LaneBeliefs<N> from[N];
};

// At a cut.
template <long N>
struct CutStates : States<N, double> {
  using States<N, double>::x;

  [[nodiscard]] CutStates normalised() const {
    CutStates result = *this;
    result.scale(1 / this->total());
    return result;
  }
  [[nodiscard]] CutStates ahead(const Transfer<N>& m, long piece) const {
    CutStates result;
    for (long j = 0; j < N; ++j) {
      result.x[j] = x[0] * m.from[0].x[j][piece];
      for (long i = 1; i < N; ++i) result.x[j] += x[i] * m.from[i].x[j][piece];
    }
    return result.normalised();
  }
  [[nodiscard]] CutStates behind(const Transfer<N>& m, long piece) const {
    CutStates result;
    for (long i = 0; i < N; ++i) {
      result.x[i] = m.from[i].x[0][piece] * x[0];
      for (long j = 1; j < N; ++j) result.x[i] += m.from[i].x[j][piece] * x[j];
    }
    return result.normalised();
  }
};

// Leaves the weights in the storage.
template <long N>
inline Transfer<N> transfer(const LanesTask& task, LanesEvidence& evidence) {
  Transfer<N> m{};
  for (long j = 0; j < N; ++j) m.from[j].x[j] = splat(1);
  double* storage = task.storage + N * lanes;
  for (long first = 0; first < task.windows; first += block<N>) {
    Lane rows[block_numbers<N>];
    LaneWeights<N> weights[block<N>];
    read_block<N>(task, first, rows);
    weigh_block<N>(rows, weights, evidence);
    for (long w = 0; w < block<N>; ++w, storage += window_numbers<N>) {
      weights[w].write(storage);
      for (LaneBeliefs<N>& row : m.from) row.absorb(weights[w]);
      for (LaneBeliefs<N>& row : m.from) row.predict(task);
    }
    Lane size = m.from[0].total();
    for (long i = 1; i < N; ++i) {
      for (const Lane& number : m.from[i].x) size += number;
    }
    const Lane inverse = power_below(size).inverse;
    for (LaneBeliefs<N>& row : m.from) row.scale(inverse);
  }
  return m;
}

// Belief before the first window of each piece, and, up to scale, the future's evidence after its last.
template <long N>
struct Cuts {
  LaneBeliefs<N> past;
  LaneBeliefs<N> future;
};

// start: before the block; future: of the state in the first window after it. start moves on to the next block.
template <long N>
inline Cuts<N> cuts(const LanesTask& task, const Transfer<N>& m, CutStates<N>& start, CutStates<N> future) {
  Cuts<N> result;
  for (long k = 0; k < lanes; ++k) {
    for (long j = 0; j < N; ++j) result.past.x[j][k] = start.x[j];
    start = start.ahead(m, k);
  }
  for (long k = lanes - 1; k >= 0; --k) {
    for (long j = 0; j < N; ++j) result.future.x[j][k] = future.x[j];
    future = future.behind(m, k);
  }
  result.future.predict(task);
  return result;
}

template <long N>
class Pieces {
 public:
  explicit Pieces(SmoothRun& run) : run_(run) {}

  void go() {
    const long blocks = (run_.windows + block_windows - 1) / block_windows;
    CutStates<N> start;
    for (long j = 0; j < N; ++j) start.x[j] = run_.initial[j];
    if (blocks == 1) {
      const LanesTask task = block_of(0);
      LanesEvidence evidence;
      const Transfer<N> m = transfer<N>(task, evidence);
      smooth_block<true>(task, cuts<N>(task, m, start, {CutStates<N>::ones()}), evidence);
    } else {
      go_through(blocks, start);
    }
    if (run_.stream) finish_streams();
  }

 private:
  struct BlockRecord {
    Transfer<N> matrices;
    CutStates<N> future;  // of the state in the first window after the block
  };

  // Twice over the input, once over the output: what lies between would not stay in the cache.
  void go_through(long blocks, CutStates<N> start) {
    double* const records = run_.weights + lanes_storage(lanes, longest_piece, N);
    BlockRecord record;
    for (long b = 0; b < blocks; ++b) {
      LanesEvidence unused;
      record.matrices = transfer<N>(block_of(b), unused);
      __builtin_memcpy(records + b * record_size, &record, sizeof record);
    }
    CutStates<N> future{CutStates<N>::ones()};
    for (long b = blocks - 1; b >= 0; --b) {
      __builtin_memcpy(&record, records + b * record_size, sizeof record);
      record.future = future;
      __builtin_memcpy(records + b * record_size, &record, sizeof record);
      for (long k = lanes - 1; k >= 0; --k) future = future.behind(record.matrices, k);
    }
    for (long b = 0; b < blocks; ++b) {
      __builtin_memcpy(&record, records + b * record_size, sizeof record);
      const LanesTask task = block_of(b);
      smooth_block<false>(task, cuts<N>(task, record.matrices, start, record.future), LanesEvidence{});
    }
  }

  template <bool Weighed>
  void smooth_block(const LanesTask& task, Cuts<N> at, LanesEvidence evidence) {
    lanes_forward<N, Weighed>(task, at.past, evidence);
    for (long k = 0; k < lanes; ++k) {
      run_.log_evidence += log_evidence_of(evidence, at.past.total(), k);
      run_.held += static_cast<long>(evidence.held[k]);
    }
    lanes_backward<N>(task, at.future);
  }

  [[nodiscard]] LanesTask block_of(long b) const {
    const long first = b * block_windows;
    const long count = run_.windows - first < block_windows ? run_.windows - first : block_windows;
    const long piece = ((count + lanes - 1) / lanes + block<N> - 1) / block<N> * block<N>;
    LanesTask task{{}, {}, {}, piece, run_.weights, run_.stay, kept_of(run_), run_.move, false};
    for (long k = 0; k < lanes; ++k) {
      const long left = count - k * piece;
      const long begin = left > 0 ? first + k * piece : first;  // an empty lane points somewhere valid
      task.log_likelihood[k] = run_.log_likelihood + N * begin;
      task.posterior[k] = run_.posterior + N * begin;
      task.lengths[k] = left < 0 ? 0 : (left < piece ? left : piece);
    }
    task.stream = run_.stream && may_stream(task);
    return task;
  }

  static constexpr long record_size = static_cast<long>(sizeof(BlockRecord) / sizeof(double));

  SmoothRun& run_;
};
