// SPDX-License-Identifier: MIT
// `heed convert`: a public data set as a BIDS folder.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <io/public_sets/convert.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "exit_code.h"
#include "terminal.h"
#include "verbs.h"

namespace heed::app {
namespace {

constexpr const char* convert_examples = R"(Examples:
  heed convert av-gc-aad downloads/av-gc-aad bids                 every participant in the folder
  heed convert kuleuven S1.mat S2.mat bids --stimuli wav          these two; the WAV files are elsewhere
  heed convert dtu DATA_preproc bids --subjects 1,2,7             three of eighteen
  heed convert av-gc-aad downloads/av-gc-aad bids --resume        continue after an interruption

Where the data are:
  av-gc-aad   https://zenodo.org/records/11058711   2024-AV-GC-AAD-sub*_preprocessed.mat
  kuleuven    https://zenodo.org/records/4004271    S*.mat, and stimuli.zip unpacked to stimuli/ beside them
  dtu         https://zenodo.org/records/1199011    S*_data_preproc.mat of DATA_preproc.zip

Each trial becomes a run. 'heed validate BIDS_DIR' checks the result.)";

struct ConvertFlags {
  std::string set;
  std::vector<std::string> paths;  // sources, then the target
  std::vector<std::string> subjects;
  std::string stimuli;
  std::string format = "brainvision";
  bool resume = false;
};

io::PublicSet set_named(const std::string& name) {
  const auto sets = io::all_public_sets();
  return *std::ranges::find(sets, name, [](io::PublicSet set) { return std::string(io::name(set)); });
}

std::vector<std::string> set_names() {
  std::vector<std::string> names;
  for (const io::PublicSet set : io::all_public_sets()) names.emplace_back(io::name(set));
  return names;
}

std::string runs_text(std::size_t runs) { return fmt::format("{} run{}", runs, runs == 1 ? "" : "s"); }

void report(const std::vector<io::ConvertedParticipant>& participants) {
  for (const io::ConvertedParticipant& participant : participants) {
    for (const std::string& note : participant.notes) warn(fmt::format("sub-{}: {}", participant.subject, note));
    if (participant.failure) {
      tell("heed: sub-{}: {}\n", participant.subject, participant.failure->what());
    } else {
      tell("sub-{}: {}\n", participant.subject, participant.earlier ? "converted before" : runs_text(participant.runs));
    }
  }
}

int conclude(const std::vector<io::ConvertedParticipant>& participants, const std::string& target) {
  const auto failed = static_cast<std::size_t>(
      std::ranges::count_if(participants, [](const auto& participant) { return participant.failure.has_value(); }));
  std::size_t runs = 0;
  for (const io::ConvertedParticipant& participant : participants) runs += participant.failure ? 0 : participant.runs;
  const std::size_t good = participants.size() - failed;
  if (good > 0) {
    tell("{} participant{}, {}: written to {}\n", good, good == 1 ? "" : "s", runs_text(runs), target);
  }
  if (failed == 0) return exit_success;
  tell("heed: {} of {} participants failed\n", failed, participants.size());
  return good > 0 ? exit_partial : exit_code(participants.front().failure->kind());
}

// The bar is gone when it returns.
std::vector<io::ConvertedParticipant> convert(const ConvertFlags& flags) {
  const std::vector<std::filesystem::path> sources(flags.paths.begin(), flags.paths.end() - 1);
  io::ConvertOptions options;
  options.subjects = flags.subjects;
  if (!flags.stimuli.empty()) options.reading.stimuli = flags.stimuli;
  options.writing.format = flags.format == "bdf" ? io::EegFormat::bdf : io::EegFormat::brainvision;
  options.writing.resume = flags.resume;
  ProgressBar bar("converting");
  options.progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  return io::convert_public_set(set_named(flags.set), sources, flags.paths.back(), options);
}

int run_convert(const ConvertFlags& flags) {
  const auto participants = convert(flags);
  if (participants.size() == 1 && participants.front().failure) throw Error(*participants.front().failure);
  report(participants);
  return conclude(participants, flags.paths.back());
}

}  // namespace

void add_convert(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("convert", "Turn a public data set into a BIDS folder");
  verb->footer(convert_examples);
  auto flags = std::make_shared<ConvertFlags>();
  verb->add_option("set", flags->set, "Which data set it is")->required()->check(CLI::IsMember(set_names()));
  verb->add_option("paths", flags->paths, "Folders or files of the data set, then the folder to write to")
      ->required()
      ->expected(2, -1)
      ->type_name("SOURCE ... BIDS_DIR");
  verb->add_option("--subjects", flags->subjects, "These participants only, by their numbers: 1,2,7")
      ->delimiter(',')
      ->type_name("LIST");
  verb->add_option("--stimuli", flags->stimuli, "kuleuven: folder of the WAV files (default: stimuli beside the data)")
      ->type_name("DIR");
  verb->add_option("--format", flags->format, "brainvision (32-bit floats, exact) or bdf (24-bit integers)")
      ->check(CLI::IsMember(std::vector<std::string>{"brainvision", "bdf"}))
      ->capture_default_str();
  verb->add_flag("--resume", flags->resume,
                 "Continue an earlier conversion: participants that are there stay as they are");
  verb->callback([&chosen, flags] { chosen = [flags] { return run_convert(*flags); }; });
}

}  // namespace heed::app
