// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/data/random.h>
#include <heed/sim/score_cohort.h>
#include <sim/draws.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace heed::sim {
namespace {

// Windows and switches meet on a grid: closer than this part of a window is the same time.
constexpr double grid_tolerance = 1e-9;
constexpr double most_scores = 2.5e8;  // of the cohort, 2 GB; beyond it is a slip of units

void check_accuracy(int speakers, double accuracy) {
  require(speakers >= 2, "speakers " + std::to_string(speakers) + ": attention needs at least 2 to choose from");
  require(accuracy > 1.0 / speakers && accuracy < 1, "accuracy " + data::shown(accuracy) + " must lie above chance, " +
                                                         data::shown(1.0 / speakers) + " for " +
                                                         std::to_string(speakers) + " speakers, and below 1");
}

void check_switches(const SwitchInterval& interval, Seconds window) {
  check_interval(interval);
  const double shortest = interval.shortest.value;
  require(shortest >= window.value, "switch interval " + data::shown(shortest) + " s is shorter than a window, " +
                                        data::shown(window.value) + " s; no window would have one attended speaker");
}

void check(const ScoreCohortOptions& options) {
  check_accuracy(options.speakers, options.accuracy);
  require(options.participants >= 1, "participants " + std::to_string(options.participants) + ": give at least 1");
  require(options.trials >= 1, "trials " + std::to_string(options.trials) + ": give at least 1");
  require(options.window.value > 0 && std::isfinite(options.window.value),
          "window " + data::shown(options.window.value) + " s must be positive");
  const double windows = options.trial / options.window;
  require(windows >= 1 - grid_tolerance && std::isfinite(windows), "trial " + data::shown(options.trial.value) +
                                                                       " s must hold at least one window (" +
                                                                       data::shown(options.window.value) + " s)");
  const double scores = windows * options.participants * options.trials * options.speakers;
  require(scores <= most_scores, "a cohort of " + std::to_string(options.participants) + " participants with " +
                                     std::to_string(options.trials) + " trials each would have " + data::shown(scores) +
                                     " scores; at most " + data::shown(most_scores) + " are simulated at once");
  require(options.accuracy_spread >= 0 && options.accuracy_spread < 1,
          "accuracy spread " + data::shown(options.accuracy_spread) + " must lie between 0 and 1");
  require(options.autocorrelation >= 0 && options.autocorrelation < 1,
          "the autocorrelation must be at least 0 and below 1, not " + data::shown(options.autocorrelation));
  require(options.offset_share >= 0 && options.offset_share < 1,
          "the share of the offset must be at least 0 and below 1, not " + data::shown(options.offset_share));
  require(options.offset_share == 0 || options.speakers == 2,
          "an offset is a bias between two speakers, not " + std::to_string(options.speakers));
  check_switches(options.interval, options.window);
  require(options.artefact_rate >= 0 && options.artefact_rate <= 0.5,
          "artefact rate " + data::shown(options.artefact_rate) + " must lie between 0 and 0.5");
  require(options.artefact_length.value > 0 && std::isfinite(options.artefact_length.value),
          "artefact length " + data::shown(options.artefact_length.value) + " s must be positive");
}

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// P(x_attended > all others) = integral of phi(x) Phi(x + d)^(N-1). The trapezoid rule on a smooth,
// quickly fading integrand is exact to rounding.
double accuracy_at(int speakers, double separation) {
  constexpr int reach = 9 * 16;
  constexpr double step = 1.0 / 16;
  double sum = 0;
  for (int k = -reach; k <= reach; ++k) {
    const double x = k * step;
    sum += std::exp(-x * x / 2) * std::pow(normal_cdf(x + separation), speakers - 1);
  }
  return sum * step / std::sqrt(2 * std::numbers::pi);
}

// Who is attended at the middle of each window, and whether a switch falls inside it.
struct Course {
  std::vector<Speaker> attended;
  std::vector<bool> straddles;
};

Course draw_course(const ScoreCohortOptions& options, Index windows, RandomStream& random) {
  Course course;
  auto speaker = static_cast<Speaker>(random.integer(0, options.speakers - 1));
  Seconds next = draw_interval(options.interval, random);
  for (Index t = 0; t < windows; ++t) {
    const auto start = static_cast<double>(t);
    Speaker at_middle = speaker;
    bool straddles = false;
    for (; next / options.window < start + 1 - grid_tolerance; next = next + draw_interval(options.interval, random)) {
      const double within = (next / options.window) - start;
      speaker = (speaker + 1) % options.speakers;
      straddles = straddles || within > grid_tolerance;
      if (within <= 0.5) at_middle = speaker;
    }
    course.attended.push_back(at_middle);
    course.straddles.push_back(straddles);
  }
  return course;
}

// Bursts of missing windows: a two-state chain whose share of bad windows is the rate. It draws one
// number per window whatever the rate, so that artefacts do not change what comes after.
void remove_artefacts(const ScoreCohortOptions& options, Matrix& scores, RandomStream& random) {
  const double leave = std::min(1.0, options.window / options.artefact_length);
  const double enter = leave * options.artefact_rate / (1 - options.artefact_rate);
  double chance = options.artefact_rate;
  for (Index t = 0; t < scores.rows(); ++t) {
    const bool bad = random.uniform() < chance;
    if (bad) scores.row(t).setConstant(std::numeric_limits<double>::quiet_NaN());
    chance = bad ? 1 - leave : enter;
  }
}

ScoredTrial simulate_trial(const ScoreCohortOptions& options, double separation, RandomStream& random) {
  const auto windows = static_cast<Index>((options.trial / options.window) + grid_tolerance);
  const double innovation = std::sqrt(1 - (options.autocorrelation * options.autocorrelation));
  const Course course = draw_course(options, windows, random);
  // The noise of a difference has the variance 2, whatever part of it is the trial's.
  const double offset = options.offset_share > 0 ? std::sqrt(2 * options.offset_share) * random.normal() : 0;
  const double changing = std::sqrt(1 - options.offset_share);

  ScoredTrial trial;
  trial.scores = {Matrix(windows, options.speakers), options.window};
  std::vector<double> noise(static_cast<std::size_t>(options.speakers));
  for (Index t = 0; t < windows; ++t) {
    const auto window = static_cast<std::size_t>(t);
    for (Speaker j = 0; j < options.speakers; ++j) {
      double& e = noise[static_cast<std::size_t>(j)];
      const double fresh = random.normal();
      e = t == 0 ? fresh : (options.autocorrelation * e) + (innovation * fresh);
      const double lift = j == course.attended[window] ? separation : 0;
      const double bias = offset == 0 ? 0 : (j == 0 ? 0.5 : -0.5) * offset;
      trial.scores.values(t, j) = std::tanh(unattended_mean + (score_sigma * (lift + (changing * e) + bias)));
    }
    trial.attention.attended.push_back(course.straddles[window] ? unknown_speaker : course.attended[window]);
  }
  remove_artefacts(options, trial.scores.values, random);
  return trial;
}

double draw_accuracy(const ScoreCohortOptions& options, RandomStream& random) {
  constexpr double furthest = 0.95;
  const double down = options.accuracy - (1.0 / options.speakers);
  const double up = 1 - options.accuracy;
  return options.accuracy + std::clamp(options.accuracy_spread * random.normal(), -furthest * down, furthest * up);
}

std::vector<std::string> speaker_names(int speakers) {
  if (speakers == 2) return {"left", "right"};
  std::vector<std::string> names;
  for (int j = 1; j <= speakers; ++j) names.push_back("speaker-" + std::to_string(j));
  return names;
}

}  // namespace

