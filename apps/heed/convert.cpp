// SPDX-License-Identifier: MIT
// `heed convert`: a public data set, CND files or recordings of LabRecorder as a BIDS folder, and a BIDS folder as CND.
#include <fmt/format.h>
#include <heed/data/error.h>
#include <io/cnd/cnd_file.h>
#include <io/public_sets/convert.h>
#include <io/xdf/xdf_convert.h>
#include <pipeline/preparation/cnd_folder.h>

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
  heed convert xdf session.xdf bids                               EEG, sound and markers that heed recorded
  heed convert xdf sub-01.xdf sub-02.xdf bids --speaker left=Mic1 --speaker right=Mic2 --attend 'attend_*=*'
  heed convert xdf sub-01.xdf bids --stimulus 'go=left=a.wav' --stimulus 'go=right=b.wav' --attend 'look L=left'
  heed convert cnd dataCND bids                                   dataSub1.mat ... and dataStim.mat of mTRF-Toolbox
  heed convert cnd dataCND bids --speaker left=Env1 --speaker right=Env2 --attend 'attend *=*'
  heed convert cnd bids dataCND                                   a BIDS folder as CND

Where the data are:
  av-gc-aad   https://zenodo.org/records/11058711   2024-AV-GC-AAD-sub*_preprocessed.mat
  kuleuven    https://zenodo.org/records/4004271    S*.mat, and stimuli.zip unpacked to stimuli/ beside them
  dtu         https://zenodo.org/records/1199011    S*_data_preproc.mat of DATA_preproc.zip

Each trial of a public data set or CND file becomes a run, and each stretch of EEG without a pause in an XDF file.
'heed validate BIDS_DIR' checks the result.)";

struct XdfFlags {
  std::string eeg;
  std::vector<std::string> speakers;
  std::vector<std::string> attention;
  std::vector<std::string> trials;
  std::vector<std::string> trial_ends;
  std::vector<std::string> stimuli;
  std::string subject;
  std::string task;
  bool whole = false;
};

struct ConvertFlags {
  std::string set;
  XdfFlags xdf;
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

constexpr const char* xdf_name = "xdf";
constexpr const char* cnd_name = "cnd";

std::vector<std::string> set_names() {
  std::vector<std::string> names{xdf_name, cnd_name};
  for (const io::PublicSet set : io::all_public_sets()) names.emplace_back(io::name(set));
  return names;
}

// A folder with participants: what `heed convert cnd` writes CND from.
bool is_bids(const std::string& path) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(path, failure)) {
    if (entry.is_directory(failure) && entry.path().filename().string().starts_with("sub-")) return true;
  }
  return false;
}

bool writes_cnd(const ConvertFlags& flags) {
  return flags.set == cnd_name && flags.paths.size() == 2 && is_bids(flags.paths.front());
}

// What a participant is made of there.
std::string pieces_text(const ConvertFlags& flags, std::size_t count) {
  return fmt::format("{} {}{}", count, writes_cnd(flags) ? "trial" : "run", count == 1 ? "" : "s");
}

void report(const ConvertFlags& flags, const std::vector<io::ConvertedParticipant>& participants) {
  for (const io::ConvertedParticipant& participant : participants) {
    for (const std::string& note : participant.notes) warn(fmt::format("sub-{}: {}", participant.subject, note));
    if (participant.failure) {
      tell("heed: sub-{}: {}\n", participant.subject, participant.failure->what());
    } else {
      tell("sub-{}: {}\n", participant.subject,
           participant.earlier ? "converted before" : pieces_text(flags, participant.runs));
    }
  }
}

int conclude(const ConvertFlags& flags, const std::vector<io::ConvertedParticipant>& participants) {
  const auto failed = static_cast<std::size_t>(
      std::ranges::count_if(participants, [](const auto& participant) { return participant.failure.has_value(); }));
  std::size_t runs = 0;
  for (const io::ConvertedParticipant& participant : participants) runs += participant.failure ? 0 : participant.runs;
  const std::size_t good = participants.size() - failed;
  if (good > 0) {
    tell("{} participant{}, {}: written to {}\n", good, good == 1 ? "" : "s", pieces_text(flags, runs),
         flags.paths.back());
  }
  if (failed == 0) return exit_success;
  tell("heed: {} of {} participants failed\n", failed, participants.size());
  return good > 0 ? exit_partial : exit_code(participants.front().failure->kind());
}

