// SPDX-License-Identifier: MIT
// Viterbi for two states. The lead d of state 0 over state 1 obeys d_t = l_t + c_t, c_{t+1} = clip(d_t, +-L),
// L = log(stay/move). A piece of the sequence maps c to clip(c + a, low, high) whatever c is, so pieces go
// side by side in the lanes as they do in pieces.h. The path is read off the leads from the end: no
// back-pointers are stored. Included inside a kernel file's unnamed namespace, after pieces.h and evidence.h.

// Not decided: by no window of the piece.
constexpr double undecided = 2;

class LeadPieces {
 public:
  explicit LeadPieces(ViterbiRun& run)
      : run_(run), limit_(run.log_stay - run.log_move), decisive_(limit_ + run.tie), blocks_(blocks_of(run.windows)) {}

  void go() {
    double carried = run_.first;
    for (long b = 0; b < blocks_; ++b) carried = lead(part(b), carried);
    double state = last_lead() >= -run_.tie ? 0 : 1;
    for (long b = blocks_ - 1; b >= 0; --b) state = trace(part(b), state);
    const double switches = sum(switches_);
    run_.log_probability =
        (static_cast<double>(run_.windows - 1) - switches) * run_.log_stay + switches * run_.log_move;
  }

 private:
  struct Part {
    long first;       // window
    long count;       // windows
    long piece;       // of them in a lane, rounded up to whole squares
    double* leads;    // window w of lane k at w lanes + k
    double* decided;  // the state at the first window of each lane's piece, seen from there
  };

  static long blocks_of(long windows) { return (windows + block_windows - 1) / block_windows; }

  [[nodiscard]] Part part(long b) const {
    const long first = b * block_windows;
    const long count = run_.windows - first < block_windows ? run_.windows - first : block_windows;
    const long piece = ((count + lanes - 1) / lanes + lanes - 1) / lanes * lanes;
    double* const behind_leads = run_.scores + viterbi_leads(run_.windows);
    return {first, count, piece, run_.scores + first, behind_leads + b * lanes};
  }

  static Lane clip(Lane x, Lane low, Lane high) {
    const Lane below = x < high ? x : high;
    return below > low ? below : low;
  }

  // l of `lanes` windows of one sequence; 0 where a window is missing or the piece has ended. What lies so
  // far out decides whatever came before, so it may as well be finite.
  [[nodiscard]] Lane evidence(const Part& p, long lane, long w) const {
    const long begin = lane * p.piece + w;
    const long left = p.count - begin;
    Lane a{};
    Lane b{};
    if (left >= lanes && run_.stride == 2) {
      const double* rows = run_.log_likelihood + 2 * (p.first + begin);
      const Lane x = load(rows);
      const Lane y = load(rows + lanes);
      a = evens(x, y);
      b = odds(x, y);
    } else {
      for (long t = 0; t < (left < lanes ? left : lanes); ++t) {
        const double* row = run_.log_likelihood + (p.first + begin + t) * run_.stride;
        a[t] = row[0];
        b[t] = row[1];
      }
    }
    const auto whole = is_whole(a, b);
    const Lane furthest = splat(4 * limit_ + (run_.first < 0 ? -run_.first : run_.first) + 1);
    return whole ? clip(a - b, -furthest, furthest) : Lane{};
  }

  // Leads of a block, given what the windows before it carry in; returns what it carries out.
  double lead(const Part& p, double carried) {
    const Lane limit = splat(limit_);
    Lane a{};
    Lane low = splat(-infinity);
    Lane high = splat(infinity);
    for (long w = 0; w < p.piece; w += lanes) {
      Lane square[lanes];
      for (long k = 0; k < lanes; ++k) square[k] = evidence(p, k, w);
      transpose(square);
      for (long i = 0; i < lanes; ++i) {
        store(p.leads + (w + i) * lanes, square[i]);
        a += square[i];
        low = clip(low + square[i], -limit, limit);
        high = clip(high + square[i], -limit, limit);
      }
    }
    Lane carry;
    for (long k = 0; k < lanes; ++k) {
      carry[k] = carried;
      const double moved = carried + a[k] < high[k] ? carried + a[k] : high[k];
      carried = moved > low[k] ? moved : low[k];
    }
    store(p.decided, accumulate(p, carry));
    return carried;
  }

  // Evidence to leads; returns what the earliest decisive window of each piece says.
  [[nodiscard]] Lane accumulate(const Part& p, Lane carry) const {
    const Lane limit = splat(limit_);
    Lane decided = splat(undecided);
    for (long w = 0; w < p.piece; ++w) {
      const Lane lead = load(p.leads + w * lanes) + carry;
      store(p.leads + w * lanes, lead);
      carry = clip(lead, -limit, limit);
      decided = decided == undecided ? state_after(lead, splat(undecided)) : decided;
    }
    return decided;
  }

  // A lead beyond the limit decides the state, any other keeps the later one.
  [[nodiscard]] Lane state_after(Lane lead, Lane later) const {
    const Lane first_or_later = lead > decisive_ ? Lane{} : later;
    return lead < -decisive_ ? splat(1) : first_or_later;
  }

  [[nodiscard]] double last_lead() const {
    const Part p = part(blocks_ - 1);
    return p.leads[(p.count - 1) % p.piece * lanes + (p.count - 1) / p.piece];
  }

  // The path of a block from the state after it; returns the state at its first window.
  double trace(const Part& p, double later) {
    Lane state;
    for (long k = lanes - 1; k >= 0; --k) {
      state[k] = later;
      later = p.decided[k] == undecided ? later : p.decided[k];
    }
    for (long w = p.piece - lanes; w >= 0; w -= lanes) {
      Lane square[lanes];
      for (long i = lanes - 1; i >= 0; --i) {
        square[i] = state_after(load(p.leads + (w + i) * lanes), state);
        switches_ += square[i] == state ? Lane{} : splat(1);
        state = square[i];
      }
      transpose(square);
      for (long k = 0; k < lanes; ++k) write(p, k * p.piece + w, square[k]);
    }
    return later;
  }

  void write(const Part& p, long begin, Lane states) const {
    const long left = p.count - begin;
    if (left <= 0) return;
    const LaneStates path = __builtin_convertvector(states, LaneStates);
    const auto windows = static_cast<unsigned long>(left < lanes ? left : lanes);
    __builtin_memcpy(run_.path + p.first + begin, &path, windows * sizeof(int));
  }

  ViterbiRun& run_;
  double limit_;
  double decisive_;
  long blocks_;
  Lane switches_{};
};

inline void viterbi_two(ViterbiRun& run) noexcept {
  LeadPieces(run).go();
  add_all_evidence(run);
}
