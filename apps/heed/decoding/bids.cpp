// SPDX-License-Identifier: MIT
// `heed bids BIDS_DIR OUT_DIR participant|group`.
#include "decoding/bids.h"

#include <fmt/format.h>

#include <memory>

#include "command_tree.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* bids_examples = R"(Examples:
  heed bids BIDS_DIR OUT_DIR participant                          every participant: scores, posteriors, a page
  heed bids BIDS_DIR OUT_DIR group --switch-every 60              then all of them together
  heed bids BIDS_DIR OUT_DIR participant --participant_label 01 02 --n_cpus 2
  heed bids BIDS_DIR OUT_DIR participant -w /scratch/heed         prepared signals kept elsewhere

With --recipe heed every participant is decoded alone; 'heed score' leans on the folder's other listeners.
Started again after an interruption, it goes on where it was. Open OUT_DIR/sub-01.html, OUT_DIR/group.html.)";

void add_labels(CLI::App& verb, const char* name, std::vector<std::string>& labels, const char* text) {
  verb.add_option(name, labels, text)->delimiter(',')->type_name("LABEL ...")->group("BIDS App");
}

}  // namespace

io::RunSelection selection(const BidsFlags& flags) { return {flags.participants, flags.sessions, flags.tasks, {}, {}}; }

void add_bids(CLI::App& program, Chosen& chosen) {
  CLI::App* verb =
      program.add_subcommand("bids", "Decode a whole BIDS folder, as a BIDS App: scores, attention, pages");
  verb->footer(bids_examples);
  auto flags = std::make_shared<BidsFlags>();
  verb->add_option("bids_dir", flags->dataset, "BIDS folder")->required()->type_name("BIDS_DIR");
  verb->add_option("output_dir", flags->output, "Folder of the results; made if it is not there")
      ->required()
      ->type_name("OUT_DIR");
  verb->add_option("level", flags->level, "participant: each on its own; group: all that are done")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"participant", "group"}));
  add_labels(*verb, "--participant_label", flags->participants, "These participants only, without sub-");
  add_labels(*verb, "--session_label", flags->sessions, "These sessions only, without ses-");
  add_labels(*verb, "--task_label", flags->tasks, "These tasks only, without task-");
  verb->add_option("--n_cpus", flags->threads, "Participants worked on at once (0: one a core)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str()
      ->group("BIDS App");
  verb->add_option("-w,--work-dir", flags->work, "Where prepared signals are kept (default ~/.cache/heed)")
      ->type_name("DIR")
      ->group("BIDS App");
  verb->add_flag("--skip_bids_validator", flags->skip_validation, "Do not check the dataset first")->group("BIDS App");
  verb->add_option("--window", flags->window, "Window length in seconds; a multiple of 0.25")->capture_default_str();
  verb->add_option("--switch-every", flags->switch_every,
                   "group: artificial switches every so many seconds, 60 or 60-125 (default: as recorded)");
  add_decoder_flags(*verb, flags->decoder, false);
  add_signal_flags(*verb, flags->signals);
  verb->callback([&chosen, flags, verb] {
    flags->command = typed_command(*verb);
    chosen = [flags, verb] {
      apply_recipe(*verb, flags->decoder, flags->signals);
      return flags->level == "group" ? run_group_level(*flags) : run_participant_level(*flags);
    };
  });
}

}  // namespace heed::app
