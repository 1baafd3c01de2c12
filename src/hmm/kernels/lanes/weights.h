// SPDX-License-Identifier: MIT
// A window's weights, a sequence a lane, and what the windows add to the log-evidence. A missing window (NaN, +inf, all
// -inf) weighs 1 for every state. Included inside a kernel file's unnamed namespace, after ranking.h.

struct LanesEvidence {
  Lane shift{};
  Lane held{};
  LaneBits exponents{};
};

// A window's weights.
template <long N>
struct LaneWeights {
  static constexpr long numbers = N;
  Lane weight[N];

  static LaneWeights of(const Ranking<N>& ranking, const Lane* l, const Lane* ratio) {
    LaneWeights result;
    ranking.weigh(l, ratio, result.weight);
    return result;
  }
  static LaneWeights read(const double* from) {
    LaneWeights result;
    for (long j = 0; j < N; ++j) result.weight[j] = load(from + j * lanes);
    return result;
  }
  void write(double* to) const {
    for (long j = 0; j < N; ++j) store(to + j * lanes, weight[j]);
  }
  [[nodiscard]] Lane times(long j, Lane x) const { return weight[j] * x; }
};
// Of two states in one number: the larger is 1, this is the smaller, and its sign says whose it is: the second state's
// if positive.
template <>
struct LaneWeights<2> {
  static constexpr long numbers = 1;
  Lane code;

  static LaneWeights of(const Ranking<2>& ranking, const Lane* l, const Lane* ratio) {
    return {ranking.leader[0] > l[1] ? ratio[1] : -ratio[1]};
  }
  static LaneWeights read(const double* from) { return {load(from)}; }
  void write(double* to) const { store(to, code); }
  [[nodiscard]] Lane times(long j, Lane x) const {
    const auto second_is_larger = bits_of(code) < 0;
    if (j == 0) return second_is_larger ? -code * x : x;
    return second_is_larger ? x : code * x;
  }
};

template <long N>
inline LaneWeights<N> weigh_any(const Lane* l, LanesEvidence& evidence) {
  const Ranking<N> ranking(l);
  const auto whole = ranking.whole(l);
  const Lane one = splat(1);
  Lane ratio[N];
  for (long j = 1; j < N; ++j) ratio[j] = whole ? exponential(ranking.behind[j]) : one;
  evidence.shift += whole ? ranking.top() : Lane{};
  evidence.held += whole ? Lane{} : one;
  return LaneWeights<N>::of(ranking, l, ratio);
}

// The weights of a block. Windows as they should be, nearly always all of them, need no look at what could be wrong;
// they are looked over a few at a time, so that strong evidence in all of them is still as it should be.
template <long N>
[[gnu::always_inline]] inline void weigh_block(const Lane* rows, LaneWeights<N>* weights, LanesEvidence& evidence) {
  constexpr long together = block<N> < block<2> ? block<N> : block<2>;
  for (long first = 0; first < block<N>; first += together) {
    Lane behind{};
    for (long w = first; w < first + together; ++w) {
      const Ranking<N> ranking(rows + N * w);
      for (long j = 1; j < N; ++j) behind += ranking.behind[j];
    }
    if (sum(behind) > core::ExponentialConstants<double>::lowest) {  // so each is; not if one is NaN or infinite
      for (long w = first; w < first + together; ++w) {
        const Ranking<N> ranking(rows + N * w);
        Lane ratio[N];
        for (long j = 1; j < N; ++j) ratio[j] = exponential_of_normal(ranking.behind[j]);
        evidence.shift += ranking.top();
        weights[w] = LaneWeights<N>::of(ranking, rows + N * w, ratio);
      }
    } else {
      for (long w = first; w < first + together; ++w) weights[w] = weigh_any<N>(rows + N * w, evidence);
    }
  }
}
