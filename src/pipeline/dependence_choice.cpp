// SPDX-License-Identifier: MIT
#include <data/text.h>
#include <heed/data/error.h>
#include <heed/emission/evidence_scale.h>
#include <pipeline/dependence_choice.h>
#include <pipeline/evidence_counting.h>
#include <pipeline/model_fit.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace heed::pipeline {
namespace {

constexpr Index far_lag = 20;  // windows

std::string two_decimals(double value) { return data::shown(std::round(100 * value) / 100); }

bool is_label_free(const EmissionChoice& choice) {
  return choice.fit == EmissionFit::baum_welch || choice.fit == EmissionFit::memoryless;
}

constexpr const char* overlap_obstacle =
    "windows share samples, and steps the second that their power is taken from, which repeats them in another way: "
    "the "
    "evidence scale counts that right";

// Why windows must be taken for independent; nothing if they need not.
std::optional<std::string> obstacle(const EmissionChoice& choice, const ScoredParticipant& first) {
  if (!first.features.empty() || !is_gaussian(choice, first.type)) {
    return "only the emissions fisher-gaussian and gaussian have one";
  }
  if (choice.given) return "the emission is given, and a dependence is fitted together with it";
  if (choice.spread == Spread::separate) return "it needs one sigma: choose the spread shared or exchangeable";
  if (choice.fit == EmissionFit::adaptive || choice.fit == EmissionFit::memoryless) {
    return "it is fitted to labels or by Baum-Welch";
  }
  if (choice.calibrate || choice.evidence == EvidenceCounting::scaled) {
    return "a temperature, as calibration or the evidence scale find one, makes up for the same thing: choose one";
  }
  if (choice.fit_switch_probability) return "the switch probability cannot be fitted together with it";
  if (emission::windows_per_block(first) > 1) return overlap_obstacle;
  return std::nullopt;
}

void tell(Notes& notes, std::string text) {
  notes.push_back({.kind = NoteKind::chosen, .text = "dependence " + std::move(text)});
}

// By correlations around each listener's means: what differs from trial to trial counts.
DependenceChoice by_correlations(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                                 double trials, Notes& notes) {
  const ScoredParticipant& first = participants.front();
  const auto lags = emission::lag_correlations(
      participants,
      {.fisher = is_fisher(choice, first.type), .lags = far_lag, .centring = emission::Centring::listener});
  const double next = lags.front().value_or(0);
  const auto& later = lags.back();
  const std::string neighbours = "attended scores correlate by " + two_decimals(next) + " with the next";
  if (!(next > emission::dependence_threshold)) {
    tell(notes, "none: " + neighbours + ", no more than " + data::shown(emission::dependence_threshold));
    return DependenceChoice::none;
  }
  const std::string far =
      later ? " and by " + two_decimals(*later) + " with those " + std::to_string(far_lag) + " windows later"
            : ", and attention never stays long enough to ask " + std::to_string(far_lag) + " windows later";
  if (!(later > emission::dependence_threshold)) {
    tell(notes, "ar1: " + neighbours + far);
    return DependenceChoice::ar1;
  }
  const bool two = first.speakers.size() == 2;
  if (two && trials >= emission::fewest_offset_trials) {
    tell(notes, "offset: " + neighbours + far + ", which fading noise would not do");
    return DependenceChoice::offset;
  }
  tell(notes, "ar1: " + neighbours + far + ", which an offset of each trial would explain, but " +
                  (two ? "there are fewer than " + std::to_string(std::lround(emission::fewest_offset_trials)) +
                             " labelled trials to learn it from"
                       : "there are " + std::to_string(first.speakers.size()) + " speakers"));
  return DependenceChoice::ar1;
}

}  // namespace

std::vector<emission::DependenceMoments> dependence_moments_of(const EmissionChoice& choice,
                                                               std::span<const ScoredParticipant> participants) {
  std::vector<emission::DependenceMoments> sums;
  for (const ScoredParticipant& one : participants) {
    if (!one.features.empty()) return {};
    try {
      sums.push_back(emission::dependence_moments(one, is_fisher(choice, one.type)));
    } catch (const Error& error) {
      throw error.within("participant " + one.id);
    }
  }
  return sums;
}

DependenceChoice settled_dependence(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                                    double trials, Notes& notes) {
  const DependenceChoice asked = choice.dependence.value_or(DependenceChoice::none);
  if (asked == DependenceChoice::none) return asked;
  if (asked == DependenceChoice::automatic && choice.given_dependence) return DependenceChoice::none;
  const auto why = obstacle(choice, participants.front());
  if (why && asked != DependenceChoice::automatic) {
    throw Error(ErrorKind::unsupported, "a dependence between windows is not possible here: " + *why);
  }
  if (why) {
    tell(notes, "none: " + *why);
    return DependenceChoice::none;
  }
  if (is_label_free(choice)) {
    if (asked == DependenceChoice::offset) {
      throw Error(ErrorKind::unsupported,
                  "an offset of each trial needs labels: without them it looks like attention; choose the dependence "
                  "ar1");
    }
    return asked;
  }
  return asked == DependenceChoice::automatic ? by_correlations(choice, participants, trials, notes) : asked;
}

void fit_dependence(DependenceChoice choice, const emission::DependenceMoments& sums, Index speakers, Model& model) {
  if (choice == DependenceChoice::none) return;
  auto& emission = std::get<GaussianEmission>(model.emission);
  if (choice == DependenceChoice::offset) {
    const emission::OffsetFit fit = emission::fit_offset(emission, sums, speakers);
    emission = fit.emission;
    model.dependence = fit.dependence;
  } else {
    model.dependence = emission::fit_autocorrelation(sums);
  }
  (void)emission::dependent_model(model, speakers);  // which throws where it is none
}

void fit_dependence_without_labels(const EmissionChoice& choice, std::span<const ScoredParticipant> participants,
                                   const Interruption& interruption, FittedModel& fitted) {
  if (choice.dependence.value_or(DependenceChoice::none) == DependenceChoice::none) return;
  const auto& start = std::get<GaussianEmission>(fitted.model.emission);
  const emission::DependentFit fit = emission::fit_without_labels(
      participants, fitted.chain, start, {.fisher = start.fisher, .spread = start.spread}, interruption);
  const double phi = fit.dependence.autocorrelation;
  const bool automatic = choice.dependence == DependenceChoice::automatic;
  if (automatic && !(phi > emission::dependence_threshold)) {
    tell(fitted.notes, "none: the noise of scores correlates by " + two_decimals(phi) +
                           " with the next, no more than " + data::shown(emission::dependence_threshold));
    return;
  }
  if (automatic) tell(fitted.notes, "ar1: the noise of scores correlates by " + two_decimals(phi) + " with the next");
  fitted.model.emission = fit.emission;
  fitted.model.dependence = fit.dependence;
  fitted.history = fit.history;
  fitted.converged = fit.converged;
}

void check_dependence(const EmissionChoice& choice, const Model& model, const ScoredParticipant& participant) {
  if (!emission::dependent_model(model, std::ssize(participant.speakers))) return;
  if (choice.calibrate || choice.evidence == EvidenceCounting::scaled || choice.fit == EmissionFit::adaptive) {
    throw Error(ErrorKind::invalid_argument,
                "the model has a dependence between windows, which a temperature or an adaptation does not go with; "
                "choose the dependence none, or leave them out");
  }
  if (emission::windows_per_block(participant) == 1) return;
  throw Error(ErrorKind::unsupported, std::string("the model has a dependence between windows, but these ") +
                                          overlap_obstacle + "; fit a model to windows like these");
}

}  // namespace heed::pipeline
