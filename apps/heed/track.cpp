// SPDX-License-Identifier: MIT
// `heed track`: scores in, posteriors out.
#include <data/in_parallel.h>
#include <data/switching.h>
#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/error.h>
#include <heed/io/model_file.h>
#include <heed/io/score_tables.h>
#include <heed/pipeline/track.h>
#include <io/atomic_file.h>
#include <io/discovery.h>
#include <io/text_file.h>

#include <cmath>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "exit_code.h"
#include "json_value.h"
#include "model_options.h"
#include "plot.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* track_examples = R"(Examples:
  heed track sub-01_scores.tsv --method smooth -o sub-01_posterior.tsv
  heed track new_scores.tsv --fit labels --fit-from cohort/ -o posterior.tsv      emission from other listeners
  heed track cohort/ --fit-from cohort/ -o posteriors/                            all listeners, each from the others
  heed track scores.tsv --fit baum-welch -o posterior.tsv                         ... from the scores alone
  heed track scores.tsv --mu-attended 0.124 --mu-unattended 0.037 --sigma 0.303   ... or by hand
  decoder | heed track - --model model.json --digits 17 > posterior.tsv
  heed track scores.tsv --method smooth --plot attention.svg -o posterior.tsv     and a figure
  heed track scores.tsv --model model.json -p auto --plot-switching p.svg -o posterior.tsv
                                                                  how often the listener switches is not known
  heed track scores.tsv --model model.json --path labels -o posterior.tsv         how probable are the labels?
  heed track csp_scores.tsv --fit-from cohort/ --dependence auto -o posterior.tsv scores that repeat each other

The posteriors go to the file given by -o, with a JSON sidecar beside it, or to standard output.)";

struct TrackFlags {
  std::vector<std::string> inputs;  // files and folders
  std::string scores;               // the file at hand
  std::string output = "-";
  std::string method = "causal";
  MethodFlags method_flags;
  ChainFlags chain;
  EmissionFlags emission;
  std::vector<std::string> fit_from;
  std::string save_model;
  std::string path;  // labels, decisions or a posterior file
  int digits = 6;
  bool json = false;
  PlotFlags plot;
  std::string plot_switching;  // file of a second picture

  // The same title and width.
  [[nodiscard]] PlotFlags switching() const {
    PlotFlags second = plot;
    second.file = plot_switching;
    return second;
  }
};

using nlohmann::ordered_json;
using pipeline::TrackResult;

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const track::Method method : track::all_methods()) names.emplace_back(track::name(method));
  return names;
}

// What the files of --fit-from hold; their warnings become notes.
std::vector<ScoredParticipant> read_others(const TrackFlags& flags, const io::ScoreReadOptions& reading, Notes& notes) {
  if (flags.fit_from.empty()) return {};
  const std::vector<std::filesystem::path> paths(flags.fit_from.begin(), flags.fit_from.end());
  io::ScoresCohort others = io::read_scores_cohort(paths, reading);
  for (std::string& warning : others.warnings) notes.push_back({.text = std::move(warning)});
  return std::move(others.participants);
}

// Errors of work on the scores name their file.
TrackResult track(const TrackFlags& flags, const pipeline::TrackRequest& request) {
  try {
    return pipeline::track_attention(request);
  } catch (const Error& error) {
    throw error.within(io::input_name(flags.scores));
  }
}

// The path that was asked for, one for each trial.
std::vector<AttentionTrack> paths_of(const TrackFlags& flags, const ScoredParticipant& scores,
                                     const TrackedParticipant& tracked) {
  std::vector<AttentionTrack> paths;
  if (flags.path == "labels") {
    for (const ScoredTrial& trial : scores.trials) paths.push_back(trial.attention);
    return paths;
  }
  const bool decisions = flags.path == "decisions";
  const TrackedParticipant given = decisions ? tracked : io::read_posteriors(flags.path).participant;
  if (given.speakers != tracked.speakers) {
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: a path of {}, but the scores are of {}; give the same speakers", flags.path,
                            fmt::join(given.speakers, ", "), fmt::join(tracked.speakers, ", ")));
  }
  for (const TrackedTrial& trial : given.trials) paths.push_back({trial.decisions.states});
  return paths;
}

std::optional<hmm::PathProbability> path_probability(const TrackFlags& flags, const pipeline::TrackRequest& request,
                                                     const TrackResult& result) {
  if (flags.path.empty()) return std::nullopt;
  const auto paths = paths_of(flags, request.participant, result.tracked);
  try {
    return pipeline::path_probability(request, result, paths);
  } catch (const Error& error) {
    throw error.within("--path " + flags.path);
  }
}

