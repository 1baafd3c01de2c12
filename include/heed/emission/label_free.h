// SPDX-License-Identifier: MIT
// Emissions from scores or features alone: nobody says who was attended. By Baum-Welch, which uses that attention
// lasts, or from the windows taken one by one (Lopez-Gordo 2025). Labels are not looked at.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/emission/supervised.h>
#include <heed/hmm/baum_welch.h>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::emission {

struct BaumWelchFitOptions {
  bool fisher = true;                   // atanh first: for correlations
  std::optional<Spread> spread{};       // nothing: shared, or exchangeable where the columns repeat each other
  bool fit_switch_probability = false;  // of a sticky chain, by EM; else the chain stays as it is
  hmm::SwitchPrior prior{};             // of that; one_switch_at() is a mild one
  double relative_gain = 1e-9;
  Index max_iterations = 300;
  friend bool operator==(const BaumWelchFitOptions&, const BaumWelchFitOptions&) = default;
};

struct BaumWelchFit {
  GaussianEmission emission{};
  hmm::Chain chain;
  std::vector<double> history{};  // log-evidence (plus the log prior), never goes down
  Index iterations = 0;
  bool converged = false;
  bool columns_repeat = false;  // the scores are one score told several times (supervised.h), by these posteriors
};

// A prior worth one switch at the chain's own rate: 1 switch and the stays that go with it.
[[nodiscard]] hmm::SwitchPrior one_switch_at(const hmm::Chain& chain);

// The three tied parameters (and with `exchangeable` a correlation), any number of speakers. Starts at mean +- .25 sd
// of all scores, as equal means are a fixed point: the attended speaker is taken to have the higher scores. With two
// speakers that is all there is to it (means that change places are put back); with more, mu_attended <= mu_unattended
// would say that they have not. Throws bad_data without complete windows or where participants differ in speakers,
// singular for scores that do not vary, invalid_argument for a prior or fit_switch_probability on a general chain and
// for separate sigmas. `each_iteration` is called after each iteration: whoever wants to stop throws there.
[[nodiscard]] BaumWelchFit fit_baum_welch(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                          const BaumWelchFitOptions& options = {},
                                          const std::function<void()>& each_iteration = {});

// Baum-Welch separates noise, too: it finds stretches in which one speaker's scores happen to be higher. Whether a
// separation is more than that is asked of its null, scores of pure noise, simulated once for their number and that of
// the speakers (docs/mathematics.md, Without labels).
struct SeparationTest {
  double found = 0;  // (mu_attended - mu_unattended) / sigma of scores that are independent of each other
  double bound = 0;  // noise stays below it in 99 of 100 recordings
  [[nodiscard]] bool passed() const noexcept { return found > bound; }
};

// Of an exchangeable emission, so that correlated columns do not look like attention, and of means over as many windows
// as repeat each other. Throws as fit_baum_welch does.
[[nodiscard]] SeparationTest test_separation(std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                                             bool fisher, const std::function<void()>& each_iteration = {});

// Of a test that was not passed: what was found, what noise gives, and what helps. `known`: what scores mean is known
// from a population, which decides all the same.
[[nodiscard]] std::string undecided_words(const SeparationTest& test, bool known = false);

// The same scores, of which nothing follows: both means are the mean of all scores.
[[nodiscard]] GaussianEmission undecided(GaussianEmission emission, Index speakers) noexcept;

// Where nothing at all is known of a listener, a last resort: what correlations of windows mean for simulated listeners
// (docs/simulation.md) whom heed decodes. How sure it makes a decision says little of anybody real. Windows of any
// length, which may overlap. Throws invalid_argument for a length or a hop that is not above 0, or a hop above the
// length.
[[nodiscard]] Model reference_model(Seconds window, Seconds hop);
[[nodiscard]] bool is_reference(const Model& model) noexcept;
inline constexpr std::string_view reference_words =
    "what scores mean is heed's reference, made from simulated listeners: a last resort, which says little about how "
    "sure to be of this listener; labelled scores, of this listener or of others, are better";

struct MixtureBaumWelchOptions {
  MixtureOptions mixture{};                // of each state; its rules for stopping are those of the start alone
  std::optional<MixtureEmission> start{};  // a population's, for instance; then it says how many components there are
  bool fit_switch_probability = false;     // of a sticky chain, by EM; else the chain stays as it is
  hmm::SwitchPrior prior{};                // of that
  double relative_gain = 1e-9;             // of |log-evidence|, of features of variance 1
  Index max_iterations = 300;
  friend bool operator==(const MixtureBaumWelchOptions&, const MixtureBaumWelchOptions&) = default;
};

struct MixtureBaumWelchFit {
  MixtureEmission emission{};
  hmm::Chain chain;
  std::vector<double> history{};  // log-evidence (plus the log prior), never goes down
  Index iterations = 0;
  bool converged = false;
  bool states_are_named = true;  // false: states were told apart, but nothing says which of them is which
};

// A Gaussian mixture for each state, all of them at once with the states (docs/mathematics.md, Mixtures). Without a
// start: scores of speakers begin with the tied Gaussians of fit_baum_welch, so that the attended speaker is the one
// with the higher scores; features begin with clusters of windows, and the names of the states are arbitrary then.
// Throws as fit_baum_welch and fit_mixtures do, bad_data too for a start of other states or features.
[[nodiscard]] MixtureBaumWelchFit fit_baum_welch_mixtures(std::span<const ScoredParticipant> participants,
                                                          const hmm::Chain& chain,
                                                          const MixtureBaumWelchOptions& options = {},
                                                          const std::function<void()>& each_iteration = {});

struct MemorylessFit {
  GaussianEmission emission{};
  bool degenerate = false;  // the scores differ no more than chance would have it: both means are equal
};

// Two speakers only (unsupported otherwise). From the spread of the sum of both scores and the mean of the absolute
// difference. Throws bad_data without complete windows, singular for scores that do not vary, or of which one is the
// other's negative: then their sum tells nothing of their spread.
[[nodiscard]] MemorylessFit fit_memoryless(std::span<const ScoredParticipant> participants, bool fisher = true);

}  // namespace heed::emission
