// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <pipeline/dependence_choice.h>
#include <pipeline/evidence_counting.h>
#include <pipeline/label_free_fit.h>

#include <string>
#include <utility>

namespace heed::pipeline {
namespace {

[[noreturn]] void reject(const char* why) { throw Error(ErrorKind::invalid_argument, why); }

void add_doubt(Notes& notes, std::string text) {
  notes.push_back({.subject = {}, .kind = NoteKind::doubtful, .text = std::move(text)});
}

bool takes_fisher(const EmissionChoice& choice, ScoreType type) {
  return family_of(choice, type) == EmissionFamily::fisher_gaussian;
}

void require_label_free(const EmissionChoice& choice, const ScoredParticipant& first) {
  const bool mixture = is_mixture(choice, first.type) && choice.fit == EmissionFit::baum_welch;
  if (!mixture && (choice.given || !is_gaussian(choice, first.type))) {
    reject("a fit without labels is for the emissions fisher-gaussian and gaussian, and by Baum-Welch for mixtures");
  }
  if (choice.spread == Spread::separate) reject("a fit without labels has one sigma: leave the spread at shared");
  if (choice.spread == Spread::exchangeable && choice.fit == EmissionFit::memoryless) {
    reject("the memoryless fit takes the columns to be independent; fit an exchangeable spread by Baum-Welch");
  }
  if (choice.calibrate) reject("calibration needs labels, a fit without labels has none");
  if (choice.evidence == EvidenceCounting::scaled) reject("the evidence scale is measured on labels; give some");
}

// Log-likelihoods divided by it say nothing.
constexpr double undecided_temperature = 1e9;

void note_unsettled(Index iterations, Notes& notes) {
  add_doubt(notes, "Baum-Welch had not settled after " + std::to_string(iterations) + " iterations");
}

// Whether the scores tell speakers apart better than noise would; if not, a note says so.
bool stands_out(const EmissionChoice& choice, std::span<const ScoredParticipant> participants, const hmm::Chain& chain,
                const Interruption& interruption, Notes& notes) {
  const auto test =
      emission::test_separation(participants, chain, takes_fisher(choice, participants.front().type), interruption);
  if (!test.passed()) add_doubt(notes, emission::undecided_words(test));
  return test.passed();
}

// Nothing follows from scores that noise could have made.
void refuse_to_decide(FittedModel& fitted, Index speakers) {
  auto& emission = std::get<GaussianEmission>(fitted.model.emission);
  emission = emission::undecided(emission, speakers);
  fitted.model.origin += ", undecided";
}

FittedModel fit_by_baum_welch(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                              const hmm::Chain& chain, const Interruption& interruption) {
  const ScoreType type = participants.front().type;
  Notes notes;
  const bool told_apart = stands_out(choice, participants, chain, interruption, notes);
  const bool fits_p = choice.fit_switch_probability && told_apart;
  emission::BaumWelchFitOptions options{
      .fisher = takes_fisher(choice, type), .spread = choice.spread, .fit_switch_probability = fits_p};
  if (fits_p) options.prior = emission::one_switch_at(chain);
  emission::BaumWelchFit fit = emission::fit_baum_welch(participants, chain, options, interruption);
  FittedModel fitted{.model = model_for(participants.front(), fit.emission, participants.size(),
                                        "fitted without labels, by Baum-Welch"),
                     .chain = std::move(fit.chain),
                     .history = std::move(fit.history),
                     .converged = fit.converged};
  fitted.notes = std::move(notes);
  if (!fit.converged) note_unsettled(fit.iterations, fitted.notes);
  if (told_apart) {
    fit_dependence_without_labels(choice, participants, interruption, fitted);
  } else {
    refuse_to_decide(fitted, chain.states());
  }
  return fitted;
}

// Mixtures of scores begin with the tied Gaussians, so they are asked the same; features have no such question.
void doubt_mixtures(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                    const hmm::Chain& chain, const Interruption& interruption, FittedModel& fitted) {
  if (choice.given || !participants.front().features.empty()) return;
  if (stands_out(choice, participants, chain, interruption, fitted.notes)) return;
  fitted.model.temperature = undecided_temperature;
  fitted.model.origin += ", undecided";
}

FittedModel fit_mixtures_by_baum_welch(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                                       const hmm::Chain& chain, const Interruption& interruption) {
  emission::MixtureBaumWelchOptions options{.mixture = choice.mixture,
                                            .fit_switch_probability = choice.fit_switch_probability};
  if (choice.given) options.start = std::get<MixtureEmission>(*choice.given);
  if (choice.fit_switch_probability) options.prior = emission::one_switch_at(chain);
  emission::MixtureBaumWelchFit fit = emission::fit_baum_welch_mixtures(participants, chain, options, interruption);
  FittedModel fitted{.model = model_for(participants.front(), std::move(fit.emission), participants.size(),
                                        "fitted without labels, by Baum-Welch"),
                     .chain = std::move(fit.chain),
                     .history = std::move(fit.history),
                     .converged = fit.converged};
  if (!fit.states_are_named) {
    add_doubt(fitted.notes,
              "the states were told apart without labels, so nothing says which of them is which: their names are "
              "arbitrary; start from a model that knows them");
  }
  if (!fit.converged) note_unsettled(fit.iterations, fitted.notes);
  doubt_mixtures(choice, participants, chain, interruption, fitted);
  return fitted;
}

FittedModel fit_memoryless(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                           const hmm::Chain& chain, const Interruption& interruption) {
  const emission::MemorylessFit fit =
      emission::fit_memoryless(participants, takes_fisher(choice, participants.front().type));
  FittedModel fitted{
      .model = model_for(participants.front(), fit.emission, participants.size(), "fitted without labels, memoryless"),
      .chain = chain};
  if (fit.degenerate) {
    add_doubt(fitted.notes,
              "the memoryless fit is degenerate: the two scores differ no more than they would with equal means, so "
              "both means are equal and the scores decide nothing; Baum-Welch may see more");
  } else if (!stands_out(choice, participants, chain, interruption, fitted.notes)) {
    refuse_to_decide(fitted, chain.states());
  }
  return fitted;
}

}  // namespace

bool is_mixture(const EmissionChoice& choice, ScoreType type) {
  if (choice.given) return std::holds_alternative<MixtureEmission>(*choice.given);
  return family_of(choice, type) == EmissionFamily::mixture;
}

FittedModel fit_without_labels(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                               const hmm::Chain& chain, const Interruption& interruption) {
  require_label_free(choice, participants.front());
  if (choice.fit == EmissionFit::memoryless) return fit_memoryless(choice, participants, chain, interruption);
  return is_mixture(choice, participants.front().type)
             ? fit_mixtures_by_baum_welch(choice, participants, chain, interruption)
             : fit_by_baum_welch(choice, participants, chain, interruption);
}

}  // namespace heed::pipeline
