// SPDX-License-Identifier: MIT
// `heed compare`: the paper's comparison table for anybody's scores.
#include <data/switching.h>
#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/score_tables.h>
#include <heed/pipeline/compare.h>
#include <pipeline/artificial_switches.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gain_options.h"
#include "model_options.h"
#include "plot.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using pipeline::Comparison;
using pipeline::MethodResult;

constexpr const char* compare_examples = R"(Examples:
  heed compare cohort/                                       as recorded
  heed compare *_scores.tsv --trial 600 --switch-every 300   trials of 10 min, a switch in the middle
  heed compare *_scores.tsv --join --switch-every 60-125 --repeats 100 --seed 1
  heed compare cohort/ --gain dead-zone                      what gains would be worth to the listener, too
  heed compare *_scores.tsv --methods causal,smooth -p 0.003 --json
  heed compare *_scores.tsv --join --switch-every 20-600 -p auto     how often listeners switch is not known
  heed compare csp/ --dependence auto                        scores that repeat each other
  heed compare cohort/ --plot tradeoff.pdf                   accuracy against switch time, for a paper

The sub- entity of the file name identifies a participant. The emission of each participant is fitted to
the others (leave one participant out) unless parameters or a model are given.)";

struct CompareFlags {
  std::vector<std::string> scores;
  std::vector<std::string> methods;
  MethodFlags method;
  ChainFlags chain;
  EmissionFlags emission;
  std::string switch_every;
  std::optional<double> trial;
  bool join = false;
  int repeats = pipeline::CompareRequest{}.repeats;
  GainFlags gain;
  std::uint64_t seed = 1;
  bool json = false;
  PlotFlags plot;
};

std::optional<evaluate::GainOptions> only_gain_options(const GainFlags& flags) {
  const auto all = gain_options(flags);
  if (all.size() > 1) {
    throw Error(ErrorKind::invalid_argument,
                "--gain: methods are compared by one map; 'heed evaluate --gain' takes several");
  }
  return all.empty() ? std::nullopt : std::optional(all.front());
}

// Only a picture shows other switch probabilities than the one in use.
pipeline::CompareRequest compare_request(const CompareFlags& flags, const std::optional<Model>& model,
                                         std::span<const ScoredParticipant> participants) {
  pipeline::CompareRequest request{.participants = participants};
  for (const std::string& method : flags.methods) request.methods.push_back(track::method_named(method));
  request.method = method_options(flags.method);
  request.chain = chain_choice(flags.chain);
  request.emission = emission_choice(flags.emission, participants.front().type, model);
  request.model = suited_to(participants.front(), model);
  request.join = flags.join;
  if (flags.trial) request.trial = Seconds{*flags.trial};
  if (!flags.switch_every.empty())
    request.switch_every = pipeline::parse_interval("--switch-every", flags.switch_every);
  request.repeats = flags.repeats;
  request.seed = flags.seed;
  request.gains = only_gain_options(flags.gain);
  if (flags.plot.wanted()) request.switch_probabilities = pipeline::paper_switch_probabilities();
  return request;
}

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

// Nothing for the first method; n/a where no test can tell.
std::string shown_p(const std::optional<evaluate::Wilcoxon>& test, bool first) {
  return test ? fmt::format("{:.2g}", test->p) : first ? "" : "n/a";
}

std::string switches_text(const CompareFlags& flags) {
  return flags.switch_every.empty() ? "as recorded" : "artificial, every " + flags.switch_every + " s";
}

// How often listeners switch, where that was found out; those in the middle and at both ends.
void print_switching(const Comparison& comparison) {
  if (comparison.switching.empty()) return;
  std::vector<double> intervals;
  for (const SwitchPosterior& one : comparison.switching) {
    intervals.push_back(data::switch_interval(one, data::most_probable(one)).value);
  }
  std::ranges::sort(intervals);
  say("p unknown: listeners switch about every {} s (median; {} to {} s)\n",
      data::three_digits(intervals[(intervals.size() - 1) / 2]), data::three_digits(intervals.front()),
      data::three_digits(intervals.back()));
}

