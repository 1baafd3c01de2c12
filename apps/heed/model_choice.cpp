// SPDX-License-Identifier: MIT
#include "model_choice.h"

#include <fmt/format.h>
#include <heed/io/score_folder.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace heed::app {
namespace {

using pipeline::EmissionChoice;
using pipeline::EmissionFit;
using pipeline::FittedModel;
using pipeline::Notes;

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::invalid_argument, why); }

bool has_labels(const ScoredParticipant& participant) {
  return std::ranges::any_of(participant.trials, [](const ScoredTrial& trial) {
    return std::ranges::any_of(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; });
  });
}

Seconds window_of(const ScoredParticipant& participant) { return participant.trials.front().scores.window; }

void check_alike(const ScoredParticipant& others, const ScoredParticipant& participant) {
  const double window = window_of(participant).value;
  if (window_of(others).value != window) {
    throw Error(ErrorKind::bad_data, fmt::format("the scores have windows of {} s, those of --fit-from of {} s; fit on "
                                                 "scores of the same window length",
                                                 window, window_of(others).value));
  }
  if (others.type != participant.type) {
    throw Error(ErrorKind::bad_data,
                "the scores and those of --fit-from are not of one ScoreType; fit on scores of the same decoder");
  }
}

struct Others {
  const std::vector<std::string>& files;
  io::ScoreReadOptions reading;
};

FittedModel fitted_to_others(const Others& from, const EmissionChoice& choice, const ToTrack& scores, Notes& notes) {
  const std::vector<std::filesystem::path> paths(from.files.begin(), from.files.end());
  io::ScoresCohort others = io::read_scores_cohort(paths, from.reading);
  std::ranges::move(others.warnings, std::back_inserter(notes));
  check_alike(others.participants.front(), scores.participant);
  return naming("--fit-from", [&] { return pipeline::fit_model(choice, others.participants, scores.chain, notes); });
}

FittedModel fitted_to_itself(const EmissionChoice& choice, const ToTrack& scores, Notes& notes) {
  const bool labels = choice.fit == EmissionFit::labels;
  if (labels && !has_labels(scores.participant)) {
    const bool mixture = choice.family == pipeline::EmissionFamily::mixture;
    refuse(io::input_name(scores.file) +
           ": no attended speaker is given, so nothing can be fitted to labels here; give --fit-from FILE... (labelled "
           "scores of others)" +
           (mixture ? " or --model FILE: a mixture is fitted to labels only"
                    : ", --fit baum-welch (no labels needed), --model FILE, or --mu-attended, --mu-unattended and "
                      "--sigma"));
  }
  if (labels) {
    notes.emplace_back(
        "the emission is fitted to the labels of these same scores, which flatters the result; "
        "--fit-from FILE... fits it to other listeners");
  }
  FittedModel fitted = naming(
      scores.file, [&] { return pipeline::fit_model(choice, std::span(&scores.participant, 1), scores.chain, notes); });
  if (labels) fitted.model.origin = "fitted to the labels of the tracked scores themselves";
  return fitted;
}

// Where nothing was said and there is nothing to go by but the scores.
void fall_back_to_baum_welch(const ModelFlags& flags, EmissionChoice& choice, const ScoredParticipant& participant,
                             Notes& notes) {
  const bool said = !flags.emission.fit.empty() || !flags.fit_from.empty() || choice.calibrate;
  const bool mixture = pipeline::family_of(choice, participant.type) == pipeline::EmissionFamily::mixture;
  if (said || mixture || has_labels(participant)) return;
  choice.fit = EmissionFit::baum_welch;
  notes.emplace_back(
      "no labels and no parameters are given, so the emission is learnt from these scores alone, by Baum-Welch; "
      "--fit-from FILE... fits it to labelled listeners");
}

// What a known emission is called once it was calibrated.
std::string calibrated_origin(const std::optional<Model>& model, const std::string& fitted) {
  return (model ? model->origin : "given by hand") + "; temperature " + fitted;
}

}  // namespace

FittedModel choose_model(const ModelFlags& flags, const std::optional<Model>& model, const ToTrack& scores,
                         Notes& notes) {
  const ScoredParticipant& participant = scores.participant;
  EmissionChoice choice = emission_choice(flags.emission, participant.type, model);
  const auto known = pipeline::label_free(choice, participant.type);
  const bool fits = !flags.emission.fit.empty() || !flags.fit_from.empty() || choice.fit_switch_probability;
  if (known && fits && !choice.calibrate) {
    refuse("the emission is given, so there is nothing to fit; leave --fit and --fit-from out");
  }
  note_window(flags.emission, model, window_of(participant), notes);
  if (known && !choice.calibrate) {
    if (model) return {.model = *model, .chain = scores.chain};
    return {
        .model = {.emission = *known, .window = window_of(participant), .participants = 0, .origin = "given by hand"},
        .chain = scores.chain};
  }
  fall_back_to_baum_welch(flags, choice, participant, notes);
  if (choice.fit_switch_probability && choice.fit != EmissionFit::baum_welch) {
    refuse("--fit-switch-probability belongs to --fit baum-welch");
  }
  const Others others{flags.fit_from, read_options(flags.emission, model)};
  FittedModel fitted = flags.fit_from.empty() ? fitted_to_itself(choice, scores, notes)
                                              : fitted_to_others(others, choice, scores, notes);
  if (known) fitted.model.origin = calibrated_origin(model, fitted.model.origin);
  return fitted;
}

}  // namespace heed::app
