// SPDX-License-Identifier: MIT
// What a window says, a sequence a lane: the largest log-likelihood, and the weights exp(l - largest), of which the
// largest is 1 and needs no exponential. Included inside a kernel file's unnamed namespace, after lanes/rows.h.

// States are compared in their order: the larger of a state and the leader before it goes on as the leader, the other
// one stays behind. So no number is lost, and a NaN is found again in what is behind.
template <long N>
struct Ranking {
  Lane leader[N];  // of states 0 ... j
  Lane behind[N];  // from j = 1 on: of the one that stays behind, less the largest of all

  explicit Ranking(const Lane* l) {
    leader[0] = l[0];
    for (long j = 1; j < N; ++j) {
      behind[j] = leader[j - 1] > l[j] ? l[j] : leader[j - 1];
      leader[j] = larger(leader[j - 1], l[j]);
    }
    for (long j = 1; j < N; ++j) behind[j] -= top();
  }

  [[nodiscard]] Lane top() const { return leader[N - 1]; }
  // Not where a window is missing.
  [[nodiscard]] auto whole(const Lane* l) const {
    auto result = (l[0] < infinity) & (top() > -infinity);
    for (long j = 1; j < N; ++j) result &= l[j] < infinity;
    return result;
  }
  // ratio: exp(behind), from j = 1 on.
  void weigh(const Lane* l, const Lane* ratio, Lane* weight) const {
    Lane leading = splat(1);
    for (long j = N - 1; j > 0; --j) {
      const auto stays_behind = leader[j - 1] > l[j];
      weight[j] = stays_behind ? ratio[j] : leading;
      leading = stays_behind ? leading : ratio[j];
    }
    weight[0] = leading;
  }
};
