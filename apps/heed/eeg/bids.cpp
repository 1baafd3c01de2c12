// SPDX-License-Identifier: MIT
// `heed bids BIDS_DIR OUT_DIR participant|group`.
#include "eeg/bids.h"

#include <data/text.h>
#include <fmt/format.h>
#include <heed/data/version.h>
#include <io/atomic_file.h>
#include <io/text_file.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command_tree.h"
#include "verbs.h"

namespace heed::app {
namespace {

using nlohmann::ordered_json;

constexpr const char* bids_examples = R"(Examples:
  heed bids BIDS_DIR OUT_DIR participant                          every participant: scores, posteriors, a page
  heed bids BIDS_DIR OUT_DIR group --switch-every 60              then all of them together
  heed bids BIDS_DIR OUT_DIR participant --participant_label 01 02 --n_cpus 2
  heed bids BIDS_DIR OUT_DIR participant -w /scratch/heed         preprocessed signals kept elsewhere
  heed bids BIDS_DIR OUT_DIR participant -p auto                  how often listeners switch is not known
  heed bids BIDS_DIR OUT_DIR participant --step 0.25              four decisions per second, from quarter-second steps

By heed's recipe every participant learns from the folder's other listeners, whoever is asked for; their sums are kept
in the work folder, so that the nodes of a cluster make them once.
Started again after an interruption, it continues where it left off. Open OUT_DIR/sub-01.html, OUT_DIR/group.html.)";

void add_labels(CLI::App& verb, const char* name, std::vector<std::string>& labels, const char* text) {
  verb.add_option(name, labels, text)->delimiter(',')->type_name("LABEL ...")->group("BIDS App");
}

std::filesystem::path record_path(const std::filesystem::path& folder, const std::string& id) {
  return folder / ("sub-" + id) / ("sub-" + id + "_heed.json");
}

}  // namespace

std::string windows_words(const decode::WindowLayout& layout) {
  return layout.steps ? "steps of " + data::shown(layout.window.value) + " s"
                      : data::shown_windows(layout.window, layout.hop);
}

std::optional<ParticipantRecord> read_record(const std::filesystem::path& folder, const std::string& id) {
  const auto path = record_path(folder, id);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto json = ordered_json::parse(io::read_text_file(path), nullptr, false);
  const auto text = [&](const char* key) { return json.at(key).get<std::string>(); };
  try {
    ParticipantRecord record{text("Key"), text("DataDigest"), text("Decoder"), text("Choice"), text("Method"), {}};
    if (!json.at("Failure").is_null()) record.failure = text("Failure");
    return record;
  } catch (const ordered_json::exception&) {
    return std::nullopt;
  }
}

void write_record(const std::filesystem::path& folder, const std::string& id, const ParticipantRecord& record) {
  const auto path = record_path(folder, id);
  std::filesystem::create_directories(path.parent_path());
  const ordered_json json{
      {"Key", record.key},         {"DataDigest", record.data_digest},
      {"Decoder", record.decoder}, {"Choice", record.choice},
      {"Method", record.method},   {"Failure", record.failure ? ordered_json(*record.failure) : ordered_json(nullptr)},
      {"HeedVersion", version()}};
  io::write_text_file(path, json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

// What is read and written, and how a BIDS App is run.
void add_folder_options(CLI::App& verb, BidsFlags& flags) {
  pipeline::ScoreRequest& request = flags.request;
  io::RunSelection& selection = request.folder.selection;
  verb.add_option("bids_dir", flags.dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  verb.add_option("output_dir", flags.output, "Folder for the results; created if it does not exist")
      ->required()
      ->type_name("OUT_DIR");
  verb.add_option("level", flags.level,
                  "participant: decode each participant; group: all finished participants together")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"participant", "group"}));
  add_labels(verb, "--participant_label", selection.participants, "These participants only, without sub-");
  add_labels(verb, "--session_label", selection.sessions, "These sessions only, without ses-");
  add_labels(verb, "--task_label", selection.tasks, "These tasks only, without task-");
  add_labels(verb, "--exclude-run", selection.without_runs, exclude_run_words);
  verb.add_option("--n_cpus", request.folder.threads, "Participants processed at once (0: one per core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str()
      ->group("BIDS App");
  verb.add_option_function<std::string>(
          "-w,--work-dir", [&request](const std::string& folder) { request.folder.cache = folder; },
          "Where preprocessed signals and statistics of listeners are kept (default: ~/.cache/heed)")
      ->type_name("DIR")
      ->group("BIDS App");
  verb.add_flag("--skip_bids_validator", flags.skip_validation, "Do not check the dataset first")->group("BIDS App");
}

void add_bids(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("bids", "Decode a whole BIDS folder, as a BIDS App: scores, attention, pages");
  verb->footer(bids_examples);
  auto flags = std::make_shared<BidsFlags>();
  pipeline::ScoreRequest& request = flags->request;
  add_folder_options(*verb, *flags);
  verb->add_option("--window", request.windows.front().value, "Window length in seconds; a multiple of 0.25")
      ->capture_default_str();
  add_hop_option(*verb, request.hop);
  add_step_option(*verb, request.step);
  verb->add_option("--switch-every", flags->switch_every,
                   "group: artificial switches at intervals in seconds, 60 or 60-125 (default: as recorded)");
  add_digits_option(*verb, request.digits);
  add_switching_flags(*verb, flags->chain, UnknownSwitching::allowed);
  add_decoder_options(*verb, request.decoder, false);
  add_signal_options(*verb, request.decoder);
  add_population_options(*verb, flags->population);
  verb->callback([&chosen, flags, verb] {
    flags->command = typed_command(*verb);
    chosen = [flags] {
      flags->request.folder.dataset = flags->dataset;
      flags->request.output = flags->output;
      flags->request.population = population_request(flags->population);
      return flags->level == "group" ? run_group_level(*flags) : run_participant_level(*flags);
    };
  });
}

}  // namespace heed::app