// How the models take scores to repeat each other, if they do.
void print_dependence(const Comparison& comparison) {
  std::vector<std::optional<double>> autocorrelations;
  std::vector<std::optional<double>> offsets;
  for (const auto& one : comparison.dependences) {
    if (!one) continue;
    autocorrelations.emplace_back(one->autocorrelation);
    if (one->offset_sigma > 0) offsets.emplace_back(one->offset_sigma);
  }
  if (autocorrelations.empty()) return;
  say("models know that scores repeat each other: autocorrelation {}",
      shown(evaluate::summarise(autocorrelations).mean, 2));
  if (!offsets.empty()) say(", offset of a trial {}", shown(evaluate::summarise(offsets).mean, 2));
  say("\n");
}

// "0.3" or "0.3 to 0.6"
std::string shown_span(std::span<const double> values) {
  const auto [least, most] = std::ranges::minmax(values);
  const std::string from = fmt::format("{:.1f}", least);
  const std::string to = fmt::format("{:.1f}", most);
  return from == to ? from : from + " to " + to;
}

// How much a single draw of the switches would have told.
void print_draws(const Comparison& comparison) {
  std::vector<double> accuracy;
  std::vector<double> time;
  for (const MethodResult& method : comparison.methods) {
    if (method.spread.accuracy) accuracy.push_back(100 * *method.spread.accuracy);
    if (method.spread.switch_time) time.push_back(*method.spread.switch_time);
  }
  if (accuracy.empty() || time.empty()) return;
  say("averaged over {} draws of the switches; means of single draws vary by {} points and {} s (SD)\n",
      comparison.draws, shown_span(accuracy), shown_span(time));
}

void print_gains(const Comparison& comparison, const evaluate::GainOptions& options) {
  TextTable table = gain_table({"method"});
  for (const MethodResult& method : comparison.methods) {
    std::vector<evaluate::GainWorth> gains;
    for (const auto& one : method.participants) gains.push_back(*one.gains);
    add_gain_row(table, {std::string(track::name(method.method))}, gains);
  }
  say("\ngains by {}: {}\n\n{}", comparison.gain_map, words_of(options), table.text());
}

void print_table(const CompareFlags& flags, const Comparison& comparison) {
  const std::string unit = comparison.by_trial ? "trial" : "participant";
  say("{}{}, {}, windows of {} s{}, switches {}; chance {:.1f} %\n\n", comparison.by_trial ? "1 participant, " : "",
      count_text(comparison.methods.front().participants.size(), unit), count_text(comparison.speakers, "speaker"),
      comparison.window.value, data::shown_hop(comparison.window, comparison.hop), switches_text(flags),
      100 * comparison.chance);
  TextTable table({"method", "accuracy %", "whole %", "switch time s", "missed", "p accuracy", "p switch time"});
  for (const MethodResult& method : comparison.methods) {
    const bool first = &method == &comparison.methods.front();
    table.add({std::string(track::name(method.method)),
               shown_with_spread(percent(method.accuracy.mean), percent(method.accuracy.sd), 1),
               shown_with_spread(percent(method.whole_accuracy.mean), percent(method.whole_accuracy.sd), 1),
               shown_with_spread(method.switch_time.mean, method.switch_time.sd, 1),
               fmt::format("{:.4g}/{:.4g}", method.missed, method.switches), shown_p(method.accuracy_test, first),
               shown_p(method.switch_time_test, first)});
  }
  say("{}\nmean ± SD over {}s; p: Wilcoxon signed-rank against {}\n", table.text(), unit,
      track::name(comparison.methods.front().method));
  say("accuracy: from each noticed switch to the next; whole: all windows, late and missed ones included\n");
  print_draws(comparison);
  if (const auto& neighbours = comparison.lag_correlations.front()) {
    say("attended scores of neighbouring windows correlate by {} as recorded (independent: 0)\n", shown(neighbours, 2));
  }
  if (!comparison.evidence_words.empty()) say("evidence scale {}\n", comparison.evidence_words);
  print_switching(comparison);
  print_dependence(comparison);
}

// What the temperatures did to the probabilities of the methods that use them.
void print_calibration(const Comparison& comparison) {
  const std::vector<std::optional<double>> temperatures(comparison.temperatures.begin(), comparison.temperatures.end());
  const auto temperature = evaluate::summarise(temperatures);
  TextTable table({"method", "Brier before", "after", "ECE before", "after"});
  for (const MethodResult& method : comparison.methods) {
    if (!method.uncalibrated) continue;
    table.add({std::string(track::name(method.method)), shown(method.uncalibrated->brier, 3),
               shown(method.calibration.brier, 3), shown(method.uncalibrated->expected, 3),
               shown(method.calibration.expected, 3)});
  }
  say("\nemission calibrated on the other participants: temperature {}\n\n{}",
      shown_with_spread(temperature.mean, temperature.sd, 2), table.text());
}

