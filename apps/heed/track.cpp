// SPDX-License-Identifier: MIT
// `heed track`: scores in, posteriors out.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <heed/io/posterior_file.h>
#include <heed/io/score_file.h>
#include <heed/io/score_folder.h>
#include <heed/pipeline/method_choice.h>
#include <io/atomic_file.h>
#include <io/text_file.h>
#include <pipeline/track_participant.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>

#include "json_value.h"
#include "method_options.h"
#include "model_choice.h"
#include "model_options.h"
#include "plot.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* track_examples = R"(Examples:
  heed track sub-01_scores.tsv --method smooth -o sub-01_posterior.tsv
  heed track new_scores.tsv --fit labels --fit-from cohort/ -o posterior.tsv      emission from other listeners
  heed track scores.tsv --fit baum-welch -o posterior.tsv                         ... from the scores alone
  heed track scores.tsv --mu-attended 0.124 --mu-unattended 0.037 --sigma 0.303   ... or by hand
  decoder | heed track - --model model.json --digits 17 > posterior.tsv
  heed track scores.tsv --method smooth --plot attention.svg -o posterior.tsv     and a picture

The posteriors go to the file of -o, with a JSON sidecar beside it, or to standard output.)";

struct TrackFlags {
  std::string scores;
  std::string output = "-";
  std::string method = "causal";
  MethodFlags method_flags;
  ChainFlags chain;
  ModelFlags model;
  std::string save_model;
  int digits = 6;
  bool json = false;
  PlotFlags plot;
};

using nlohmann::ordered_json;
using pipeline::FittedModel;
using pipeline::Notes;

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const track::Method method : track::all_methods()) names.emplace_back(track::name(method));
  return names;
}

Seconds window_of(const ScoredParticipant& participant) { return participant.trials.front().scores.window; }

// Some rivals look at the scores themselves.
Model without_emission(const TrackFlags& flags, const ScoredParticipant& participant) {
  if (!flags.save_model.empty()) {
    throw Error(ErrorKind::invalid_argument,
                flags.method + " uses no emission, so there is no model to save; leave --save-model out");
  }
  return {.emission = GivenLogLikelihoods{},
          .window = window_of(participant),
          .participants = 0,
          .origin = "not used by " + flags.method};
}

// The Markov chain is laid out by the listeners that an emission would be fitted to.
track::MethodOptions options_of(const TrackFlags& flags, track::Method method, Notes& notes) {
  const track::MethodOptions options = method_options(flags.method_flags);
  if (method != track::Method::markov_chain || flags.model.fit_from.empty()) return options;
  const std::vector<std::filesystem::path> paths(flags.model.fit_from.begin(), flags.model.fit_from.end());
  return pipeline::with_gain_states(options, io::read_scores_cohort(paths).participants, notes);
}

struct Summary {
  std::size_t trials = 0;
  Index windows = 0;
  Index held = 0;
  Index switches = 0;       // decided ones
  double log_evidence = 0;  // NaN of the rivals, which have none
  Seconds window;
  std::optional<double> switch_probability;  // nothing if a whole matrix was given, or none is used
  std::optional<int> gain_states;            // of the Markov chain only
  std::optional<std::string> emission;       // in words; nothing where none is used
};

Summary summarise(const TrackedParticipant& participant, const track::AnyTracker& tracker, const hmm::Chain& chain,
                  const Model& model) {
  Summary summary;
  summary.trials = participant.trials.size();
  summary.window = participant.trials.front().posteriors.window;
  const track::MethodNeeds used = track::needs(track::method_of(tracker));
  if (used.chain && chain.as_sticky() != nullptr) summary.switch_probability = chain.as_sticky()->move();
  if (used.emission) summary.emission = io::describe(model);
  if (const auto* gains = std::get_if<track::MarkovChainTracker>(&tracker)) summary.gain_states = gains->states;
  for (const TrackedTrial& trial : participant.trials) {
    const auto& states = trial.decisions.states;
    summary.windows += std::ssize(states);
    summary.held += trial.posteriors.held;
    summary.log_evidence += trial.posteriors.log_evidence;
    for (std::size_t t = 1; t < states.size(); ++t) summary.switches += states[t] != states[t - 1] ? 1 : 0;
  }
  return summary;
}

// "smooth, p = 0.001"
std::string method_text(const TrackFlags& flags, const Summary& summary) {
  if (summary.switch_probability) return fmt::format("{}, p = {:.4g}", flags.method, *summary.switch_probability);
  if (summary.gain_states) return fmt::format("{}, {} states", flags.method, *summary.gain_states);
  return flags.method + (flags.chain.transition_file.empty() ? "" : ", transition matrix given");
}

void print_summary(const TrackFlags& flags, const Summary& summary, const Model& model, const Notes& notes) {
  for (const std::string& note : notes) warn(note);
  fmt::print(stderr, "{}: {} of {} s in {}, {} held; method {}\n", io::input_name(flags.scores),
             count_text(static_cast<std::size_t>(summary.windows), "window"), summary.window.value,
             count_text(summary.trials, "trial"), summary.held, method_text(flags, summary));
  if (summary.emission) fmt::print(stderr, "emission {} ({})\n", *summary.emission, model.origin);
  if (!std::isnan(summary.log_evidence)) fmt::print(stderr, "log-evidence {:.6g}, ", summary.log_evidence);
  fmt::print(stderr, "{} decided\n", count_text(static_cast<std::size_t>(summary.switches), "switch"));
}

// "MuAttended" -> "mu_attended"
std::string snake_case(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !text.empty()) text += '_';
    text += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

