// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/evaluate/mesd.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace heed::evaluate {
namespace {

constexpr double rounding = 1e-12;      // floors and ceilings forgive so much
constexpr double barely_useful = 1e-5;  // accuracies this close to one half count as one half
constexpr int window_lengths = 1000;    // looked at between the first and the last of a curve

void check_accuracy(double accuracy) {
  if (accuracy >= 0 && accuracy <= 1) return;
  throw Error(ErrorKind::invalid_argument, "accuracy " + data::shown(accuracy) + " does not lie between 0 and 1");
}

void check_options(const GainChainOptions& options) {
  const auto inside = [](double share) { return share > 0 && share < 1; };
  if (inside(options.comfort) && inside(options.confidence) && options.fewest_states >= 2) return;
  throw Error(ErrorKind::invalid_argument,
              "a gain control needs comfort and confidence between 0 and 1 and at least two states");
}

// Without the floor. Written in s = q/p < 1 instead of r = p/q: powers of r overflow, and r is infinite at p = 1.
double unrounded_confident_state(double accuracy, double states, double confidence) {
  const double s = (1 - accuracy) / accuracy;
  if (s == 0) return states;
  return states + 1 - (std::log((1 - confidence) + (confidence * std::pow(s, states))) / std::log(s));
}

bool is_comfortable(double state, double states, double comfort) {
  return (state - 1) / (states - 1) >= comfort - rounding;
}

// A lower bound of K: the first number of states that would do if states could be broken. From the fewest
// states on the unrounded gain falls and then rises, so it crosses the comfortable one at most once.
int first_without_rounding(double accuracy, const GainChainOptions& options) {
  const auto enough = [&](int states) {
    const double state = unrounded_confident_state(accuracy, states, options.confidence);
    return is_comfortable(state + 1e-9, states, options.comfort);
  };
  if (enough(options.fewest_states)) return options.fewest_states;
  int below = options.fewest_states;
  int above = 2 * below;
  while (!enough(above)) {
    below = above;
    above *= 2;
  }
  while (above - below > 1) {
    const int middle = below + ((above - below) / 2);
    (enough(middle) ? above : below) = middle;
  }
  return above;
}

// t(m), the mean time of one step up from state m: 1/p at the bottom, where a wrong window stays, else a wrong
// window costs the way back first. This recursion is exact at p = 1/2 too, where the closed form is 0/0.
class StepUp {
 public:
  explicit StepUp(double accuracy) : accuracy_(accuracy) {}
  double next() noexcept {
    time_ = (1 + ((1 - accuracy_) * time_)) / accuracy_;
    return time_;
  }

 private:
  double accuracy_;
  double time_ = 0;
};

// Windows from a switch to the target, averaged over where the chain stands at the switch.
double windows_to_target(double accuracy, const GainChain& chain) {
  const double s = (1 - accuracy) / accuracy;
  StepUp step_up(accuracy);
  double weight = 1;   // of state m, s^(m-1)
  double weights = 0;  // of states 1 ... m: all of them have to take the step up from m
  double duration = 0;
  for (int m = 1; m < chain.target; ++m) {
    weights += weight;
    weight *= s;
    duration += weights * step_up.next();
  }
  return duration / weights;
}

void check_curve(std::span<const CurvePoint> curve) {
  if (curve.empty()) throw Error(ErrorKind::bad_data, "a performance curve needs at least one window length");
  Seconds last{0};
  for (const CurvePoint& point : curve) {
    const std::string window = data::shown(point.window.value) + " s";
    if (!(point.window > last) || !std::isfinite(point.window.value)) {
      throw Error(ErrorKind::bad_data, "window lengths of a performance curve must be positive and increasing, but " +
                                           window + " follows " + data::shown(last.value) + " s");
    }
    if (!(point.accuracy >= 0 && point.accuracy <= 1)) {
      throw Error(ErrorKind::bad_data, "windows of " + window + ": accuracy " + data::shown(point.accuracy) +
                                           " does not lie between 0 and 1");
    }
    last = point.window;
  }
}

// The curve at `window`, which must lie on it.
double interpolated(std::span<const CurvePoint> curve, Seconds window) {
  const auto upper = std::ranges::lower_bound(curve, window, {}, &CurvePoint::window);
  if (upper == curve.begin()) return curve.front().accuracy;
  if (upper == curve.end()) return curve.back().accuracy;
  const CurvePoint& a = *std::prev(upper);
  const double share = (window - a.window) / (upper->window - a.window);
  return a.accuracy + (share * (upper->accuracy - a.accuracy));
}

}  // namespace

int confident_state(double accuracy, int states, const GainChainOptions& options) {
  check_accuracy(accuracy);
  check_options(options);
  if (!(accuracy > 0.5) || states < 1) {
    throw Error(ErrorKind::invalid_argument,
                "a confident state needs an accuracy above one half and at least one state");
  }
  return static_cast<int>(std::floor(unrounded_confident_state(accuracy, states, options.confidence) + rounding));
}

std::optional<GainChain> optimal_gain_chain(double accuracy, const GainChainOptions& options) {
  check_accuracy(accuracy);
  check_options(options);
  if (accuracy <= 0.5 + barely_useful) return std::nullopt;
  GainChain chain{.states = first_without_rounding(accuracy, options), .target = 0};
  while (!is_comfortable(confident_state(accuracy, chain.states, options), chain.states, options.comfort)) {
    ++chain.states;
  }
  chain.target = static_cast<int>(std::ceil((options.comfort * (chain.states - 1)) + 1 - rounding));
  return chain;
}

double expected_hitting_time(double accuracy, int from, int to) {
  check_accuracy(accuracy);
  if (!(accuracy > 0) || from < 1 || to <= from) {
    throw Error(ErrorKind::invalid_argument, "a hitting time needs an accuracy above 0 and states 1 <= from < to");
  }
  StepUp step_up(accuracy);
  double total = 0;
  for (int m = 1; m < to; ++m) {
    const double time = step_up.next();
    if (m >= from) total += time;
  }
  return total;
}

std::optional<Seconds> expected_switch_duration(double accuracy, Seconds window, const GainChainOptions& options) {
  const auto chain = optimal_gain_chain(accuracy, options);
  if (!chain) return std::nullopt;
  return windows_to_target(accuracy, *chain) * window;
}

Mesd minimal_expected_switch_duration(std::span<const CurvePoint> curve, const GainChainOptions& options) {
  check_curve(curve);
  const Seconds first = curve.front().window;
  const Seconds range = curve.back().window - first;
  const int lengths = curve.size() == 1 ? 1 : window_lengths;
  std::optional<Mesd> best;
  for (int k = 0; k < lengths; ++k) {
    const Seconds window = first + (static_cast<double>(k) / std::max(1, lengths - 1)) * range;
    const double accuracy = interpolated(curve, window);
    const auto chain = optimal_gain_chain(accuracy, options);
    if (!chain) continue;
    const Seconds duration = windows_to_target(accuracy, *chain) * window;
    if (!best || duration < best->duration) best = Mesd{duration, window, accuracy, *chain};
  }
  if (best) return *best;
  throw Error(ErrorKind::bad_data, "no window length gives an accuracy above chance, so no gain control can follow");
}

}  // namespace heed::evaluate