double separation_for_accuracy(int speakers, double accuracy) {
  check_accuracy(speakers, accuracy);
  double low = 0;
  double high = 40;  // beyond what double can tell from certainty
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (accuracy_at(speakers, middle) < accuracy ? low : high) = middle;
  }
  return (low + high) / 2;
}

std::vector<ScoredParticipant> simulate_scores(const ScoreCohortOptions& options,
                                               const std::function<void()>& between) {
  check(options);
  std::vector<ScoredParticipant> cohort;
  for (int k = 1; k <= options.participants; ++k) {
    RandomStream random(options.seed, static_cast<std::uint64_t>(k));
    ScoredParticipant participant;
    participant.id = (k < 10 ? "0" : "") + std::to_string(k);
    participant.speakers = speaker_names(options.speakers);
    participant.type = ScoreType::correlation;
    const double separation = separation_for_accuracy(options.speakers, draw_accuracy(options, random));
    for (int trial = 1; trial <= options.trials; ++trial) {
      participant.trials.push_back(simulate_trial(options, separation, random));
      participant.trials.back().name = std::to_string(trial);
      participant.trials.back().onset = static_cast<double>(trial - 1) * options.trial;
    }
    cohort.push_back(std::move(participant));
    if (between) between();
  }
  return cohort;
}

}  // namespace heed::sim