// The fields of the model file, all the way down, in the spelling of the program's JSON.
ordered_json respelled(const ordered_json& json) {
  if (!json.is_structured()) return json;
  ordered_json result = json.is_array() ? ordered_json::array() : ordered_json::object();
  for (const auto& [key, value] : json.items()) {
    if (json.is_array()) {
      result.push_back(respelled(value));
    } else {
      result[snake_case(key)] = respelled(value);
    }
  }
  return result;
}

ordered_json parameters_json(const Model& model) {
  ordered_json json = respelled(ordered_json::parse(io::model_text(model)).at("Emission"));
  json["temperature"] = model.temperature;
  return json;
}

// Beside posteriors on standard output the JSON goes to stderr, and nothing else does.
void print_json(const TrackFlags& flags, const Summary& summary, const Model& model, const Notes& notes) {
  const ordered_json json{{"scores", flags.scores},
                          {"method", flags.method},
                          {"switch_probability", json_value(summary.switch_probability)},
                          {"gain_states", json_value(summary.gain_states)},
                          {"emission", json_value(summary.emission)},
                          {"emission_parameters", summary.emission ? parameters_json(model) : nullptr},
                          {"emission_origin", model.origin},
                          {"window", summary.window.value},
                          {"trials", summary.trials},
                          {"windows", summary.windows},
                          {"held", summary.held},
                          {"switches", summary.switches},
                          {"log_evidence", summary.log_evidence},
                          {"notes", notes}};
  fmt::print(flags.output == "-" ? stderr : stdout, "{}", json_text(json));
}

// The model waits for its name until the posteriors have theirs: both appear, or neither.
void write_results(const TrackFlags& flags, const TrackedParticipant& tracked, const Model& model,
                   const Summary& summary) {
  const bool stream = io::is_output_stream(flags.save_model);
  std::optional<io::StagedFile> staged_model;
  if (!flags.save_model.empty() && !stream) staged_model.emplace(flags.save_model, io::model_text(model));
  io::write_posteriors(flags.output, tracked,
                       {.digits = flags.digits,
                        .method = flags.method,
                        .switch_probability = summary.switch_probability,
                        .emission = summary.emission.value_or(""),
                        .sources = {flags.scores}});
  if (staged_model) staged_model->commit();
  if (stream) io::write_model(flags.save_model, model);
}

// Errors come alone: notes wait until the work is done.
int run_track(const TrackFlags& flags) {
  const track::Method method = track::method_named(flags.method);
  const auto given = given_model(flags.model.emission);
  const io::ScoreFile file = io::read_scores(flags.scores, read_options(flags.model.emission, given));
  Notes notes;
  for (const std::string& warning : file.warnings) notes.push_back(io::input_name(flags.scores) + ": " + warning);
  const ScoredParticipant& participant = file.participant;

  const auto speakers = static_cast<Index>(participant.speakers.size());
  const hmm::Chain start = pipeline::make_chain(chain_choice(flags.chain), speakers, window_of(participant));
  const FittedModel fitted = track::needs(method).emission
                                 ? choose_model(flags.model, given, {flags.scores, participant, start}, notes)
                                 : FittedModel{without_emission(flags, participant), start};
  const Model& model = fitted.model;
  const hmm::Chain& chain = fitted.chain;
  const auto tracker = track::make_tracker(method, chain, options_of(flags, method, notes));
  const auto tracked = naming(flags.scores, [&] { return pipeline::track_participant(participant, model, tracker); });

  const Summary summary = summarise(tracked, tracker, chain, model);
  std::optional<PendingPlot> picture;
  if (flags.plot.wanted()) {
    const AttentionPlot plot{participant, tracked, model, flags.scores, method_text(flags, summary)};
    picture.emplace(flags.plot, attention_drawing(flags.plot, plot));
  }
  write_results(flags, tracked, model, summary);
  if (picture) picture->commit();
  flags.json ? print_json(flags, summary, model, notes) : print_summary(flags, summary, model, notes);
  return 0;
}

}  // namespace

void add_track(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("track", "Turn scores into the probability that each speaker is attended");
  verb->footer(track_examples);
  auto flags = std::make_shared<TrackFlags>();
  verb->add_option("scores", flags->scores, "Score file (*_scores.tsv), or - for standard input")
      ->required()
      ->type_name("FILE");
  verb->add_option("-o,--output", flags->output, "Posterior file to write, or - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  verb->add_option("--method", flags->method,
                   "causal (live), fixed-lag (a little late), smooth (whole trial), viterbi (most probable path), raw "
                   "(each window alone); rivals: markov-chain and probabilistic-gain (gain controls), state-space")
      ->check(CLI::IsMember(method_names()))
      ->capture_default_str();
  add_method_flags(*verb, flags->method_flags);
  verb->add_option("--digits", flags->digits, "Significant digits of the output; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", flags->json, "Summary as JSON (on standard output if the posteriors go to a file)");
  add_plot_flags(*verb, flags->plot, "posterior, attention and evidence over time");
  add_chain_flags(*verb, flags->chain);
  add_emission_flags(*verb, flags->model.emission);
  verb->add_option("--fit-from", flags->model.fit_from,
                   "Score files or folders to fit the emission to: labelled ones, unless --fit says otherwise")
      ->type_name("FILE")
      ->group(emission_group);
  verb->add_flag("--fit-switch-probability", flags->model.emission.fit_switch_probability,
                 "baum-welch: learn the switch probability too, from -p or its default as a mild prior")
      ->group(emission_group);
  verb->add_option("--save-model", flags->save_model, "Write the emission used, for --model")
      ->type_name("FILE")
      ->group(emission_group);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_track(*flags); }; });
}

}  // namespace heed::app
