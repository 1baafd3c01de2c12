// SPDX-License-Identifier: MIT
// Written with the compiler's vector extension: Lane is a number of eight trials, or of eight windows of one trial
// where no window waits for another. What goes from window to window is a template over V, a Lane or a double.
#include <core/exponential.h>
#include <data/instruction_sets.h>
#include <track/sliding_em.h>

// What is not part of the two functions that are made for several machines would be made for the oldest.
#define HEED_INLINED __attribute__((always_inline))
#define HEED_INLINE [[gnu::always_inline]] inline

namespace heed::track {
namespace {

constexpr std::size_t lanes = SlidingWindows::lanes;
typedef double Lane __attribute__((vector_size(lanes * 8)));                   // NOLINT(modernize-use-using)
typedef unsigned long long LaneWords __attribute__((vector_size(lanes * 8)));  // NOLINT(modernize-use-using)

#include "hmm/kernels/exponential.h"

template <typename V = Lane>
HEED_INLINE V load(const double* from) {
  V result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}
template <typename V>
HEED_INLINE void store(double* to, V value) {
  __builtin_memcpy(to, &value, sizeof value);
}

HEED_INLINE bool any(int of_one) { return of_one != 0; }
template <typename Mask>
HEED_INLINE bool any(const Mask& of_each) {
  long long found = 0;
  for (std::size_t k = 0; k < lanes; ++k) found |= of_each[k];
  return found != 0;
}

template <typename V>
HEED_INLINE V size_of(V x) {
  return x < 0 ? -x : x;
}

// e^-|z| never overflows.
HEED_INLINE Lane logistic_of(Lane z) {
  const Lane power = exponential(-size_of(z));
  const Lane inverse = 1 / (1 + power);
  return z < 0 ? power * inverse : inverse;
}
HEED_INLINE double logistic_of(double z) { return logistic_of(Lane{} + z)[0]; }

// Calls work(k) so that numbers k ... k + lanes - 1 go over those of all windows, a few of nobody's at the end
// included.
template <typename Work>
HEED_INLINE void each_register(const SlidingWindows& w, const Work& work) {
  const std::size_t end = (w.size + 1) * w.trials;
  for (std::size_t k = w.trials; k < end; k += lanes) work(k);
}

// The E-step of who is attended. Densities' common factors cancel in the log-likelihood ratio.
HEED_INLINE void assign(const SlidingWindows& w) {
  const Lane mean_a = load(w.of(Markers::attended_mean));
  const Lane mean_u = load(w.of(Markers::unattended_mean));
  const Lane half_a = load(w.of(Markers::attended_precision)) / 2;
  const Lane half_u = load(w.of(Markers::unattended_precision)) / 2;
  each_register(w, [&](std::size_t k) HEED_INLINED {
    const Lane first = load(w.of(Known::first) + k);
    const Lane second = load(w.of(Known::second) + k);
    const Lane attended = (second - mean_a) * (second - mean_a) - (first - mean_a) * (first - mean_a);
    const Lane unattended = (first - mean_u) * (first - mean_u) - (second - mean_u) * (second - mean_u);
    const Lane ratio = half_a * attended + half_u * unattended;
    store(w.of(Known::responsibility) + k, logistic_of(load(w.of(Known::z) + k) + ratio));
  });
}

template <typename V>
struct Sums {
  V seen{};
  V attended{};
  V unattended{};
};

// Of first and second, or of the squares of their distances from two means.
template <typename V>
HEED_INLINE Sums<V> sums(const SlidingWindows& w, const V* mean_a, const V* mean_u) {
  Sums<V> result;
  for (std::size_t k = 1; k <= w.size; ++k) {
    const V seen = load<V>(w.of(Known::seen, k));
    const V e = load<V>(w.of(Known::responsibility, k));
    const V first = load<V>(w.of(Known::first, k));
    const V second = load<V>(w.of(Known::second, k));
    const auto taken = [](const V* mean, V x) HEED_INLINED { return mean == nullptr ? x : (x - *mean) * (x - *mean); };
    result.seen += seen;
    result.attended += seen * (e * taken(mean_a, first) + (1 - e) * taken(mean_a, second));
    result.unattended += seen * ((1 - e) * taken(mean_u, first) + e * taken(mean_u, second));
  }
  return result;
}

template <typename V>
HEED_INLINE void keep(const SlidingWindows& w, Markers quantity, V value) {
  store(w.of(quantity), Lane{} + value);
}

// The prior counts as often as there are windows, missing ones included; with none missing the numerator of the
// precision is the published 2 K_W alpha0.
template <typename V>
HEED_INLINE void refit(const SlidingWindows& w, const StateSpaceOptions& options) {
  const auto size = static_cast<double>(w.size);
  const auto mean_of = [&](V sum, V seen, const MarkerPrior& prior)
                           HEED_INLINED { return (sum + size * prior.mean) / (seen + size); };
  const auto precision_of = [&](V squares, V mean, V seen, const MarkerPrior& prior) HEED_INLINED {
    const V off = mean - prior.mean;
    return (size * (2 * prior.shape - 1) + seen) / (squares + size * (2 * prior.rate + off * off));
  };
  const Sums<V> plain = sums<V>(w, nullptr, nullptr);
  const V mean_a = mean_of(plain.attended, plain.seen, options.attended);
  const V mean_u = mean_of(plain.unattended, plain.seen, options.unattended);
  const Sums<V> squares = sums<V>(w, &mean_a, &mean_u);
  keep(w, Markers::attended_mean, mean_a);
  keep(w, Markers::unattended_mean, mean_u);
  keep(w, Markers::attended_precision, precision_of(squares.attended, mean_a, plain.seen, options.attended));
  keep(w, Markers::unattended_precision, precision_of(squares.unattended, mean_u, plain.seen, options.unattended));
}

// A state's log-odds and their logistic.
template <typename V>
struct State {
  V z;
  V s;
};

// The derivatives of the logistic at s over their factorials: logistic(z + m) = s + m (of[0] + m (of[1] + ...)).
template <typename V>
struct Series {
  V of[6];  // NOLINT(modernize-avoid-c-arrays): registers
};
template <typename V>
HEED_INLINE Series<V> series_at(V s) {
  const V w = s * (1 - s);
  const V c = 1 - 2 * s;
  return {{w, w * c * (1. / 2), w * (1 - 6 * w) * (1. / 6), w * c * (1 - 12 * w) * (1. / 24),
           w * (1 - w * (30 - 120 * w)) * (1. / 120), w * c * (1 - w * (60 - 360 * w)) * (1. / 720)}};
}

// Where off + rise m + variance (logistic(z + m) - s - m s') = 0 for an m that is small: the series turned round, in
// straight = -off / rise. slack: variance / rise.
constexpr double near_enough = 1. / 32;  // what is left out is below 1e-13 then
template <typename V>
HEED_INLINE State<V> nearby(State<V> from, const Series<V>& series, V straight, V slack) {
  const V a = slack * series.of[1];
  const V b = slack * series.of[2];
  const V c = slack * series.of[3];
  const V d = slack * series.of[4];
  const V square = straight * straight;
  const V third = 2 * a * a - b;
  const V fourth = 5 * a * (b - a * a) - c;
  const V fifth = a * a * (14 * a * a - 21 * b) + 6 * a * c + 3 * b * b - d;
  const V m = straight + square * ((third * straight - a) + square * (fourth + fifth * straight));
  const V squared = m * m;
  const V rise = m * ((series.of[0] + series.of[1] * m) +
                      squared * ((series.of[2] + series.of[3] * m) + squared * (series.of[4] + series.of[5] * m)));
  return {from.z + m, from.s + rise};
}

// The z at which the posterior of a window's state is largest, and the logistic of it. The state that the last EM step
// found is near, as a rule, and its logistic known: then no exponential is needed. Where it is not, Halley's steps lead
// there; trials that are near wait for the others. The root, and so all steps, are within [highest - variance,
// highest].
template <typename V>
HEED_INLINE State<V> observe(State<V> state, V highest, V variance, V seen, int newton_steps) {
  for (int step = 0;; ++step) {
    const Series<V> series = series_at(state.s);
    const V off = state.z - highest + variance * state.s;
    const V rise = 1 + variance * series.of[0];
    const V inverse = 1 / rise;
    const V straight = -off * inverse;
    const auto far = (seen != 0) & (size_of(straight) >= near_enough);
    if (!any(far)) return nearby(state, series, straight, variance * inverse);
    if (step == newton_steps) return state;
    const V lowest = highest - variance;
    const V halley = state.z - off * rise / (rise * rise - off * variance * series.of[1]);
    const V below = halley < highest ? halley : highest;
    const V next = below > lowest ? below : lowest;
    state.z = far ? next : state.z;
    state.s = far ? logistic_of(next) : state.s;
  }
}

// The state before enters with what it was smoothed to.
template <typename V>
HEED_INLINE void filter(const SlidingWindows& w, int newton_steps) {
  V z = load<V>(w.of(Known::z));
  V variance = load<V>(w.of(Known::variance));
  store(w.of(Known::filtered_z), z);
  store(w.of(Known::filtered_variance), variance);
  for (std::size_t k = 1; k <= w.size; ++k) {
    variance = variance + load<V>(w.of(Known::drift, k));
    store(w.of(Known::predicted_z, k), z);
    store(w.of(Known::predicted_variance, k), variance);
    const V seen = load<V>(w.of(Known::seen, k));
    const State<V> before{load<V>(w.of(Known::filtered_z, k)), load<V>(w.of(Known::logistic_z, k))};
    const V highest = z + variance * load<V>(w.of(Known::responsibility, k));
    const State<V> found = observe(before, highest, variance, seen, newton_steps);
    z = seen != 0 ? found.z : z;
    variance = variance / (1 + seen * variance * (found.s * (1 - found.s)));
    store(w.of(Known::filtered_z, k), z);
    store(w.of(Known::logistic_z, k), seen != 0 ? found.s : before.s);
    store(w.of(Known::filtered_variance, k), variance);
  }
}

template <typename V>
HEED_INLINE void smooth(const SlidingWindows& w, bool compatible) {
  V z = load<V>(w.of(Known::filtered_z, w.size));
  V variance = compatible ? V{} : load<V>(w.of(Known::filtered_variance, w.size));
  store(w.of(Known::z, w.size), z);
  store(w.of(Known::variance, w.size), variance);
  for (std::size_t k = w.size; k-- > 0;) {
    const V filtered = load<V>(w.of(Known::filtered_variance, k));
    const V predicted = load<V>(w.of(Known::predicted_variance, k + 1));
    const V gain = filtered / predicted;
    z = load<V>(w.of(Known::filtered_z, k)) + gain * (z - load<V>(w.of(Known::predicted_z, k + 1)));
    variance = filtered + gain * gain * (variance - predicted);
    store(w.of(Known::gain, k), gain);
    store(w.of(Known::z, k), z);
    store(w.of(Known::variance, k), variance);
  }
}

HEED_INLINE void update_drift(const SlidingWindows& w, const StateSpaceOptions& options) {
  const double share = 1 / (1 + 2 * (options.drift_shape + 1));
  each_register(w, [&](std::size_t k) HEED_INLINED {
    const std::size_t before = k - w.trials;
    const Lane step = load(w.of(Known::z) + k) - load(w.of(Known::z) + before);
    const Lane variance = load(w.of(Known::variance) + k);
    const Lane moved =
        step * step + variance + load(w.of(Known::variance) + before) - 2 * variance * load(w.of(Known::gain) + before);
    store(w.of(Known::drift) + k, (moved + 2 * options.drift_scale) * share);
  });
}

// Logistics went along in small steps: rounding must not add up.
HEED_INLINE void renew_logistics(const SlidingWindows& w) {
  each_register(w, [&](std::size_t k) HEED_INLINED {
    store(w.of(Known::logistic_z) + k, logistic_of(load(w.of(Known::filtered_z) + k)));
  });
}

template <typename V>
HEED_INLINE void all_steps(const SlidingWindows& w, const StateSpaceOptions& options) {
  renew_logistics(w);
  for (int step = 0; step < options.em_steps; ++step) {
    assign(w);
    refit<V>(w, options);
    filter<V>(w, options.newton_steps);
    smooth<V>(w, options.compatible);
    update_drift(w, options);
  }
}

HEED_EVERY_MACHINE void settle_one(const SlidingWindows& w, const StateSpaceOptions& options) noexcept {
  all_steps<double>(w, options);
}
HEED_EVERY_MACHINE void settle_eight(const SlidingWindows& w, const StateSpaceOptions& options) noexcept {
  all_steps<Lane>(w, options);
}

}  // namespace

double logistic(double z) noexcept { return logistic_of(z); }

void settle(const SlidingWindows& windows, const StateSpaceOptions& options) noexcept {
  if (windows.trials == 1) {
    settle_one(windows, options);
  } else {
    settle_eight(windows, options);
  }
}

}  // namespace heed::track
