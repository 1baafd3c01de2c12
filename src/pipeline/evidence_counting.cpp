// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/evaluate/summary.h>
#include <pipeline/evidence_counting.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace heed::pipeline {
namespace {

void add_doubt(Notes& notes, std::string text) {
  notes.push_back({.subject = {}, .kind = NoteKind::doubtful, .text = std::move(text)});
}

// What became of scales that are far from 1.
void note_scale(const EmissionChoice& choice, const Fits& fits, const ScoredParticipant& first, Notes& notes) {
  const bool overlap = emission::windows_per_block(first) > 1;
  const bool tempered = std::ranges::any_of(fits.models, [](const Model& model) { return model.temperature != 1; });
  const auto scale = evaluate::summarise(fits.scales).mean;
  if (!scale) {
    if (overlap && !tempered) {
      add_doubt(notes,
                "windows overlap, so their evidence counts several times over and posteriors claim too much; "
                "fit to labels, which tell how often");
    } else if (choice.evidence == EvidenceCounting::scaled) {
      add_doubt(notes, "attended speakers do not stand out, so there is no evidence scale: evidence counts as it is");
    }
    return;
  }
  if (emission::is_usual(*scale)) return;
  // What overlap repeats is as expected; anything else deserves a second look.
  notes.push_back({.kind = tempered && overlap ? NoteKind::chosen : NoteKind::doubtful,
                   .text = "evidence scale " + emission::scale_words(*scale, overlap) +
                           (tempered ? "; log-likelihoods are multiplied by it" : "; it is left as it is")});
}

}  // namespace

bool is_gaussian(const EmissionChoice& choice, ScoreType type) {
  if (choice.given) return std::holds_alternative<GaussianEmission>(*choice.given);
  const EmissionFamily family = family_of(choice, type);
  return family == EmissionFamily::fisher_gaussian || family == EmissionFamily::gaussian;
}

emission::LabelledTrials labelled_trials(const ScoredParticipant& participant, const Emission& emission) {
  emission::LabelledTrials trials;
  try {
    for (const ScoredTrial& trial : participant.trials) {
      trials.push_back({emission::log_likelihoods(emission, trial.scores), trial.attention});
    }
  } catch (const Error& error) {
    throw error.within("participant " + participant.id);
  }
  return trials;
}

emission::EvidenceMoments evidence_of(const Emission& emission, const ScoredParticipant& participant) {
  return emission::evidence_moments(labelled_trials(participant, emission), emission::windows_per_block(participant));
}

std::optional<double> gain_of(const Emission& emission) {
  const auto* e = std::get_if<GaussianEmission>(&emission);
  if (e == nullptr || e->spread == Spread::separate) return std::nullopt;
  return (e->mu_attended - e->mu_unattended) / (e->sigma_attended * e->sigma_attended * (1 - e->correlation));
}

Emission unit_emission(const Emission& emission) {
  return GaussianEmission{.fisher = std::get<GaussianEmission>(emission).fisher, .mu_attended = 1};
}

emission::EvidenceMoments times(const emission::EvidenceMoments& sums, double gain) {
  return {.blocks = sums.blocks, .sum = gain * sums.sum, .squares = gain * gain * sums.squares};
}

// What is given counts as it is, unless somebody asks. So do mixtures and decisions: their ratios are not normal, and
// where windows say much their variance is not twice their mean.
bool measures_evidence(const EmissionChoice& choice, ScoreType type) {
  const bool scales = choice.evidence == EvidenceCounting::scaled;
  if (choice.calibrate && scales)
    throw Error(ErrorKind::invalid_argument, "evidence is either scaled or calibrated; choose one");
  const bool gaussian = !known_emission(choice, type) && is_gaussian(choice, type);
  return !choice.calibrate && (scales || gaussian);
}

void count_evidence(const EmissionChoice& choice, std::optional<double> scale, FittedModel& fitted) {
  fitted.evidence_scale = scale;
  const bool unusual = scale && !emission::is_usual(*scale);
  const bool scales = choice.evidence ? choice.evidence == EvidenceCounting::scaled : unusual;
  const bool dependent = choice.dependence.value_or(DependenceChoice::none) != DependenceChoice::none;
  if (scales && scale && !dependent) fitted.model.temperature = 1 / *scale;
}

void note_choices(const EmissionChoice& choice, const Fits& fits, const ScoredParticipant& first, Notes& notes) {
  const bool known = known_emission(choice, first.type).has_value();
  const auto repeats = [](const Model& model) {
    const auto* gaussian = std::get_if<GaussianEmission>(&model.emission);
    return gaussian != nullptr && gaussian->spread == Spread::exchangeable;
  };
  if (!known && !choice.spread && std::ranges::any_of(fits.models, repeats)) {
    notes.push_back({.kind = NoteKind::doubtful,
                     .text = "the columns are one score told several times, as s and -s are, so the emission has a "
                             "correlation between them (spread exchangeable), and their evidence counts once"});
  }
  note_scale(choice, fits, first, notes);
}

}  // namespace heed::pipeline
