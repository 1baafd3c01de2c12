// SPDX-License-Identifier: MIT
// The paper's comparison (its Table II) for anybody's scores: every method on every participant, the
// emission fitted to the others, mean and SD over participants, Wilcoxon against the first method.
#pragma once

#include <heed/data/scored.h>
#include <heed/evaluate/gains.h>
#include <heed/evaluate/summary.h>
#include <heed/evaluate/switch_metric.h>
#include <heed/pipeline/model_choice.h>
#include <heed/track/method.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::pipeline {

// Called now and then with the work done and all there is. Whoever wants to stop throws here.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

struct CompareRequest {
  std::span<const ScoredParticipant> participants{};  // alike in speakers, window length, hop and score type; labelled
  std::vector<track::Method> methods{};  // empty: all that can be; the first is what the others are tested against
  track::MethodOptions method{};         // gain states not given: for each participant by the others
  ChainChoice chain{};
  EmissionChoice emission{};
  std::optional<Model> model{};                  // instead of a choice of emission
  bool join = false;                             // a participant's trials end to end, before they are cut
  std::optional<Seconds> trial{};                // cut trials of this length; nothing: as recorded
  std::optional<SwitchInterval> switch_every{};  // artificial switches; nothing: as recorded
  int repeats = 20;                              // draws of random intervals, averaged; fixed ones are drawn once
  std::uint64_t seed = 1;
  // Every method that has a switch probability at these too, for its curve; nothing: no curves. Those above 1/N, which
  // no chain has, are left out.
  std::optional<std::vector<double>> switch_probabilities{};
  std::optional<evaluate::GainOptions> gains{};  // how posteriors become gains; nothing: those are not measured
  Progress progress{};
};

// The paper's: 13 from .0001 to .1, a quarter of a decade apart.
[[nodiscard]] std::vector<double> paper_switch_probabilities();

// How far probabilities are from what comes true.
struct CalibrationErrors {
  std::optional<double> brier{};
  std::optional<double> expected{};  // ECE
  std::optional<double> log_loss{};
};

struct ParticipantResult {
  std::string id{};
  evaluate::ParticipantMetrics metrics{};
  CalibrationErrors calibration{};
  std::optional<CalibrationErrors> uncalibrated{};  // without the temperature, where one was fitted and is used
  std::optional<double> chance_bound{};             // an accuracy a guesser exceeds in 5 % of such recordings
  std::optional<int> gain_states{};                 // of the Markov chain; nothing for the other methods
  std::optional<evaluate::GainWorth> gains{};       // where it was asked for
};

// Means over participants that two models of the same method are told apart by.
struct MethodFigures {
  std::optional<double> accuracy{};
  std::optional<double> whole_accuracy{};
  std::optional<double> switch_time{};        // seconds
  std::optional<double> false_switch_rate{};  // per minute
  std::optional<double> log_loss{};
  std::optional<double> calibration_error{};  // ECE
  double missed = 0;                          // summed, as are all switches
  double switches = 0;
};
[[nodiscard]] MethodFigures figures_of(std::span<const ParticipantResult> participants);

// How much the mean over participants differs from one draw of random switches to another.
struct DrawSpread {
  std::optional<double> accuracy{};     // SD over draws
  std::optional<double> switch_time{};  // likewise, seconds
};

// Accuracy against switch time (the paper's Section V-D): a higher p follows switches sooner and wavers more. The
// emission stays as fitted for the p in use.
struct TradeOffPoint {
  double switch_probability = 0;
  evaluate::Summary accuracy{};
  evaluate::Summary switch_time{};
};

struct MethodResult {
  track::Method method = track::Method::raw;
  std::vector<ParticipantResult> participants{};
  // Where models know that scores repeat each other: the same with windows taken for independent, so that what it
  // changes can be seen. Empty otherwise, and for a method that no dependence concerns.
  std::vector<ParticipantResult> independent{};
  evaluate::Summary accuracy{};        // over steady windows: the time before a switch is noticed does not count
  evaluate::Summary whole_accuracy{};  // over all windows
  evaluate::Summary switch_time{};
  CalibrationErrors calibration{};  // means over participants
  std::optional<CalibrationErrors> uncalibrated{};
  double missed = 0;  // switches never noticed, over all participants
  double switches = 0;
  // Against the first method; nothing for itself, and for a single participant, of whom no test can tell.
  std::optional<evaluate::Wilcoxon> accuracy_test{};
  std::optional<evaluate::Wilcoxon> switch_time_test{};
  DrawSpread spread{};  // nothing where switches were drawn once
  // p rising, the one in use among them unless p is unknown; empty for a method without p.
  std::vector<TradeOffPoint> curve{};
};

struct Comparison {
  std::vector<MethodResult> methods{};
  // Of one listener, whose emission nobody else can lend: every "participant" is one of her trials, with an emission
  // fitted to the others, and there are no tests over listeners.
  bool by_trial = false;
  int draws = 1;           // of the switches, averaged
  std::string gain_map{};  // what gains were measured with, 2dB/nat; empty: they were not
  std::size_t speakers = 0;
  Seconds window{1};
  Seconds hop = window;
  double chance = 0;  // 1 / speakers
  // In use; nothing where a whole transition matrix was given, or p is unknown.
  std::optional<double> switch_probability{};
  std::vector<SwitchPosterior> switching{};  // [k] of participant k, where p is unknown; else empty
  Notes notes{};
  Learning learning = Learning::inductive;                // what emissions know of the recording they are judged on
  std::vector<double> temperatures{};                     // [k] of participant k's emission; 1: evidence as it is
  std::vector<std::optional<Dependence>> dependences{};   // [k] of participant k's model; nothing: independent windows
  std::vector<std::optional<double>> evidence_scales{};   // [k] of the evidence before that (emission/evidence_scale.h)
  std::string evidence_words{};                           // what their mean says; empty where there is none
  std::vector<std::optional<double>> lag_correlations{};  // [k-1] at lag k, as recorded (emission/evidence_scale.h)
};

// Throws bad_data where a participant has no label, since then nothing can be measured, unsupported for a method asked
// for by name that the scores do not allow, and invalid_argument for a switch probability that no chain has.
[[nodiscard]] Comparison compare(const CompareRequest& request);

// As JSON (docs/formats.md): the methods, and every participant of each. What does not exist is null; names that are
// not UTF-8 have such bytes replaced.
[[nodiscard]] std::string comparison_json(const Comparison& comparison);
// An object with the name of each method that has a curve: its points.
[[nodiscard]] std::string curves_json(const Comparison& comparison);

}  // namespace heed::pipeline
