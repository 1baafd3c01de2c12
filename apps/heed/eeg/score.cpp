// SPDX-License-Identifier: MIT
// `heed score`: a BIDS folder in, scores of every window out.
#include <data/text.h>
#include <fmt/format.h>
#include <heed/evaluate/summary.h>
#include <heed/io/model_file.h>
#include <heed/pipeline/score.h>

#include <memory>

#include "eeg/folder_verbs.h"
#include "exit_code.h"
#include "json_value.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

using pipeline::ParticipantScores;
using pipeline::ScoreRequest;
using pipeline::ScoreResult;
using Json = nlohmann::ordered_json;

constexpr const char* score_examples = R"(Examples:
  heed score BIDS_DIR -o scores                        each run by a decoder of the participant's other runs, which
                                                       learns from the folder's other listeners where there are enough
  heed score BIDS_DIR --recipe paper -o scores         as the paper: CCA, envelopes of 1-9 Hz, each participant alone
  heed score BIDS_DIR -o scores && heed compare scores --switch-every 60
  heed score BIDS_DIR --window 1,5,10,30 -o scores     several window lengths, for 'heed mesd scores'
  heed score BIDS_DIR --window 1 --hop 0.25 -o scores  windows of 1 s that overlap: four decisions per second
  heed score BIDS_DIR --step 0.25 -o scores            quarter-second steps: the same, and each decision 0.75 s sooner
  heed score BIDS_DIR --participant 01 --run 01 --model model.json -o scores
  heed score BIDS_DIR --population pop.json --adapt -o scores
                                                       without labels, as live: a decoder that learns while it listens

Writes DIR/sub-01/eeg/sub-01_..._desc-ls_scores.tsv, one file per run, with a JSON sidecar each.)";

struct ScoreFlags {
  ScoreRequest request;
  PopulationFlags population;
  std::string output;
  std::string model;
  std::string adapt;  // "on", "off"; empty: not asked for
  bool json = false;
};

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

std::string verdict(const std::optional<decode::Alignment>& alignment) {
  if (!alignment) return "n/a";
  switch (alignment->verdict) {
    case decode::AlignmentVerdict::aligned:
      return "aligned";
    case decode::AlignmentVerdict::likely_offset:
      return fmt::format("{:+.0f} ms?", 1000 * alignment->offset.value);
    case decode::AlignmentVerdict::unclear:
      return "unclear";
  }
  return {};
}

bool is_moved(const std::optional<decode::Alignment>& alignment) {
  return alignment && alignment->verdict == decode::AlignmentVerdict::likely_offset;
}

void print_table(const ScoreResult& result) {
  say("{}\n\n", result.decoder);
  TextTable table({"participant", "window s", "windows", "accuracy %", "chance %", "95 % bound", "p", "EEG and sound"});
  for (const ParticipantScores& one : result.participants) {
    for (std::size_t w = 0; w < one.significance.size(); ++w) {
      const auto& found = one.significance[w];
      table.add({"sub-" + one.id, fmt::format("{:g}", result.layouts[w].window.value), std::to_string(found.windows),
                 shown(percent(found.accuracy), 1), shown(percent(found.chance), 1), shown(percent(found.bound), 1),
                 found.p_value ? fmt::format("{:.2g}", *found.p_value) : "n/a", verdict(one.alignment)});
    }
  }
  say("{}\n", table.text());
  for (std::size_t w = 0; w < result.layouts.size(); ++w) {
    const decode::WindowLayout& layout = result.layouts[w];
    std::vector<std::optional<double>> accuracies;
    for (const ParticipantScores& one : result.participants) {
      if (!one.failure) accuracies.push_back(one.significance[w].accuracy);
    }
    const auto mean = evaluate::summarise(accuracies);
    say("accuracy of single {} of {:g} s{}: {} %{}\n", layout.steps ? "steps" : "windows", layout.window.value,
        data::shown_hop(layout.window, layout.hop), shown_with_spread(percent(mean.mean), percent(mean.sd), 1),
        mean.sd ? " (mean ± SD)" : "");
  }
}

Json length_json(const decode::WindowLayout& layout, const pipeline::Significance& found) {
  Json json{{"window", layout.window.value}};
  if (layout.hop != layout.window) json["hop"] = layout.hop.value;
  if (layout.steps) json["steps"] = true;
  json["windows"] = found.windows;
  json["accuracy"] = json_value(found.accuracy);
  json["chance"] = found.chance;
  json["chance_bound"] = json_value(found.bound);
  json["p"] = json_value(found.p_value);
  return json;
}