// What became of all trials together.
struct Totals {
  std::size_t trials = 0;
  Index windows = 0;
  Index held = 0;
  Index switches = 0;       // decided ones
  double log_evidence = 0;  // NaN of the rivals, which have none
  Seconds window;
  Seconds hop;
};

Totals totals_of(const TrackedParticipant& participant) {
  const Posteriors& first = participant.trials.front().posteriors;
  Totals totals{.trials = participant.trials.size(), .window = first.window, .hop = first.hop};
  for (const TrackedTrial& trial : participant.trials) {
    const auto& states = trial.decisions.states;
    totals.windows += std::ssize(states);
    totals.held += trial.posteriors.held;
    totals.log_evidence += trial.posteriors.log_evidence;
    for (std::size_t t = 1; t < states.size(); ++t) totals.switches += states[t] != states[t - 1] ? 1 : 0;
  }
  return totals;
}

// In words; nothing where none is used.
std::optional<std::string> emission_text(const TrackFlags& flags, const TrackResult& result) {
  const bool used = track::needs(track::method_named(flags.method)).emission;
  if (!used) return std::nullopt;
  return io::describe(result.fitted.model);
}

// Parameters that know the recording itself must say so wherever the posteriors go.
std::string sidecar_emission(const TrackFlags& flags, const TrackResult& result) {
  std::string text = emission_text(flags, result).value_or("");
  if (result.fitted.learning != pipeline::Learning::inductive) text += " (" + result.fitted.model.origin + ")";
  return text;
}

// "smooth, p = 0.001"
std::string method_text(const TrackFlags& flags, const TrackResult& result) {
  if (result.switch_probability) return fmt::format("{}, p = {:.4g}", flags.method, *result.switch_probability);
  if (result.tracked.switching) return flags.method + ", p unknown";
  if (result.gain_states) return fmt::format("{}, {} states", flags.method, *result.gain_states);
  return flags.method + (flags.chain.transition_file.empty() ? "" : ", transition matrix given");
}

void print_summary(const TrackFlags& flags, const TrackResult& result,
                   const std::optional<hmm::PathProbability>& path) {
  for (const Note& note : result.notes) warn(note);
  const Totals totals = totals_of(result.tracked);
  tell("{}: {} of {} s{} in {}, {} held; method {}\n", io::input_name(flags.scores),
       count_text(static_cast<std::size_t>(totals.windows), "window"), totals.window.value,
       data::shown_hop(totals.window, totals.hop), count_text(totals.trials, "trial"), totals.held,
       method_text(flags, result));
  if (const auto emission = emission_text(flags, result)) {
    tell("emission {} ({})\n", *emission, result.fitted.model.origin);
  }
  const std::string& scale = result.fitted.evidence_words;
  if (!scale.empty()) tell("evidence scale {}\n", scale);
  if (!std::isnan(totals.log_evidence)) tell("log-evidence {:.6g}, ", totals.log_evidence);
  tell("{} decided\n", count_text(static_cast<std::size_t>(totals.switches), "switch"));
  if (const auto& found = result.tracked.switching) tell("the listener switches {}\n", data::switching_words(*found));
  if (!path) return;
  tell("path {}: log-probability {:.6g}, with the scores {:.6g}, given the scores {:.6g}\n", flags.path,
       path->log_prior, path->log_joint, path->log_posterior());
}

ordered_json path_json(const TrackFlags& flags, const hmm::PathProbability& path) {
  return {{"source", flags.path},
          {"log_prior", path.log_prior},
          {"log_joint", path.log_joint},
          {"log_posterior", path.log_posterior()}};
}

ordered_json summary_json(const TrackFlags& flags, const TrackResult& result,
                          const std::optional<hmm::PathProbability>& path) {
  const Totals totals = totals_of(result.tracked);
  const auto emission = emission_text(flags, result);
  std::vector<std::string> notes;
  for (const Note& note : result.notes) notes.push_back(data::shown(note));
  ordered_json json{{"scores", flags.scores},
                    {"method", flags.method},
                    {"switch_probability", json_value(result.switch_probability)},
                    {"switching", json_value(result.tracked.switching)},
                    {"gain_states", json_value(result.gain_states)},
                    {"emission", json_value(emission)},
                    {"emission_parameters", emission ? parameters_json(result.fitted.model) : nullptr},
                    {"emission_origin", result.fitted.model.origin},
                    {"window", totals.window.value}};
  if (totals.hop != totals.window) json["hop"] = totals.hop.value;
  json["evidence_scale"] = json_value(result.fitted.evidence_scale);
  json["trials"] = totals.trials;
  json["windows"] = totals.windows;
  json["held"] = totals.held;
  json["switches"] = totals.switches;
  json["log_evidence"] = totals.log_evidence;
  json["notes"] = notes;
  if (path) json["path"] = path_json(flags, *path);
  return json;
}

