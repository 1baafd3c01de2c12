// SPDX-License-Identifier: MIT
// `heed track`: scores in, posteriors out.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/atomic_file.h>
#include <heed/io/cohort.h>
#include <heed/io/model_file.h>
#include <heed/io/posterior_file.h>
#include <heed/io/score_file.h>
#include <heed/io/text_file.h>
#include <heed/pipeline/track_participant.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "json_value.h"
#include "model_options.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* examples = R"(Examples:
  heed track sub-01_scores.tsv --method smooth -o sub-01_posterior.tsv
  heed track new_scores.tsv --fit labels --fit-from cohort/ -o posterior.tsv      emission from other listeners
  heed track scores.tsv --mu-attended 0.124 --mu-unattended 0.037 --sigma 0.303   ... or by hand
  decoder | heed track - --model model.json --digits 17 > posterior.tsv

The posteriors go to the file of -o, with a JSON sidecar beside it, or to standard output.)";

struct TrackFlags {
  std::string scores;
  std::string output = "-";
  std::string method = "causal";
  double lag = track::MethodOptions{}.lag.value;
  ChainFlags chain;
  EmissionFlags emission;
  std::string fit;
  std::vector<std::string> fit_from;
  std::string save_model;
  int digits = 6;
  bool json = false;
};

using Notes = std::vector<std::string>;

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const track::Method method : track::all_methods()) names.emplace_back(track::name(method));
  return names;
}

bool has_labels(const ScoredParticipant& participant) {
  return std::ranges::any_of(participant.trials, [](const ScoredTrial& trial) {
    return std::ranges::any_of(trial.attention.attended, [](Speaker s) { return s != unknown_speaker; });
  });
}

Seconds window_of(const ScoredParticipant& participant) { return participant.trials.front().scores.window; }

// Errors of work on the scores name their file.
template <typename Work>
auto naming(const std::string& file, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw error.within(io::input_name(file));
  }
}

Model fitted_to_others(const TrackFlags& flags, const pipeline::EmissionChoice& choice,
                       const ScoredParticipant& participant, Notes& notes) {
  const std::vector<std::filesystem::path> paths(flags.fit_from.begin(), flags.fit_from.end());
  io::ScoresCohort others = io::read_scores_cohort(paths);
  std::ranges::move(others.warnings, std::back_inserter(notes));
  const ScoredParticipant& first = others.participants.front();
  const Seconds window = window_of(participant);
  if (window_of(first) != window) {
    throw Error(ErrorKind::bad_data, fmt::format("the scores have windows of {} s, those of --fit-from of {} s; fit on "
                                                 "scores of the same window length",
                                                 window.value, window_of(first).value));
  }
  if (first.type != participant.type) {
    throw Error(ErrorKind::bad_data,
                "the scores and those of --fit-from are not of one ScoreType; fit on scores of the same decoder");
  }
  return {.emission = naming("--fit-from", [&] { return pipeline::fit_emission(choice, others.participants); }),
          .window = window,
          .participants = others.participants.size(),
          .origin = fmt::format("fitted to the labels of {} participant{}", others.participants.size(),
                                others.participants.size() == 1 ? "" : "s")};
}

Model fitted_to_itself(const TrackFlags& flags, const pipeline::EmissionChoice& choice,
                       const ScoredParticipant& participant, Notes& notes) {
  if (!has_labels(participant)) {
    throw Error(ErrorKind::invalid_argument,
                io::input_name(flags.scores) +
                    ": no attended speaker is given, so the emission cannot be fitted here; give "
                    "--fit-from FILE... (labelled scores of others), --model FILE, or --mu-attended, "
                    "--mu-unattended and --sigma");
  }
  notes.emplace_back(
      "the emission is fitted to the labels of these same scores, which flatters the result; "
      "--fit-from FILE... fits it to other listeners");
  return {.emission = naming(flags.scores, [&] { return pipeline::fit_emission(choice, std::span(&participant, 1)); }),
          .window = window_of(participant),
          .participants = 1,
          .origin = "fitted to the labels of the tracked scores themselves"};
}

Model choose_model(const TrackFlags& flags, const ScoredParticipant& participant, Notes& notes) {
  const auto choice = emission_choice(flags.emission, participant.type);
  const auto known = pipeline::label_free(choice, participant.type);
  const bool fits = !flags.fit.empty() || !flags.fit_from.empty();
  if (fits && (known || !flags.emission.model_file.empty())) {
    throw Error(ErrorKind::invalid_argument,
                "the emission is given, so there is nothing to fit; leave --fit and --fit-from out");
  }
  if (const auto model = given_model(flags.emission, window_of(participant), notes)) return *model;
  if (known)
    return {.emission = *known, .window = window_of(participant), .participants = 0, .origin = "given by hand"};
  if (!flags.fit_from.empty()) return fitted_to_others(flags, choice, participant, notes);
  return fitted_to_itself(flags, choice, participant, notes);
}

struct Summary {
  std::size_t trials = 0;
  Index windows = 0;
  Index held = 0;
  Index switches = 0;  // decided ones
  double log_evidence = 0;
  Seconds window;
  std::optional<double> switch_probability;  // nothing if a whole matrix was given, or none is used
};