io::XdfRules xdf_rules(const XdfFlags& flags) {
  io::XdfRules rules{.eeg = flags.eeg, .trial_ends = flags.trial_ends};
  for (const std::string& rule : flags.speakers) rules.speakers.push_back(io::parse_speaker_rule(rule));
  for (const std::string& rule : flags.attention) rules.attention.push_back(io::parse_marker_rule(rule));
  // A trial is called after its marker unless the rule says otherwise.
  for (const std::string& rule : flags.trials) {
    rules.trials.push_back(rule.find('=') == std::string::npos ? io::MarkerRule{rule, ""}
                                                               : io::parse_marker_rule(rule));
  }
  for (const std::string& rule : flags.stimuli) rules.stimuli.push_back(io::parse_stimulus_rule(rule));
  return rules;
}

io::DatasetWriteOptions writing(const ConvertFlags& flags) {
  return {.format = flags.format == "bdf" ? io::EegFormat::bdf : io::EegFormat::brainvision, .resume = flags.resume};
}

io::CndReadOptions cnd_options(const ConvertFlags& flags) {
  io::CndReadOptions options;
  for (const std::string& rule : flags.xdf.speakers) options.speakers.push_back(io::parse_cnd_speaker(rule));
  for (const std::string& rule : flags.xdf.attention) options.attention.push_back(io::parse_marker_rule(rule));
  if (!flags.stimuli.empty()) options.stimuli = flags.stimuli;
  return options;
}

// The bar is gone when it returns.
std::vector<io::ConvertedParticipant> convert(const ConvertFlags& flags) {
  const std::vector<std::filesystem::path> sources(flags.paths.begin(), flags.paths.end() - 1);
  ProgressBar bar("converting");
  const auto progress = [&](std::size_t done, std::size_t total) { bar.show(done, total); };
  if (flags.set == xdf_name) {
    return io::convert_xdf(
        sources, flags.paths.back(),
        {xdf_rules(flags.xdf), flags.xdf.subject, flags.xdf.task, flags.xdf.whole, writing(flags), progress});
  }
  if (writes_cnd(flags))
    return pipeline::write_cnd_folder(sources.front(), flags.paths.back(), {flags.subjects, flags.resume, progress});
  io::ConvertOptions options;
  options.subjects = flags.subjects;
  if (!flags.stimuli.empty()) options.reading.stimuli = flags.stimuli;
  options.writing = writing(flags);
  options.progress = progress;
  if (flags.set == cnd_name) return io::convert_cnd(sources, flags.paths.back(), cnd_options(flags), options);
  return io::convert_public_set(set_named(flags.set), sources, flags.paths.back(), options);
}

// Options of the other kinds of source would do nothing.
void check_options(const ConvertFlags& flags) {
  const bool is_xdf = flags.set == xdf_name;
  const bool is_cnd = flags.set == cnd_name;
  if (is_xdf && (!flags.subjects.empty() || !flags.stimuli.empty())) {
    throw Error(ErrorKind::invalid_argument,
                "--subjects and --stimuli are for public data sets and CND; xdf has --subject and --stimulus");
  }
  const XdfFlags& xdf = flags.xdf;
  const bool has_speakers = !xdf.speakers.empty() || !xdf.attention.empty();
  if (has_speakers && !is_xdf && !is_cnd) {
    throw Error(ErrorKind::invalid_argument, "--speaker and --attend need 'heed convert xdf' or 'heed convert cnd'");
  }
  const bool has_rules = !xdf.trials.empty() || !xdf.trial_ends.empty() || !xdf.stimuli.empty();
  if (!is_xdf && (has_rules || xdf.whole || !(xdf.eeg + xdf.subject + xdf.task).empty())) {
    throw Error(ErrorKind::invalid_argument,
                "rules for streams and markers, names and --whole need 'heed convert xdf'");
  }
  if (writes_cnd(flags) && (has_speakers || !flags.stimuli.empty())) {
    throw Error(ErrorKind::invalid_argument, "--speaker, --attend and --stimuli are for reading CND; " +
                                                 flags.paths.front() + " is a BIDS folder, from which CND is written");
  }
}

