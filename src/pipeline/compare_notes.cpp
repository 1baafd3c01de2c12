// SPDX-License-Identifier: MIT
#include <data/switching.h>
#include <data/text.h>
#include <heed/emission/evidence_scale.h>
#include <pipeline/compare_notes.h>
#include <pipeline/evidence_counting.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace heed::pipeline {
namespace {

std::string percent_text(std::optional<double> share) { return data::shown(std::round(1000 * share.value_or(0)) / 10); }
std::string seconds_text(std::optional<double> time) { return data::shown(std::round(10 * time.value_or(0)) / 10); }

// At which switch probability models that know of the repetition decide as soon as windows taken for independent do:
// for decisions, evidence that is counted several times and a larger p are one thing. Nothing for an offset, more than
// two speakers, or where p is unknown or a matrix.
std::optional<double> equal_switch_probability(std::span<const Model> models, const Comparison& comparison) {
  const Model& model = models.front();
  const auto gain = gain_of(model.emission);
  const auto& dependence = model.dependence;
  const bool known = gain && dependence && dependence->offset_sigma == 0 && dependence->autocorrelation > 0;
  if (!known || comparison.speakers != 2 || !comparison.switch_probability) return std::nullopt;
  const auto& emission = std::get<GaussianEmission>(model.emission);
  const double repeated = (1 + dependence->autocorrelation) / (1 - dependence->autocorrelation);
  const double separation = *gain * (emission.mu_attended - emission.mu_unattended) / repeated;
  if (!(separation > 0)) return std::nullopt;
  const double p = emission::equivalent_switch_probability(repeated, separation, *comparison.switch_probability);
  return p < 0.5 ? std::optional(p) : std::nullopt;
}

}  // namespace

bool has_dependence(const Comparison& comparison) {
  return std::ranges::any_of(comparison.dependences, [](const auto& one) { return one.has_value(); });
}

// Exchanged columns take what a trial adds to one of them to the other side.
void note_offset(const CompareRequest& request, Comparison& comparison) {
  const bool offset = std::ranges::any_of(
      comparison.dependences, [](const std::optional<Dependence>& one) { return one && one->offset_sigma > 0; });
  if (!offset || !request.switch_every) return;
  comparison.notes.push_back({.kind = NoteKind::doubtful,
                              .text = "artificial switches exchange the speakers' scores, and the offset of the trial "
                                      "with them, which no real switch does: judge offsets by recorded switches"});
}

// A missed switch takes all the time to the next one, or to the end: beyond a fifth of them, the mean time tells more
// of how far switches lie apart than of the method.
void note_misses(const CompareRequest& request, Comparison& comparison) {
  constexpr double many = 0.2;
  std::string methods;
  std::size_t count = 0;
  for (const MethodResult& method : comparison.methods) {
    if (!(method.missed > many * method.switches)) continue;
    methods += (methods.empty() ? "" : ", ") + std::string(track::name(method.method)) + " (" +
               data::shown(std::round(100 * method.missed / method.switches)) + " %)";
    ++count;
  }
  if (count == 0) return;
  const char* remedy =
      has_dependence(comparison) ? "; windows that repeat each other say little: causal and smooth, which decide by "
                                   "probabilities, notice more of them than viterbi, and a better decoder helps most"
      : request.chain.unknown_switch_probability
          ? "; the windows say too little to notice them in time: a better decoder or longer windows "
            "would help, or a larger, fixed switch probability where listeners are known to switch often"
          : "; a larger switch probability, or auto, follows sooner, and a causal method may do better "
            "than one that looks ahead";
  comparison.notes.push_back({.kind = NoteKind::doubtful,
                              .text = "many switches are never noticed by " + methods + ", so " +
                                      (count > 1 ? "their switch times are" : "its switch time is") +
                                      " in large part the time to the next one" + remedy});
}

// A model that knows more may decide less well at the same p: why, and how to see what it is worth.
void note_slower(std::span<const Model> models, Comparison& comparison) {
  const auto method =
      std::ranges::find_if(comparison.methods, [](const auto& one) { return !one.independent.empty(); });
  if (method == comparison.methods.end()) return;
  const MethodFigures before = figures_of(method->independent);
  const MethodFigures now = figures_of(method->participants);
  if (!(now.whole_accuracy < before.whole_accuracy)) return;
  std::string text = std::string(track::name(method->method)) + " is right in " + percent_text(now.whole_accuracy) +
                     " % of all windows, and in " + percent_text(before.whole_accuracy) +
                     " % where they are taken for independent: what repeats itself says less than it seems, so a model "
                     "that knows it waits longer before it believes in a switch (" +
                     seconds_text(now.switch_time) + " s instead of " + seconds_text(before.switch_time) + " s)";
  if (const auto p = equal_switch_probability(models, comparison)) {
    text += "; windows taken for independent decide as if the switch probability were about " + data::three_digits(*p) +
            ", so give that one to compare both at the same speed";
  }
  comparison.notes.push_back({.kind = NoteKind::doubtful, .text = std::move(text)});
}

void note_learning(Comparison& comparison) {
  if (comparison.learning != Learning::transductive) return;
  comparison.notes.push_back(
      {.kind = NoteKind::doubtful,
       .text = "without labels, but from each participant's whole recording, its future included (transductive): no "
               "listener could be tracked so live; the adaptive fit uses only what had been heard so far"});
}

}  // namespace heed::pipeline
