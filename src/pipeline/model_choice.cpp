// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/pipeline/model_choice.h>

#include <cmath>
#include <string>

namespace heed::pipeline {
namespace {

template <typename Choice>
Choice named(const char* kind, const Names<Choice>& names, std::string_view wanted) {
  const auto found = names.find(wanted);
  if (found != names.end()) return found->second;
  std::string known;
  for (const auto& [name, choice] : names) known.append(known.empty() ? "" : ", ").append(name);
  throw Error(ErrorKind::invalid_argument,
              std::string("no ") + kind + " '" + std::string(wanted) + "'; there are " + known);
}

double switch_probability(const ChainChoice& choice, Index speakers, Seconds hop) {
  if (choice.switch_probability) return *choice.switch_probability;
  if (const auto stay = choice.between_switches) {
    const double most = static_cast<double>(speakers) / static_cast<double>(speakers - 1);
    if (!(*stay >= Seconds{most * hop.value}) || !std::isfinite(stay->value)) {
      throw Error(ErrorKind::invalid_argument,
                  "attention that stays " + data::shown(stay->value) + " s on average cannot be followed in steps of " +
                      data::shown(hop.value) + " s; give at least " + data::shown(most * hop.value) + " s");
    }
    return hop.value / (stay->value * static_cast<double>(speakers - 1));
  }
  return choice.scaling == SwitchScaling::linear ? hmm::linear_switch_probability(speakers, hop)
                                                 : hmm::exact_switch_probability(speakers, hop);
}

hmm::Chain chain_without_initial(const ChainChoice& choice, Index speakers, Seconds hop) {
  if (!choice.transition) return hmm::Chain::sticky(speakers, switch_probability(choice, speakers, hop));
  if (choice.transition->rows() != speakers) {
    const std::string place = choice.transition_file.empty() ? "" : choice.transition_file + ": ";
    throw Error(ErrorKind::bad_data, place + "the transition matrix is for " +
                                         std::to_string(choice.transition->rows()) + " speakers, the scores have " +
                                         std::to_string(speakers) + "; give a row and a column for each speaker");
  }
  return hmm::Chain::make(*choice.transition);
}

bool same(const std::optional<Matrix>& a, const std::optional<Matrix>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->rows() == b->rows() && a->cols() == b->cols() && *a == *b;
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
          {"memoryless", EmissionFit::memoryless},
          {"adaptive", EmissionFit::adaptive}};
}

Names<Spread> spread_names() {
  return {{"shared", Spread::shared}, {"separate", Spread::separate}, {"exchangeable", Spread::exchangeable}};
}

Names<EvidenceCounting> evidence_names() {
  return {{"as-is", EvidenceCounting::as_is}, {"scaled", EvidenceCounting::scaled}};
}

Names<DependenceChoice> dependence_names() {
  return {{"none", DependenceChoice::none},
          {"ar1", DependenceChoice::ar1},
          {"offset", DependenceChoice::offset},
          {"auto", DependenceChoice::automatic}};
}

Names<CovarianceShape> covariance_names() {
  return {{"diagonal", CovarianceShape::diagonal}, {"full", CovarianceShape::full}};
}

EmissionFamily family_named(std::string_view wanted) { return named("emission", family_names(), wanted); }
EmissionFit fit_named(std::string_view wanted) { return named("fit", fit_names(), wanted); }
Spread spread_named(std::string_view wanted) { return named("spread", spread_names(), wanted); }
EvidenceCounting evidence_named(std::string_view wanted) {
  return named("counting of evidence", evidence_names(), wanted);
}
DependenceChoice dependence_named(std::string_view wanted) { return named("dependence", dependence_names(), wanted); }
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

bool starts_from_given(const EmissionChoice& choice) noexcept {
  if (!choice.given) return false;
  if (choice.fit == EmissionFit::adaptive) return true;
  return choice.fit == EmissionFit::baum_welch && std::holds_alternative<MixtureEmission>(*choice.given);
}

Learning learning_by(const EmissionChoice& choice) noexcept {
  switch (choice.fit.value_or(EmissionFit::labels)) {
    case EmissionFit::baum_welch:
    case EmissionFit::memoryless:
      return Learning::transductive;
    case EmissionFit::adaptive:
      return Learning::causal;
    case EmissionFit::labels:
      break;
  }
  return Learning::inductive;
}

std::string_view name(Learning learning) noexcept {
  if (learning == Learning::transductive) return "transductive";
  return learning == Learning::causal ? "causal" : "inductive";
}

std::optional<Emission> known_emission(const EmissionChoice& choice, ScoreType type) {
  if (choice.given) return choice.given;
  switch (family_of(choice, type)) {
    case EmissionFamily::log_likelihood:
      return GivenLogLikelihoods{};
    case EmissionFamily::softmax:
      return SoftmaxEmission{choice.class_priors};
    case EmissionFamily::hard_decision:
      if (choice.accuracy != 0) return HardDecisionEmission{choice.accuracy};
      break;
    case EmissionFamily::probability:
      return ProbabilityEmission{choice.class_priors};
    case EmissionFamily::fisher_gaussian:
    case EmissionFamily::gaussian:
    case EmissionFamily::mixture:
      break;
  }
  return std::nullopt;
}

bool operator==(const ChainChoice& a, const ChainChoice& b) {
  return a.switch_probability == b.switch_probability && a.between_switches == b.between_switches &&
         a.scaling == b.scaling && same(a.transition, b.transition) && a.transition_file == b.transition_file &&
         a.initial == b.initial && a.unknown_switch_probability == b.unknown_switch_probability;
}

std::optional<hmm::Bank> make_bank(const ChainChoice& choice, Index speakers, Seconds hop) {
  if (!choice.unknown_switch_probability) return std::nullopt;
  if (choice.switch_probability || choice.transition) {
    throw Error(ErrorKind::invalid_argument,
                "how attention moves is either given, by a switch probability or a matrix, or found out; choose one");
  }
  const hmm::Bank bank = hmm::Bank::per_second(speakers, hop);
  return choice.initial.empty() ? bank : bank.with_initial(choice.initial);
}

hmm::Chain make_chain(const ChainChoice& choice, Index speakers, Seconds hop) {
  if (choice.between_switches &&
      (choice.switch_probability || choice.transition || choice.unknown_switch_probability)) {
    throw Error(
        ErrorKind::invalid_argument,
        "how often attention moves is given twice: by the seconds between switches and in another way; choose one");
  }
  const hmm::Chain chain = chain_without_initial(choice, speakers, hop);
  return choice.initial.empty() ? chain : chain.with_initial(choice.initial);
}

}  // namespace heed::pipeline
