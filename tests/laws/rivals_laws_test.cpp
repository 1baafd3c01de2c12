// SPDX-License-Identifier: MIT
// What must hold for the rivals of the HMM on any scores.
#include <gtest/gtest.h>
#include <heed/data/random.h>
#include <heed/track/method.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace heed::track {
namespace {

constexpr double exact = 1e-12;
constexpr std::array rivals = {Method::markov_chain, Method::probabilistic_gain, Method::state_space};

// Correlations with log-likelihoods that grow with them, and some missing windows.
struct Case {
  Scores scores;
  LogLikelihoods log_likelihoods;

  [[nodiscard]] Evidence evidence() const { return {scores, log_likelihoods}; }
  [[nodiscard]] double ratio(Index t) const { return log_likelihoods.values(t, 0) - log_likelihoods.values(t, 1); }
};

Case random_case(Index windows, Index speakers) {
  RandomStream random(*rc::gen::arbitrary<std::uint64_t>());
  Case one{{Matrix(windows, speakers), {1}}, {Matrix(windows, speakers), {1}}};
  for (Index t = 0; t < windows; ++t) {
    for (Index j = 0; j < speakers; ++j) one.scores.values(t, j) = std::tanh(0.4 * random.normal());
    if (random.uniform() < 0.1) one.scores.values(t, 0) = NAN;
  }
  one.log_likelihoods.values = one.scores.values * (1 + (5 * random.uniform()));
  for (auto row : one.log_likelihoods.values.rowwise()) {
    if (std::isnan(row(0))) row.setConstant(NAN);
  }
  return one;
}

AnyTracker any_rival(Index speakers) {
  const auto method = rivals[*rc::gen::inRange(0, speakers == 2 ? 3 : 2)];
  const MethodOptions options{.gain_states = *rc::gen::inRange(2, 40), .gain_step = *rc::gen::inRange(1, 100) / 100.0};
  return make_tracker(method, hmm::Chain::sticky(speakers, 0.01), options);
}

// g <- clip(g + drive) from one half: what both gain controls are for two speakers.
template <typename Drive>
std::vector<double> clipped_walk(const Case& one, Drive drive) {
  std::vector<double> gains;
  double gain = 0.5;
  for (Index t = 0; t < one.scores.values.rows(); ++t) {
    const double ratio = one.ratio(t);
    if (!std::isnan(ratio)) gain = std::clamp(gain + drive(ratio), 0.0, 1.0);
    gains.push_back(gain);
  }
  return gains;
}

void expect_gains(const Tracked& tracked, const std::vector<double>& gains) {
  for (std::size_t t = 0; t < gains.size(); ++t) {
    const auto row = tracked.posteriors.values.row(static_cast<Index>(t));
    RC_ASSERT(std::abs(row(0) - gains[t]) < exact);
    RC_ASSERT(row(0) + row(1) == 1.0);
    if (gains[t] > 0.5 + 1e-6) RC_ASSERT(tracked.decisions.states[t] == 0);
    if (gains[t] < 0.5 - 1e-6) RC_ASSERT(tracked.decisions.states[t] == 1);
    if (t > 0 && std::abs(gains[t] - 0.5) < exact) {
      RC_ASSERT(tracked.decisions.states[t] == tracked.decisions.states[t - 1]);
    }
  }
}

RC_GTEST_PROP(Rivals, TheMarkovChainIsTheClippedWalkOfSigns, ()) {
  const Case one = random_case(*rc::gen::inRange(1, 300), 2);
  const int states = *rc::gen::inRange(2, 40);
  const auto sign = [&](double ratio) { return (ratio > 0 ? 1 : ratio < 0 ? -1 : 0) / (states - 1.0); };
  expect_gains(MarkovChainTracker{states}.track(one.evidence()), clipped_walk(one, sign));
}

RC_GTEST_PROP(Rivals, TheProbabilisticGainIsTheClippedWalkOfTanh, ()) {
  const Case one = random_case(*rc::gen::inRange(1, 300), 2);
  const double step = *rc::gen::inRange(1, 100) / 100.0;
  const auto drive = [&](double ratio) { return step * std::tanh(ratio / 2); };
  expect_gains(ProbabilisticGainTracker{step}.track(one.evidence()), clipped_walk(one, drive));
}

// Sure windows: P is 0 or 1, so the two gain controls are one.
RC_GTEST_PROP(Rivals, TheGainControlsAgreeOnWindowsThatAreSure, ()) {
  const Index speakers = *rc::gen::inRange(2, 6);
  Case one = random_case(*rc::gen::inRange(1, 200), speakers);
  one.log_likelihoods.values *= 1e9;
  const int states = *rc::gen::inRange(2, 40);
  const Tracked chain = MarkovChainTracker{states}.track(one.evidence());
  const Tracked gain = ProbabilisticGainTracker{1.0 / (states - 1)}.track(one.evidence());
  RC_ASSERT((chain.posteriors.values - gain.posteriors.values).cwiseAbs().maxCoeff() < exact);
  RC_ASSERT(chain.posteriors.held == gain.posteriors.held);
}

RC_GTEST_PROP(Rivals, PosteriorsLieOnTheSimplex, ()) {
  const Index speakers = *rc::gen::inRange(2, 6);
  const Case one = random_case(*rc::gen::inRange(1, 120), speakers);
  const Tracked tracked = track(any_rival(speakers), one.evidence());
  RC_ASSERT(tracked.posteriors.values.rows() == one.scores.values.rows());
  RC_ASSERT(tracked.posteriors.values.minCoeff() >= 0);
  RC_ASSERT((tracked.posteriors.values.rowwise().sum().array() - 1).abs().maxCoeff() < exact);
}

RC_GTEST_PROP(Rivals, AreCausal, ()) {
  const Index speakers = *rc::gen::inRange(2, 6);
  const Case one = random_case(*rc::gen::inRange(2, 120), speakers);
  const AnyTracker rival = any_rival(speakers);
  const Index kept = *rc::gen::inRange<Index>(1, one.scores.values.rows());
  const Case cut{{one.scores.values.topRows(kept), {1}}, {one.log_likelihoods.values.topRows(kept), {1}}};
  const Tracked whole = track(rival, one.evidence());
  const Tracked beginning = track(rival, cut.evidence());
  RC_ASSERT(beginning.posteriors.values == whole.posteriors.values.topRows(kept));
  RC_ASSERT(
      std::equal(beginning.decisions.states.begin(), beginning.decisions.states.end(), whole.decisions.states.begin()));
  RC_ASSERT(look_ahead(rival, Seconds{1}) == Seconds{0});
}

// No speaker is special: exchanging columns exchanges posteriors, and decisions but for ties at the start.
RC_GTEST_PROP(Rivals, DoNotCareForTheOrderOfSpeakers, ()) {
  const Index speakers = *rc::gen::inRange(2, 6);
  const Case one = random_case(*rc::gen::inRange(1, 120), speakers);
  const AnyTracker rival = any_rival(speakers);
  const Index turn = *rc::gen::inRange<Index>(1, speakers);
  Case turned = one;
  for (Index j = 0; j < speakers; ++j) {
    turned.scores.values.col((j + turn) % speakers) = one.scores.values.col(j);
    turned.log_likelihoods.values.col((j + turn) % speakers) = one.log_likelihoods.values.col(j);
  }
  const Tracked a = track(rival, one.evidence());
  const Tracked b = track(rival, turned.evidence());
  bool decided = false;
  for (Index t = 0; t < one.scores.values.rows(); ++t) {
    for (Index j = 0; j < speakers; ++j) {
      RC_ASSERT(std::abs(a.posteriors.values(t, j) - b.posteriors.values(t, (j + turn) % speakers)) < 1e-9);
    }
    std::vector<double> row(a.posteriors.values.row(t).begin(), a.posteriors.values.row(t).end());
    std::ranges::sort(row, std::greater{});
    decided = decided || row[0] - row[1] > 1e-6;
    const auto k = static_cast<std::size_t>(t);
    if (decided) RC_ASSERT((a.decisions.states[k] + turn) % speakers == b.decisions.states[k]);
  }
}

// A window that says nothing changes nothing but the count of those held, for the gain controls.
RC_GTEST_PROP(Rivals, GainsHoldOverMissingWindows, ()) {
  const Index speakers = *rc::gen::inRange(2, 6);
  Case one = random_case(*rc::gen::inRange(2, 100), speakers);
  const Index gap = *rc::gen::inRange<Index>(1, one.scores.values.rows());
  one.scores.values(gap, speakers - 1) = NAN;
  one.log_likelihoods.values.row(gap).setConstant(NAN);
  const MethodOptions options{.gain_states = *rc::gen::inRange(2, 40)};
  for (const Method method : {Method::markov_chain, Method::probabilistic_gain}) {
    const AnyTracker tracker = make_tracker(method, hmm::Chain::sticky(speakers, 0.01), options);
    const Tracked tracked = track(tracker, one.evidence());
    const Matrix& gains = tracked.posteriors.values;
    RC_ASSERT((gains.row(gap) - gains.row(gap - 1)).cwiseAbs().maxCoeff() < exact);
    RC_ASSERT(tracked.decisions.states[static_cast<std::size_t>(gap)] ==
              tracked.decisions.states[static_cast<std::size_t>(gap) - 1]);
  }
}

}  // namespace
}  // namespace heed::track
