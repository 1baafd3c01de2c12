// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <heed/emission/log_likelihoods.h>
#include <heed/evaluate/summary.h>
#include <pipeline/evidence_counting.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

namespace heed::pipeline {
namespace {

void add_doubt(Notes& notes, std::string text) {
  notes.push_back({.subject = {}, .kind = NoteKind::doubtful, .text = std::move(text)});
}

// The correlation of so many windows that do not repeat each other hardly ever reaches this.
double chance_correlation(std::span<const ScoredParticipant> participants) {
  double windows = 0;
  for (const ScoredParticipant& one : participants) {
    for (const ScoredTrial& trial : one.trials) {
      windows += static_cast<double>(
          std::ranges::count_if(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; }));
    }
  }
  return 2 / std::sqrt(std::max(1.0, windows));
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

void note_columns(const EmissionChoice& choice, std::span<const Model> models, ScoreType type, Notes& notes) {
  const auto repeats = [](const Model& model) {
    const auto* gaussian = std::get_if<GaussianEmission>(&model.emission);
    return gaussian != nullptr && gaussian->spread == Spread::exchangeable;
  };
  if (known_emission(choice, type) || choice.spread || std::ranges::none_of(models, repeats)) return;
  add_doubt(notes, std::string(emission::columns_repeat_words));
}

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
  const auto neighbours = overlap ? emission::Neighbours::overlap : emission::Neighbours::apart;
  // What overlap repeats is as expected; anything else deserves a second look.
  notes.push_back({.kind = tempered && overlap ? NoteKind::chosen : NoteKind::doubtful,
                   .text = "evidence scale " + emission::scale_words(*scale, neighbours) +
                           (tempered ? "; log-likelihoods are multiplied by it" : "; it is left as it is")});
}

Repetition repetition_of(const EmissionChoice& choice, std::span<const Model> models,
                         std::span<const ScoredParticipant> participants) {
  const ScoredParticipant& first = participants.front();
  Repetition found{.lag_correlations =
                       emission::lag_correlations(participants, {.fisher = is_fisher(choice, first.type)})};
  found.beyond_chance =
      found.lag_correlations.front() > emission::dependence_threshold + chance_correlation(participants);
  if (std::ranges::any_of(models, [](const Model& model) { return model.dependence.has_value(); })) {
    found.neighbours = emission::Neighbours::modelled;
  } else if (emission::windows_per_block(first) > 1) {
    found.neighbours = emission::Neighbours::overlap;
  } else if (found.beyond_chance) {
    found.neighbours = emission::Neighbours::repeat;
  }
  return found;
}

void note_repetition(const Repetition& repetition, const EmissionChoice& choice, std::span<const Model> models,
                     bool unknown_switch_probability, Notes& notes) {
  if (!repetition.beyond_chance || repetition.neighbours == emission::Neighbours::modelled) return;
  const bool tempered = std::ranges::any_of(models, [](const Model& model) { return model.temperature != 1; });
  const bool scaled = tempered && repetition.neighbours == emission::Neighbours::overlap;
  const auto warning = emission::dependence_warning(
      repetition.lag_correlations,
      {.calibrated = choice.calibrate || scaled, .unknown_switch_probability = unknown_switch_probability});
  if (warning) add_doubt(notes, *warning);
}

}  // namespace heed::pipeline