// The model waits for its name until the posteriors have theirs: both appear, or neither.
void write_results(const TrackFlags& flags, const TrackResult& result) {
  const Model& model = result.fitted.model;
  const bool stream = io::is_output_stream(flags.save_model);
  std::optional<io::StagedFile> staged_model;
  if (!flags.save_model.empty() && !stream) staged_model.emplace(flags.save_model, io::model_text(model));
  io::write_posteriors(flags.output, result.tracked,
                       {.digits = flags.digits,
                        .method = flags.method,
                        .switch_probability = result.switch_probability,
                        .unknown_switch_probability = result.tracked.switching.has_value(),
                        .emission = sidecar_emission(flags, result),
                        .sources = {flags.scores}});
  if (staged_model) staged_model->commit();
  if (stream) io::write_model(flags.save_model, model);
}

// A file, what it was asked and what came of it.
struct TrackedFile {
  pipeline::TrackRequest request;
  TrackResult result;
  std::optional<hmm::PathProbability> path;
};

// Labelled scores of others, read once for all files.
struct Others {
  std::vector<ScoredParticipant> participants;
  Notes notes;
};

TrackedFile track_file(const TrackFlags& flags, const std::optional<Model>& model, const Others& others) {
  const track::Method method = track::method_named(flags.method);
  io::ScoreFile file = io::read_scores(flags.scores, read_options(flags.emission, model));
  Notes notes;
  for (const std::string& warning : file.warnings)
    notes.push_back({.text = io::input_name(flags.scores) + ": " + warning});
  notes.insert(notes.end(), others.notes.begin(), others.notes.end());
  pipeline::TrackRequest request{.method = method, .options = method_options(flags.method_flags)};
  request.chain = chain_choice(flags.chain);
  // A method without emission takes no notice of how one is chosen.
  if (track::needs(method).emission) {
    request.emission = emission_choice(flags.emission, file.participant.type, model);
    request.model = suited_to(file.participant, model);
  }
  request.participant = std::move(file.participant);
  request.others = others.participants;
  TrackResult result = track(flags, request);
  result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
  const auto path = path_probability(flags, request, result);
  return {std::move(request), std::move(result), path};
}

// Errors come alone: notes wait until the work is done.
int track_one(const TrackFlags& flags, const std::optional<Model>& model, const Others& others) {
  const TrackedFile file = track_file(flags, model, others);
  std::optional<PendingPlot> picture;
  std::optional<PendingPlot> second;
  const AttentionPlot plot{file.request.participant, file.result.tracked, file.result.fitted.model, flags.scores,
                           method_text(flags, file.result)};
  if (flags.plot.wanted()) picture.emplace(flags.plot, attention_drawing(flags.plot, plot));
  if (flags.switching().wanted()) second.emplace(flags.switching(), switching_drawing(flags.plot, plot));
  write_results(flags, file.result);
  if (picture) picture->commit();
  if (second) second->commit();
  if (!flags.json) {
    print_summary(flags, file.result, file.path);
  } else {
    // Beside posteriors on standard output the JSON goes to stderr, and nothing else does.
    fmt::print(flags.output == "-" ? stderr : stdout, "{}", json_text(summary_json(flags, file.result, file.path)));
  }
  return exit_success;
}

void check_many(const TrackFlags& flags) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::invalid_argument, why); };
  if (flags.output == "-") refuse("several score files need a folder for their posteriors: -o FOLDER");
  if (flags.plot.wanted() || flags.switching().wanted() || !flags.path.empty() || !flags.save_model.empty()) {
    refuse("--plot, --plot-switching, --path and --save-model are for one score file; track it by itself");
  }
}

// The same flags for each file, with a place for its posteriors.
std::vector<TrackFlags> flags_of_files(const TrackFlags& flags) {
  const std::vector<std::filesystem::path> inputs(flags.inputs.begin(), flags.inputs.end());
  std::vector<TrackFlags> files;
  std::set<std::filesystem::path> outputs;
  for (const auto& file : io::find_files(inputs, io::scores_ending)) {
    TrackFlags one = flags;
    one.scores = file.string();
    const auto output = std::filesystem::path(flags.output) / (io::name_without_suffix(file) + "_posterior.tsv");
    one.output = output.string();
    if (!outputs.insert(output).second) {
      throw Error(ErrorKind::invalid_argument, "two of the score files are called " + file.filename().string() +
                                                   "; track them into folders of their own");
    }
    files.push_back(std::move(one));
  }
  return files;
}

