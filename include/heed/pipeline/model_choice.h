// SPDX-License-Identifier: MIT
// How a user says what scores mean (the emission) and how attention moves (the Markov chain), and the model that comes
// of it: given, fitted to labels, or learnt without them.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/model.h>
#include <heed/data/note.h>
#include <heed/data/scored.h>
#include <heed/emission/adaptive.h>
#include <heed/emission/supervised.h>
#include <heed/hmm/bank.h>
#include <heed/hmm/chain.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::pipeline {

enum class EmissionFamily { fisher_gaussian, gaussian, log_likelihood, softmax, hard_decision, probability, mixture };

// What the parameters are learnt from.
enum class EmissionFit {
  labels,      // who was attended, as the files say
  baum_welch,  // the scores alone, and that attention lasts; Gaussian families with one sigma, mixtures
  memoryless,  // the scores alone, windows taken one by one; two speakers
  adaptive,    // others' labels, or what is given, for a start; then the scores that were heard so far, without labels
};

// What the parameters know of the recording that is tracked.
enum class Learning {
  inductive,     // nothing: they come from elsewhere (or from its labels, which a note says)
  transductive,  // the scores of all of it, the future included, without labels
  causal,        // the scores that were heard so far, without labels
};

// Whether log-likelihoods are multiplied by their evidence scale (emission/evidence_scale.h), so that what is counted
// several times, as by overlapping windows, counts once.
enum class EvidenceCounting { as_is, scaled };

// How scores repeat each other from window to window (emission/dependence.h).
enum class DependenceChoice {
  none,       // not at all: the paper's HMM
  ar1,        // noise goes on from window to window; any number of speakers, with or without labels
  offset,     // and a trial adds a bias of its own; two speakers, six labelled trials or more
  automatic,  // by how scores correlate with the next and with those 20 windows later
};

struct EmissionChoice {
  std::optional<EmissionFamily> family{};  // nothing: by the type of the scores
  std::optional<Spread> spread{};          // nothing: shared, or exchangeable where the columns repeat each other
  std::vector<double> class_priors{};      // softmax and probability only; empty: uniform
  double accuracy = 0;                     // hard decisions only; in (1/N, 1), 0: from labels, how often they are right
  emission::MixtureOptions mixture{};      // mixture only
  std::optional<Emission> given{};         // its parameters are known: nothing is fitted
  double temperature = 1;                  // of what is given
  std::optional<Dependence> given_dependence{};  // likewise
  std::optional<EmissionFit> fit{};        // nothing: labels, or Baum-Welch where there are none and it can do without
  bool fit_switch_probability = false;     // by Baum-Welch only: the chain's p is learnt too
  emission::AdaptiveOptions adaptation{};  // of the adaptive fit
  bool calibrate = false;                  // a temperature from labels, whatever the family
  // Nothing: scaled where a Gaussian emission is fitted to labels and its scale is far from 1. Not together with
  // `calibrate`.
  std::optional<EvidenceCounting> evidence{};
  // Nothing: that of a model that is given, else none. With a dependence no evidence is scaled or calibrated.
  std::optional<DependenceChoice> dependence{};

  friend bool operator==(const EmissionChoice&, const EmissionChoice&) = default;
};

// The words of users for each choice, the same at every door.
template <typename Choice>
using Names = std::map<std::string, Choice, std::less<>>;
[[nodiscard]] Names<EmissionFamily> family_names();
[[nodiscard]] Names<EmissionFit> fit_names();
[[nodiscard]] Names<Spread> spread_names();
[[nodiscard]] Names<EvidenceCounting> evidence_names();
[[nodiscard]] Names<DependenceChoice> dependence_names();
[[nodiscard]] Names<CovarianceShape> covariance_names();

// Throws invalid_argument, listing the words there are: "no emission 'gausian'; there are ...".
[[nodiscard]] EmissionFamily family_named(std::string_view wanted);
[[nodiscard]] EmissionFit fit_named(std::string_view wanted);
[[nodiscard]] Spread spread_named(std::string_view wanted);
[[nodiscard]] EvidenceCounting evidence_named(std::string_view wanted);
[[nodiscard]] DependenceChoice dependence_named(std::string_view wanted);
[[nodiscard]] CovarianceShape covariance_named(std::string_view wanted);

