// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/supervised.h>
#include <heed/pipeline/emission_choice.h>

#include <string>

namespace heed::pipeline {
namespace {

emission::FitOptions fit_options(const EmissionChoice& choice, ScoreType type) {
  return {.fisher = family_of(choice, type) == EmissionFamily::fisher_gaussian, .spread = choice.spread};
}

std::vector<emission::ScoreMoments> all_moments(std::span<const ScoredParticipant> participants, bool fisher) {
  std::vector<emission::ScoreMoments> sums;
  sums.reserve(participants.size());
  for (const ScoredParticipant& participant : participants) {
    try {
      sums.push_back(emission::moments(participant, fisher));
    } catch (const Error& error) {
      throw error.within("participant " + participant.id);
    }
  }
  return sums;
}

void require_scores(const ScoredParticipant& participant) {
  if (participant.features.empty()) return;
  throw Error(ErrorKind::invalid_argument, "features need the emission mixture; scores have one column a speaker");
}

std::vector<Emission> leave_one_out_mixtures(const EmissionChoice& choice,
                                             std::span<const ScoredParticipant> participants) {
  std::vector<Emission> emissions;
  for (std::size_t left_out = 0; left_out < participants.size(); ++left_out) {
    std::vector<ScoredParticipant> others(participants.begin(), participants.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    try {
      emissions.emplace_back(emission::fit_mixtures(others, choice.mixture));
    } catch (const Error& error) {
      throw error.within("without participant " + participants[left_out].id);
    }
  }
  return emissions;
}

template <typename Choice>
Choice named(const char* what, const Names<Choice>& names, std::string_view wanted) {
  const auto found = names.find(wanted);
  if (found != names.end()) return found->second;
  std::string known;
  for (const auto& [name, choice] : names) known.append(known.empty() ? "" : ", ").append(name);
  throw Error(ErrorKind::invalid_argument,
              std::string("no ") + what + " '" + std::string(wanted) + "'; there are " + known);
}

}  // namespace

Names<EmissionFamily> family_names() {
  return {{"fisher-gaussian", EmissionFamily::fisher_gaussian},
          {"gaussian", EmissionFamily::gaussian},
          {"log-likelihood", EmissionFamily::log_likelihood},
          {"softmax", EmissionFamily::softmax},
          {"hard-decision", EmissionFamily::hard_decision},
          {"probability", EmissionFamily::probability},
          {"mixture", EmissionFamily::mixture}};
}

Names<EmissionFit> fit_names() {
  return {{"labels", EmissionFit::labels},
          {"baum-welch", EmissionFit::baum_welch},
          {"memoryless", EmissionFit::memoryless}};
}

Names<Spread> spread_names() {
  return {{"shared", Spread::shared}, {"separate", Spread::separate}, {"exchangeable", Spread::exchangeable}};
}

Names<CovarianceShape> covariance_names() {
  return {{"diagonal", CovarianceShape::diagonal}, {"full", CovarianceShape::full}};
}

EmissionFamily family_named(std::string_view wanted) { return named("emission", family_names(), wanted); }
EmissionFit fit_named(std::string_view wanted) { return named("fit", fit_names(), wanted); }
Spread spread_named(std::string_view wanted) { return named("spread", spread_names(), wanted); }
CovarianceShape covariance_named(std::string_view wanted) { return named("covariance", covariance_names(), wanted); }

EmissionFamily family_of(const EmissionChoice& choice, ScoreType type) noexcept {
  if (choice.family) return *choice.family;
  return type == ScoreType::correlation ? EmissionFamily::fisher_gaussian : EmissionFamily::gaussian;
}

bool is_fisher(const EmissionChoice& choice, ScoreType type) noexcept {
  if (!choice.given) return family_of(choice, type) == EmissionFamily::fisher_gaussian;
  const auto* gaussian = std::get_if<GaussianEmission>(&*choice.given);
  return gaussian != nullptr && gaussian->fisher;
}

std::optional<Emission> label_free(const EmissionChoice& choice, ScoreType type) {
  if (choice.given) return choice.given;
  switch (family_of(choice, type)) {
    case EmissionFamily::log_likelihood:
      return GivenLogLikelihoods{};
    case EmissionFamily::softmax:
      return SoftmaxEmission{choice.class_priors};
    case EmissionFamily::hard_decision:
      return HardDecisionEmission{choice.accuracy};
    case EmissionFamily::probability:
      return ProbabilityEmission{choice.class_priors};
    case EmissionFamily::fisher_gaussian:
    case EmissionFamily::gaussian:
    case EmissionFamily::mixture:
      break;
  }
  return std::nullopt;
}

Emission fit_emission(const EmissionChoice& choice, std::span<const ScoredParticipant> participants) {
  if (participants.empty()) throw Error(ErrorKind::bad_data, "no participant to fit the emission on");
  const ScoreType type = participants.front().type;
  if (const auto known = label_free(choice, type)) return *known;
  if (family_of(choice, type) == EmissionFamily::mixture) return emission::fit_mixtures(participants, choice.mixture);
  require_scores(participants.front());
  const emission::FitOptions options = fit_options(choice, type);
  return emission::fit_gaussian(all_moments(participants, options.fisher), options);
}

std::vector<Emission> leave_one_out_emissions(const EmissionChoice& choice,
                                              std::span<const ScoredParticipant> participants) {
  if (participants.empty()) return {};
  const ScoreType type = participants.front().type;
  if (const auto known = label_free(choice, type)) return std::vector<Emission>(participants.size(), *known);
  if (participants.size() == 1) {
    throw Error(ErrorKind::bad_data,
                "one participant cannot be left out of a cohort of one; give more participants, or the emission's "
                "parameters or model");
  }
  if (family_of(choice, type) == EmissionFamily::mixture) return leave_one_out_mixtures(choice, participants);
  require_scores(participants.front());
  const emission::FitOptions options = fit_options(choice, type);
  const auto sums = all_moments(participants, options.fisher);
  std::vector<Emission> emissions;
  for (std::size_t left_out = 0; left_out < sums.size(); ++left_out) {
    auto others = sums;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    emissions.emplace_back(emission::fit_gaussian(others, options));
  }
  return emissions;
}

}  // namespace heed::pipeline