// A file that cannot be tracked does not stop the others.
int track_many(const TrackFlags& flags, const std::optional<Model>& model, const Others& others) {
  check_many(flags);
  const std::vector<TrackFlags> files = flags_of_files(flags);
  std::filesystem::create_directories(flags.output);
  std::vector<std::optional<TrackResult>> results(files.size());
  std::vector<std::optional<Error>> errors;
  {
    ProgressBar bar("tracking");
    errors = data::errors_of(data::in_parallel(
        files.size(), {.count = 0},
        [&](std::size_t k) {
          results[k] = track_file(files[k], model, others).result;
          write_results(files[k], *results[k]);
        },
        [&](std::size_t done) { bar.show(done, files.size()); }));
  }
  ordered_json all = ordered_json::array();
  int code = exit_success;
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (errors[k]) {
      tell("heed: {}\n", errors[k]->what());
      code = exit_partial;
    } else if (flags.json) {
      all.push_back(summary_json(files[k], *results[k], std::nullopt));
    } else {
      print_summary(files[k], *results[k], std::nullopt);
    }
  }
  if (flags.json) fmt::print("{}", json_text(all));
  return code;
}

int run_track(TrackFlags flags) {
  const track::Method method = track::method_named(flags.method);
  const auto model = given_model(flags.emission);
  if (!track::needs(method).emission && !flags.save_model.empty()) {
    throw Error(ErrorKind::invalid_argument,
                flags.method + " uses no emission, so there is no model to save; omit --save-model");
  }
  std::error_code ignored;
  const bool single = flags.inputs.size() == 1 && !std::filesystem::is_directory(flags.inputs.front(), ignored);
  Others others;
  if (single) flags.scores = flags.inputs.front();
  others.participants = read_others(flags, read_options(flags.emission, model), others.notes);
  return single ? track_one(flags, model, others) : track_many(flags, model, others);
}

}  // namespace

void add_track(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("track", "Turn scores into the probability that each speaker is attended");
  verb->footer(track_examples);
  auto flags = std::make_shared<TrackFlags>();
  verb->add_option("scores", flags->inputs,
                   "Score file (*_scores.tsv), or - for standard input; or several, or folders of them, each tracked "
                   "by itself")
      ->required()
      ->type_name("FILE");
  verb->add_option("-o,--output", flags->output,
                   "Posterior file to write, or - for standard output; the folder for those of several score files")
      ->type_name("FILE")
      ->capture_default_str();
  verb->add_option("--method", flags->method,
                   "causal (live), fixed-lag (with a short delay), smooth (whole trial), viterbi (most probable path), "
                   "raw (each window on its own); from the literature: markov-chain and probabilistic-gain (gain "
                   "controls), state-space")
      ->check(CLI::IsMember(method_names()))
      ->capture_default_str();
  add_method_flags(*verb, flags->method_flags);
  verb->add_option("--digits", flags->digits, "Significant digits of the output; 17 reads back exactly")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", flags->json, "Summary as JSON (on standard output if the posteriors go to a file)");
  add_plot_flags(*verb, flags->plot, "posterior, attention and evidence over time");
  add_plot_file_flag(*verb, "--plot-switching", flags->plot_switching,
                     "how often the listener switches, as -p auto finds it,");
  add_chain_flags(*verb, flags->chain);
  add_emission_flags(*verb, flags->emission);
  verb->add_option("--fit-from", flags->fit_from,
                   "Score files or folders to fit the emission to; they need labels unless --fit says otherwise")
      ->type_name("FILE")
      ->group(emission_group);
  verb->add_flag("--fit-switch-probability", flags->emission.fit_switch_probability,
                 "baum-welch: learn the switch probability too, with -p or its default as a weak prior")
      ->group(emission_group);
  verb->add_option("--path", flags->path,
                   "Also give the probability of a path of attention: labels (the column 'attended'), decisions (those "
                   "of the method), or the decisions in a posterior file")
      ->type_name("FILE");
  verb->add_option("--save-model", flags->save_model, "Write the emission used, for --model")
      ->type_name("FILE")
      ->group(emission_group);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_track(*flags); }; });
}

}  // namespace heed::app