Summary summarise(const TrackedParticipant& participant, std::optional<double> switch_probability) {
  Summary summary;
  summary.trials = participant.trials.size();
  summary.window = participant.trials.front().posteriors.window;
  summary.switch_probability = switch_probability;
  for (const TrackedTrial& trial : participant.trials) {
    const auto& states = trial.decisions.states;
    summary.windows += std::ssize(states);
    summary.held += trial.posteriors.held;
    summary.log_evidence += trial.posteriors.log_evidence;
    for (std::size_t t = 1; t < states.size(); ++t) summary.switches += states[t] != states[t - 1] ? 1 : 0;
  }
  return summary;
}

void print_summary(const TrackFlags& flags, const Summary& summary, const Model& model, const Notes& notes) {
  std::string chain = flags.chain.transition_file.empty() ? "" : ", transition matrix given";
  if (summary.switch_probability) chain = fmt::format(", p = {:.4g}", *summary.switch_probability);
  for (const std::string& note : notes) warn(note);
  fmt::print(stderr, "{}: {} windows of {} s in {} trial{}, {} held; method {}{}\n", io::input_name(flags.scores),
             summary.windows, summary.window.value, summary.trials, summary.trials == 1 ? "" : "s", summary.held,
             flags.method, chain);
  fmt::print(stderr, "emission {} ({})\n", io::describe(model.emission), model.origin);
  fmt::print(stderr, "log-evidence {:.6g}, {} switch{} decided\n", summary.log_evidence, summary.switches,
             summary.switches == 1 ? "" : "es");
}

// Beside posteriors on standard output the JSON goes to stderr, and nothing else does.
void print_json(const TrackFlags& flags, const Summary& summary, const Model& model, const Notes& notes) {
  const nlohmann::ordered_json json{{"scores", flags.scores},
                                    {"method", flags.method},
                                    {"switch_probability", json_value(summary.switch_probability)},
                                    {"emission", io::describe(model.emission)},
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
                   std::optional<double> switch_probability) {
  const bool stream = io::is_output_stream(flags.save_model);
  std::optional<io::StagedFile> staged_model;
  if (!flags.save_model.empty() && !stream) staged_model.emplace(flags.save_model, io::model_text(model));
  io::write_posteriors(flags.output, tracked,
                       {.digits = flags.digits,
                        .method = flags.method,
                        .switch_probability = switch_probability,
                        .emission = io::describe(model.emission),
                        .sources = {flags.scores}});
  if (staged_model) staged_model->commit();
  if (stream) io::write_model(flags.save_model, model);
}

// Errors come alone: notes wait until the work is done.
int run_track(const TrackFlags& flags) {
  const track::Method method = track::method_named(flags.method);
  const io::ScoreFile file = io::read_scores(flags.scores);
  Notes notes;
  for (const std::string& warning : file.warnings) notes.push_back(io::input_name(flags.scores) + ": " + warning);
  const ScoredParticipant& participant = file.participant;

  const Model model = choose_model(flags, participant, notes);
  const auto speakers = static_cast<Index>(participant.speakers.size());
  const hmm::Chain chain = pipeline::make_chain(chain_choice(flags.chain), speakers, window_of(participant));
  const auto tracker = track::make_tracker(method, chain, {.lag = Seconds{flags.lag}});
  const auto tracked =
      naming(flags.scores, [&] { return pipeline::track_participant(participant, model.emission, tracker); });

  const bool sticky = chain.as_sticky() != nullptr && method != track::Method::raw;
  const Summary summary = summarise(tracked, sticky ? std::optional(chain.as_sticky()->move()) : std::nullopt);
  write_results(flags, tracked, model, summary.switch_probability);
  flags.json ? print_json(flags, summary, model, notes) : print_summary(flags, summary, model, notes);
  return 0;
}

}  // namespace

void add_track(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("track", "Turn scores into the probability that each speaker is attended");
  verb->footer(examples);
  auto flags = std::make_shared<TrackFlags>();
  verb->add_option("scores", flags->scores, "Score file (*_scores.tsv), or - for standard input")
      ->required()
      ->type_name("FILE");
  verb->add_option("-o,--output", flags->output, "Posterior file to write, or - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  verb->add_option("--method", flags->method,
                   "raw (each window alone), causal (live), fixed-lag (a little late), smooth (whole trial), viterbi "
                   "(most probable path)")
      ->check(CLI::IsMember(method_names()))
      ->capture_default_str();
  add_lag_flag(*verb, flags->lag);
  verb->add_option("--digits", flags->digits, "Significant digits of the output; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", flags->json, "Summary as JSON (on standard output if the posteriors go to a file)");
  add_chain_flags(*verb, flags->chain);
  add_emission_flags(*verb, flags->emission);
  verb->add_option("--fit", flags->fit, "Fit the emission: labels (the column 'attended' tells)")
      ->check(CLI::IsMember({"labels"}))
      ->group(emission_group);
  verb->add_option("--fit-from", flags->fit_from, "Labelled score files or folders to fit the emission to")
      ->type_name("FILE")
      ->group(emission_group);
  verb->add_option("--save-model", flags->save_model, "Write the emission used, for --model")
      ->type_name("FILE")
      ->group(emission_group);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_track(*flags); }; });
}

}  // namespace heed::app