int run_convert(const ConvertFlags& flags) {
  check_options(flags);
  const auto participants = convert(flags);
  if (participants.size() == 1 && participants.front().failure) throw Error(*participants.front().failure);
  report(flags, participants);
  return conclude(flags, participants);
}

void add_xdf_flags(CLI::App& verb, XdfFlags& flags) {
  const auto* group = "XDF";
  verb.add_option("--eeg", flags.eeg, "Name of the EEG stream (default: the only one of type EEG)")->group(group);
  verb.add_option("--speaker", flags.speakers,
                  "SPEAKER=STREAM or SPEAKER=STREAM#CHANNEL: whose sound or envelope a stream holds (default: each "
                  "channel of type Audio or Envelope); for CND SPEAKER=FEATURE, by name or number (default: as the "
                  "names say)")
      ->type_name("RULE")
      ->group("XDF and CND");
  verb.add_option("--attend", flags.attention,
                  "MARKER=SPEAKER: who is attended from such a marker on; * stands for any text, as in 'attend_*=*', "
                  "and an empty SPEAKER for nobody (default: 'attended/*=*'); for CND CONDITION=SPEAKER")
      ->type_name("RULE")
      ->group("XDF and CND");
  verb.add_option("--stimulus", flags.stimuli, "MARKER=SPEAKER=FILE: such a marker started the sound file")
      ->type_name("RULE")
      ->group(group);
  verb.add_option("--trial", flags.trials, "MARKER or MARKER=NAME: a trial begins (default: 'trial/*=*')")
      ->type_name("RULE")
      ->group(group);
  verb.add_option("--trial-end", flags.trial_ends, "MARKER: the trial ends (default: with the next one)")
      ->type_name("RULE")
      ->group(group);
  verb.add_flag("--whole", flags.whole,
                "Keep a recording without trials as one (default: cut where attention changes, since decoders are "
                "tested on other trials than they are trained on)")
      ->group(group);
  verb.add_option("--subject", flags.subject,
                  "Label of the participant (default: that of sub-LABEL in the name, or 01)")
      ->group(group);
  verb.add_option("--task", flags.task, "Label of the task (default: that of task-LABEL in the name, or attend)")
      ->group(group);
}

}  // namespace

void add_convert(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand(
      "convert", "Turn public data sets, CND files or recordings of LabRecorder into a BIDS folder");
  verb->footer(convert_examples);
  auto flags = std::make_shared<ConvertFlags>();
  verb->add_option("set", flags->set, "Which data set it is; xdf for recordings of LabRecorder, cnd for CND files")
      ->required()
      ->check(CLI::IsMember(set_names()));
  verb->add_option("paths", flags->paths, "Folders or files of the data set, then the folder to write to")
      ->required()
      ->expected(2, -1)
      ->type_name("SOURCE ... BIDS_DIR");
  verb->add_option("--subjects", flags->subjects, "These participants only, by their numbers: 1,2,7")
      ->delimiter(',')
      ->type_name("LIST");
  verb->add_option(
          "--stimuli", flags->stimuli,
          "kuleuven: folder of the WAV files (default: stimuli beside the data); cnd: file with stim (default: "
          "dataStim1.mat or dataStim.mat beside dataSub1.mat)")
      ->type_name("PATH");
  verb->add_option("--format", flags->format, "brainvision (32-bit floats, exact) or bdf (24-bit integers)")
      ->check(CLI::IsMember(std::vector<std::string>{"brainvision", "bdf"}))
      ->capture_default_str();
  verb->add_flag("--resume", flags->resume,
                 "Continue an earlier conversion: participants that are there stay as they are");
  add_xdf_flags(*verb, flags->xdf);
  verb->callback([&chosen, flags] { chosen = [flags] { return run_convert(*flags); }; });
}

}  // namespace heed::app
