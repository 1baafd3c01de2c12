// SPDX-License-Identifier: MIT
// How a user says what scores mean, and the emissions that come of it: given, or fitted to the labels
// of other participants.
#pragma once

#include <heed/data/model.h>
#include <heed/data/scored.h>
#include <heed/emission/supervised.h>

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
  baum_welch,  // the scores alone, and that attention lasts; Gaussian families with one sigma
  memoryless,  // the scores alone, windows taken one by one; two speakers
};

struct EmissionChoice {
  std::optional<EmissionFamily> family{};  // nothing: by the type of the scores
  Spread spread = Spread::shared;
  std::vector<double> class_priors{};  // softmax and probability only; empty: uniform
  double accuracy = 0;                 // hard decisions only; in (1/N, 1)
  emission::MixtureOptions mixture{};  // mixture only
  std::optional<Emission> given{};     // by hand or from a model file: nothing is fitted
  double temperature = 1;              // of what is given
  EmissionFit fit = EmissionFit::labels;
  bool fit_switch_probability = false;     // by Baum-Welch only: the chain's p is learnt too
  bool calibrate = false;                  // a temperature from labels, whatever the family
  std::function<void()> each_iteration{};  // of Baum-Welch: whoever wants to stop throws here
};

// The words of users for each choice, the same at every door.
template <typename Choice>
using Names = std::map<std::string, Choice, std::less<>>;
[[nodiscard]] Names<EmissionFamily> family_names();
[[nodiscard]] Names<EmissionFit> fit_names();
[[nodiscard]] Names<Spread> spread_names();
[[nodiscard]] Names<CovarianceShape> covariance_names();

// Throws invalid_argument, listing the words there are: "no emission 'gausian'; there are ...".
[[nodiscard]] EmissionFamily family_named(std::string_view wanted);
[[nodiscard]] EmissionFit fit_named(std::string_view wanted);
[[nodiscard]] Spread spread_named(std::string_view wanted);
[[nodiscard]] CovarianceShape covariance_named(std::string_view wanted);

[[nodiscard]] EmissionFamily family_of(const EmissionChoice& choice, ScoreType type) noexcept;

// Whether the scores go through atanh, by the family or by what is given.
[[nodiscard]] bool is_fisher(const EmissionChoice& choice, ScoreType type) noexcept;

// The emission that needs no labels, if the choice is one.
[[nodiscard]] std::optional<Emission> label_free(const EmissionChoice& choice, ScoreType type);

// Fitted to all participants together. Throws bad_data where there are no labels.
[[nodiscard]] Emission fit_emission(const EmissionChoice& choice, std::span<const ScoredParticipant> participants);

// [k] is fitted to everybody but participant k. Throws bad_data for a single participant.
[[nodiscard]] std::vector<Emission> leave_one_out_emissions(const EmissionChoice& choice,
                                                            std::span<const ScoredParticipant> participants);

}  // namespace heed::pipeline