// What it changes that models know of the repetition.
void print_effect_of_dependence(const Comparison& comparison) {
  TextTable table({"method", "windows taken as", "accuracy %", "whole %", "switch time s", "missed", "false/min",
                   "log-loss", "ECE"});
  const auto add = [&](const MethodResult& method, const char* taken_as,
                       std::span<const pipeline::ParticipantResult> participants) {
    const pipeline::MethodFigures mean = pipeline::figures_of(participants);
    table.add({std::string(track::name(method.method)), taken_as, shown(percent(mean.accuracy), 1),
               shown(percent(mean.whole_accuracy), 1), shown(mean.switch_time, 1),
               fmt::format("{:.4g}/{:.4g}", mean.missed, mean.switches), shown(mean.false_switch_rate, 2),
               shown(mean.log_loss, 3), shown(mean.calibration_error, 3)});
  };
  bool any = false;
  for (const MethodResult& method : comparison.methods) {
    if (method.independent.empty()) continue;
    add(method, "independent", method.independent);
    add(method, "repeating", method.participants);
    any = true;
  }
  if (any) say("\nwhat the model of the repetition changes (means):\n\n{}", table.text());
}

// The bar is gone before the table comes.
Comparison compare_with_bar(pipeline::CompareRequest request) {
  ProgressBar bar("comparing");
  request.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  return pipeline::compare(request);
}

int run_compare(const CompareFlags& flags) {
  const std::vector<std::filesystem::path> paths(flags.scores.begin(), flags.scores.end());
  const auto model = given_model(flags.emission);
  const io::ScoresCohort cohort = io::read_scores_cohort(paths, read_options(flags.emission, model));
  const Comparison comparison = compare_with_bar(compare_request(flags, model, cohort.participants));
  if (flags.json) {
    fmt::print("{}", pipeline::comparison_json(comparison));
  } else {
    print_table(flags, comparison);
  }
  if (!flags.json) print_effect_of_dependence(comparison);
  if (flags.emission.calibrate && !flags.json) print_calibration(comparison);
  if (const auto gains = only_gain_options(flags.gain); gains && !flags.json) print_gains(comparison, *gains);
  flush_output();
  if (flags.plot.wanted()) {
    PendingPlot(flags.plot, trade_off_drawing(flags.plot, comparison, switches_text(flags))).commit();
  }
  // Errors come alone: notes wait until the work is done.
  for (const std::string& warning : cohort.warnings) warn(warning);
  for (const Note& note : comparison.notes) warn(note);
  return 0;
}

}  // namespace

void add_compare(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("compare", "Compare methods over a cohort, in a table like the paper's");
  verb->footer(compare_examples);
  auto flags = std::make_shared<CompareFlags>();
  verb->add_option("scores", flags->scores, "Score files, or folders searched for *_scores.tsv")
      ->required()
      ->type_name("FILE");
  verb->add_option("--methods", flags->methods,
                   "Methods, a,b,...; the others are tested against the first (default: all that the scores allow)")
      ->delimiter(',')
      ->allow_extra_args(false);  // a file that follows is no method
  add_method_flags(*verb, flags->method);
  verb->add_option("--switch-every", flags->switch_every,
                   "Make artificial switches at intervals in seconds, fixed (300) or random (60-125) (default: "
                   "switches as recorded)");
  verb->add_option("--trial", flags->trial, "Cut trials of this many seconds; the remainder is dropped");
  verb->add_flag("--join", flags->join, "Concatenate each participant's trials first");
  verb->add_option("--repeats", flags->repeats, "Draws of random switch intervals, averaged")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_seed_flag(*verb, flags->seed, "Seed of the random intervals");
  verb->add_flag("--json", flags->json, "Print the table and every participant as JSON");
  add_gain_flags(*verb, flags->gain, "What gains would be worth to the listener, by this map: ");
  add_plot_flags(*verb, flags->plot, "accuracy against switch time, over switch probabilities,");
  add_chain_flags(*verb, flags->chain);
  add_emission_flags(*verb, flags->emission);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_compare(*flags); }; });
}

}  // namespace heed::app
