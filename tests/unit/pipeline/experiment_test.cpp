// SPDX-License-Identifier: MIT
// The oracle is a plain experiment written out below: two speakers, moments by their definition, and posteriors by
// enumeration of every path of attention. It shares nothing with the engine but the scores.
#include <gtest/gtest.h>
#include <heed/sim/score_cohort.h>
#include <pipeline/experiment.h>

#include <array>
#include <cmath>

#include "support/expect_error.h"

namespace heed::pipeline {
namespace {

using track::Method;

constexpr int windows = 10;
constexpr double p = 0.05;

// Three listeners, two trials of ten windows; who attends whom is the same throughout.
std::vector<ScoredParticipant> listeners() {
  return sim::simulate_scores({.participants = 3,
                               .trials = 2,
                               .trial = Seconds{windows},
                               .accuracy = 0.7,
                               .interval = {Seconds{900}, Seconds{900}},
                               .seed = 5});
}

struct Plain {
  long double attended = 0;
  long double unattended = 0;
  long double variance = 0;
};

// Each mu is the mean of the participants' means, the variance the mean of theirs around those mu.
Plain fitted_without(const std::vector<ScoredParticipant>& cohort, std::size_t left_out) {
  Plain fit;
  const auto each = [&](std::size_t k, const auto& use) {
    for (const ScoredTrial& trial : cohort[k].trials) {
      for (Index t = 0; t < windows; ++t) {
        const Speaker s = trial.attention.attended[static_cast<std::size_t>(t)];
        use(std::atanh(static_cast<long double>(trial.scores.values(t, s))),
            std::atanh(static_cast<long double>(trial.scores.values(t, 1 - s))));
      }
    }
  };
  const auto others = static_cast<long double>(cohort.size() - 1);
  for (std::size_t k = 0; k < cohort.size(); ++k) {
    if (k == left_out) continue;
    const auto count = static_cast<long double>(cohort[k].trials.size() * windows) * others;
    each(k, [&](long double a, long double u) {
      fit.attended += a / count;
      fit.unattended += u / count;
    });
  }
  for (std::size_t k = 0; k < cohort.size(); ++k) {
    if (k == left_out) continue;
    const auto count = static_cast<long double>(cohort[k].trials.size() * windows) * others;
    each(k, [&](long double a, long double u) {
      fit.variance += (std::pow(a - fit.attended, 2) + std::pow(u - fit.unattended, 2)) / (2 * count);
    });
  }
  return fit;
}

// P(attending speaker 1) at window t, given the windows up to `last`.
long double enumerated(const Plain& fit, const Matrix& scores, int t, int last) {
  std::array<long double, 2> sums{};
  for (unsigned path = 0; path < (1U << static_cast<unsigned>(last + 1)); ++path) {
    long double weight = 0.5L;
    for (int w = 0; w <= last; ++w) {
      const auto state = static_cast<int>((path >> static_cast<unsigned>(w)) & 1U);
      if (w > 0) {
        const bool moves = state != static_cast<int>((path >> static_cast<unsigned>(w - 1)) & 1U);
        weight *= moves ? static_cast<long double>(p) : 1 - static_cast<long double>(p);
      }
      for (int s = 0; s < 2; ++s) {
        const long double z = std::atanh(static_cast<long double>(scores(w, s)));
        weight *= std::exp(-std::pow(z - (s == state ? fit.attended : fit.unattended), 2) / (2 * fit.variance));
      }
    }
    sums[(path >> static_cast<unsigned>(t)) & 1U] += weight;
  }
  return sums[1] / (sums[0] + sums[1]);
}

struct PlainOutcome {
  double accuracy = 0;  // of all windows
  double brier = 0;
};

// With the speakers' scores exchanged from the middle of each trial on, where asked for.
PlainOutcome plain(const std::vector<ScoredParticipant>& cohort, std::size_t k, bool smooth, bool exchanged) {
  const Plain fit = fitted_without(cohort, k);
  long double right = 0;
  long double squares = 0;
  for (const ScoredTrial& trial : cohort[k].trials) {
    Matrix scores = trial.scores.values;
    std::vector<int> attended(windows);
    for (int t = 0; t < windows; ++t) {
      attended[static_cast<std::size_t>(t)] = trial.attention.attended[static_cast<std::size_t>(t)];
      if (!exchanged) continue;
      const int place = t < windows / 2 ? 0 : 1;  // of the attended speaker
      const double of_attended = trial.scores.values(t, trial.attention.attended[static_cast<std::size_t>(t)]);
      const double of_other = trial.scores.values(t, 1 - trial.attention.attended[static_cast<std::size_t>(t)]);
      scores(t, place) = of_attended;
      scores(t, 1 - place) = of_other;
      attended[static_cast<std::size_t>(t)] = place;
    }
    for (int t = 0; t < windows; ++t) {
      const long double second = enumerated(fit, scores, t, smooth ? windows - 1 : t);
      const int truth = attended[static_cast<std::size_t>(t)];
      right += (second > 0.5L) == (truth == 1) ? 1 : 0;
      squares += std::pow(truth == 1 ? 1 - second : second, 2);
    }
  }
  const auto count = static_cast<long double>(cohort[k].trials.size() * windows);
  return {static_cast<double>(right / count), static_cast<double>(squares / count)};
}

std::vector<TrackerChoice> causal_and_smooth() {
  return {{.method = Method::causal, .chain = {.switch_probability = p}},
          {.method = Method::smooth, .chain = {.switch_probability = p}}};
}

TEST(Experiment, GivesTheNumbersOfAPlainOne) {
  const auto cohort = listeners();
  for (const bool exchanged : {false, true}) {
    ExperimentOptions options;
    constexpr int half = windows / 2;
    if (exchanged) options.switch_every = SwitchInterval{Seconds{half}, Seconds{half}};
    const auto outcomes = Experiment(cohort, options).run(causal_and_smooth());
    for (std::size_t m = 0; m < 2; ++m) {
      for (std::size_t k = 0; k < cohort.size(); ++k) {
        const PlainOutcome expected = plain(cohort, k, m == 1, exchanged);
        EXPECT_NEAR(*outcomes[m][k].metrics.whole_accuracy, expected.accuracy, 1e-12);
        EXPECT_NEAR(*outcomes[m][k].calibration.brier(), expected.brier, 1e-12);
        EXPECT_EQ(outcomes[m][k].metrics.switches, exchanged ? 2 : 0);
      }
    }
  }
}

const std::vector<ScoredParticipant>& switching() {
  static const auto participants = sim::simulate_scores({.participants = 5, .trials = 2, .seed = 8});
  return participants;
}

bool same(const TrackerOutcome& a, const TrackerOutcome& b) {
  return a.metrics.accuracy == b.metrics.accuracy && a.metrics.switch_time == b.metrics.switch_time &&
         a.calibration.brier() == b.calibration.brier() && a.gain_states == b.gain_states && a.notes == b.notes;
}

// Calibrated, label-free and shifted emissions must not see who else is followed.
TEST(Experiment, IsTheSameForAnyMembersAndThreads) {
  const std::vector<TrackerChoice> trackers{{.method = Method::causal}, {.method = Method::markov_chain}};
  std::vector<ExperimentOptions> cases(4);
  cases[1].emission.calibrate = true;
  cases[2].emission.fit = EmissionFit::baum_welch;
  cases[3].accuracy_shift = 0.3;
  for (ExperimentOptions& options : cases) {
    options.switch_every = SwitchInterval{Seconds{60}, Seconds{125}};
    options.repeats = 2;
    const auto everybody = Experiment(switching(), options).run(trackers);
    options.members = {"04", "02"};
    options.threads = {3};
    const Experiment some(switching(), options);
    ASSERT_EQ(some.ids(), (std::vector<std::string>{"02", "04"})) << "in the order of the cohort";
    const auto outcomes = some.run(trackers);
    for (std::size_t m = 0; m < trackers.size(); ++m) {
      EXPECT_TRUE(same(outcomes[m][0], everybody[m][1]));
      EXPECT_TRUE(same(outcomes[m][1], everybody[m][3]));
    }
  }
}

// x' = x + alpha (mu_a - mu_u): twice the separation at alpha = 1, and so the accuracy Phi(2 d / sqrt 2).
TEST(Experiment, ShiftsAttendedScoresByAlpha) {
  const auto scores = sim::simulate_scores({.participants = 6, .trials = 2, .accuracy = 0.6});
  const TrackerChoice raw{.method = Method::raw};
  const auto at = [&](double alpha) {
    double sum = 0;
    const auto outcomes = Experiment(scores, {.accuracy_shift = alpha}).run({&raw, 1});
    for (const TrackerOutcome& one : outcomes[0]) sum += *one.metrics.accuracy / 6;
    return sum;
  };
  EXPECT_NEAR(at(0), 0.6, 0.03);
  const double doubled = 0.5 * std::erfc(-2 * sim::separation_for_accuracy(2, at(0)) / 2);
  EXPECT_NEAR(at(1), doubled, 0.02);
  EXPECT_LT(at(-0.5), at(0));
  EXPECT_GT(at(5), 0.85);
}

// Random intervals are drawn again; without them every draw would be the same.
TEST(Experiment, PoolsTheProbabilitiesOfAllDraws) {
  const TrackerChoice causal{};
  ExperimentOptions options{.switch_every = SwitchInterval{Seconds{60}, Seconds{125}}, .repeats = 3};
  EXPECT_EQ(draws_of(options), 3);
  const auto once = Experiment(switching(), {.switch_every = options.switch_every}).run_one(0, {&causal, 1})[0];
  const auto thrice = Experiment(switching(), options).run_one(0, {&causal, 1})[0];
  EXPECT_GT(thrice.calibration.windows(), 2 * once.calibration.windows());
  options.switch_every = SwitchInterval{};
  EXPECT_EQ(draws_of(options), 1);
}

TEST(Experiment, CutsLongerTrialsOnly) {
  const Experiment experiment(switching(), {.trials = {.length = Seconds{600}, .only_longer = true}});
  EXPECT_EQ(experiment.cohort()[0].trials.size(), 2U) << "they are 600 s long";
  const Experiment halves(switching(), {.trials = {.length = Seconds{300}, .only_longer = true}});
  EXPECT_EQ(halves.cohort()[0].trials.size(), 4U);
}

TEST(Experiment, TellsWhoseModelIsDoubtful) {
  auto scores = switching();
  for (ScoredTrial& trial : scores[1].trials) trial.scores.values.col(1) = trial.scores.values.col(0);
  const Experiment experiment(scores, {.emission = {.fit = EmissionFit::baum_welch}});
  EXPECT_TRUE(experiment.notes(0).empty());
  ASSERT_FALSE(experiment.notes(1).empty());
  EXPECT_EQ(experiment.notes(1)[0].subject, "02");
  EXPECT_EQ(experiment.notes(1)[0].kind, NoteKind::doubtful);
}

TEST(Experiment, EndsWhereTheCallerWishes) {
  struct Enough {};
  int fitted = 0;
  const auto stop = [&] {
    if (++fitted == 2) throw Enough();
  };
  EXPECT_THROW(Experiment(switching(), {}, stop), Enough);
  EXPECT_EQ(fitted, 2);
  const TrackerChoice causal{};
  const Experiment experiment(switching(), {});
  EXPECT_THROW((void)experiment.run_one(0, {&causal, 1}, [] { throw Enough(); }), Enough);
}

}  // namespace
}  // namespace heed::pipeline