[[nodiscard]] EmissionFamily family_of(const EmissionChoice& choice, ScoreType type) noexcept;

// Whether the scores go through atanh, by the family or by what is given.
[[nodiscard]] bool is_fisher(const EmissionChoice& choice, ScoreType type) noexcept;

// Whether what is given is where a fit without labels starts from, and not yet the emission itself.
[[nodiscard]] bool starts_from_given(const EmissionChoice& choice) noexcept;

// What the fit of a cohort, leaving one participant out, knows of that participant's recording.
[[nodiscard]] Learning learning_by(const EmissionChoice& choice) noexcept;
// "inductive", "transductive", "causal"
[[nodiscard]] std::string_view name(Learning learning) noexcept;

// The emission that is known without a fit, if the choice is one.
[[nodiscard]] std::optional<Emission> known_emission(const EmissionChoice& choice, ScoreType type);

// How the default switch probability, .001 for one second, grows with the hop, which is the window's length unless
// windows overlap.
enum class SwitchScaling {
  linear,  // .001 tau, the paper's
  exact,   // what tau steps of the one-second chain amount to
};

struct ChainChoice {
  // Per window and per target speaker, so that attention leaves with N - 1 times as much; higher is quicker and less
  // steady.
  std::optional<double> switch_probability{};
  std::optional<Seconds> between_switches{};  // the same as a duration: how long attention stays, on average
  SwitchScaling scaling = SwitchScaling::linear;
  std::optional<Matrix> transition{};  // row = from; instead of the sticky chain
  std::string transition_file{};       // where it came from, named in errors
  std::vector<double> initial{};       // empty: uniform
  // Nobody knows how often the listener switches: a bank of filters finds out (hmm/bank.h), whatever the scaling.
  bool unknown_switch_probability = false;

  friend bool operator==(const ChainChoice& a, const ChainChoice& b);
};

// Nothing unless the switch probability is unknown. Throws invalid_argument where a probability or a matrix is given,
// too.
[[nodiscard]] std::optional<hmm::Bank> make_bank(const ChainChoice& choice, Index speakers, Seconds hop);

// `hop`: from one window to the next. Where the switch probability is unknown, the chain is the usual one: emissions
// that are learnt without labels take it. Throws invalid_argument or bad_data where the choice makes no chain for so
// many speakers.
[[nodiscard]] hmm::Chain make_chain(const ChainChoice& choice, Index speakers, Seconds hop);

// Called between pieces of long work; whoever wants to stop throws here.
using Interruption = std::function<void()>;

struct FitRequest {
  std::span<const ScoredParticipant> participants{};  // to be learnt from, taken together
  EmissionChoice emission{};
  std::optional<Model> model{};  // instead of a choice of emission: only a temperature may be fitted, or a scale
  ChainChoice chain{};
  Interruption interruption{};
};

struct FittedModel {
  Model model{};
  hmm::Chain chain;               // the one chosen, unless its switch probability was fitted
  std::vector<double> history{};  // of Baum-Welch: log-evidence (plus the log prior) by iteration, never goes down
  bool converged = true;          // Baum-Welch may not have
  Learning learning = Learning::inductive;
  Notes notes{};  // where a fit without labels found nothing or did not settle, and the like
  // Of the log-likelihoods before any scaling: 1 where scores mean what they say. Nothing where no labels were seen, or
  // attended speakers do not stand out.
  std::optional<double> evidence_scale{};
  std::string evidence_words{};  // what it says; empty where there is none
};

// What is known stays as it is, unless it is to be calibrated. Throws bad_data without labels where they are needed,
// unsupported and invalid_argument for fits that do not go with the family or the number of speakers.
[[nodiscard]] FittedModel fit_model(const FitRequest& request);

}  // namespace heed::pipeline