// Of one participant: without a subject that is the participant.
Json notes_json(const std::string& id, const Notes& notes) {
  Json json = Json::array();
  for (const Note& note : notes) json.push_back(note.subject == id ? note.text : note_text(note));
  return json;
}

// The first window length by itself, as most ask for one; all of them below "lengths".
Json participant_json(std::span<const decode::WindowLayout> layouts, const ParticipantScores& one) {
  if (one.failure) return {{"id", one.id}, {"failure", one.failure->what()}};
  Json json{{"id", one.id}};
  json.update(length_json(layouts.front(), one.significance.front()));
  for (std::size_t w = 0; w < layouts.size(); ++w) {
    json["lengths"].push_back(length_json(layouts[w], one.significance[w]));
  }
  const bool moved = is_moved(one.alignment);
  json["alignment"] = moved ? "offset" : verdict(one.alignment);
  json["alignment_offset"] = json_value(moved ? std::optional(one.alignment->offset.value) : std::nullopt);
  json["alignment_strength"] = json_value(one.alignment ? std::optional(one.alignment->strength) : std::nullopt);
  if (!one.population.empty()) json["population"] = one.population;
  if (one.learnt) json["learnt"] = json_value(*one.learnt, layouts.front().window);
  json["notes"] = notes_json(one.id, one.notes);
  return json;
}

void print_json(const ScoreFlags& flags, const ScoreResult& result) {
  Json participants = Json::array();
  for (const ParticipantScores& one : result.participants)
    participants.push_back(participant_json(result.layouts, one));
  Json json{{"decoder", result.decoder}, {"preprocessing", io::describe(result.choice.preprocessing)}};
  if (result.recipe) json["recipe"] = pipeline::name(*result.recipe);
  json["output"] = flags.output;
  json["participants"] = participants;
  json["notes"] = notes_json("", result.notes);
  fmt::print("{}", json_text(json));
}

int run_score(ScoreFlags& flags) {
  ScoreRequest& request = flags.request;
  request.output = flags.output;
  request.population = population_request(flags.population);
  if (!flags.adapt.empty()) request.adaptation = pipeline::AdaptationRequest{.learn = flags.adapt != "off"};
  if (!flags.model.empty()) {
    request.model = io::read_decoder(flags.model);
    request.model_name = flags.model;
  }
  const ScoreResult result = pipeline::score(watched(request));
  const int code = conclude(result.participants);
  if (flags.json) {
    print_json(flags, result);
  } else if (code < exit_usage) {
    print_table(result);
  }
  flush_output();
  warn(result.notes);
  for (const ParticipantScores& one : result.participants) {
    warn(one.notes);
    if (is_moved(one.alignment)) warn("sub-" + one.id + ": " + decode::describe(*one.alignment));
  }
  if (code < exit_usage)
    tell("scores written to {}; {}\n", flags.output, next_step(flags.output, result.layouts.size()));
  return code;
}

}  // namespace

void add_score(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("score", "Decode the EEG of a BIDS folder: one score per window and speaker");
  verb->footer(score_examples);
  auto flags = std::make_shared<ScoreFlags>();
  ScoreRequest& request = flags->request;
  add_folder_options(*verb, request.folder);
  verb->add_option("-o,--output", flags->output, "Folder to write to; created if it does not exist")
      ->required()
      ->type_name("DIR");
  add_window_option(*verb, request.windows);
  add_hop_option(*verb, request.hop);
  add_step_option(*verb, request.step);
  CLI::Option* model =
      verb->add_option("--model", flags->model, "Decoder from 'heed train' (default: leave one trial out)")
          ->type_name("FILE");
  verb->add_option_function<std::string>(
          "--adapt", [flags = flags.get()](const std::string& word) { flags->adapt = word.empty() ? "on" : word; },
          "Score in streaming order by a decoder that learns while it listens, without labels, with causal filters as "
          "live; off: by the decoder it starts from")
      ->expected(0, 1)
      ->trigger_on_parse()
      ->check(CLI::IsMember({"on", "off", ""}))
      ->type_name("[on|off]")
      ->excludes(model);
  add_digits_option(*verb, request.digits);
  verb->add_flag("--json", flags->json, "Print the table as JSON");
  for (const Options& options :
       {add_decoder_options(*verb, request.decoder, true), add_signal_options(*verb, request.decoder),
        add_population_options(*verb, flags->population)}) {
    for (CLI::Option* option : options) option->excludes(model);  // the model has its own
  }
  verb->callback([&chosen, flags] { chosen = [flags] { return run_score(*flags); }; });
}

}  // namespace heed::app
