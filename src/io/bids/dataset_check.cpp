// SPDX-License-Identifier: MIT
#include <heed/io/bids_dataset.h>
#include <heed/io/recording_file.h>
#include <io/bids/dataset_check.h>
#include <io/bids/dataset_scan.h>
#include <io/bids/run_check.h>
#include <io/json_object.h>
#include <io/text_file.h>
#include <io/tsv.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

// Broken JSON was told by the scan.
void check_description(const fs::path& root, ProblemList& problems) {
  const fs::path file = root / "dataset_description.json";
  if (!fs::exists(file)) {
    problems.error(file, R"(is missing; write {"Name": "...", "BIDSVersion": "1.9.0", "DatasetType": "raw"} into it)");
    return;
  }
  try {
    const JsonObject json = JsonObject::parse(read_text_file(file));
    for (const char* key : {"Name", "BIDSVersion"}) {
      if (!json.has_text(key)) problems.error(file, std::string("key ") + key + " is missing; write it as a text");
    }
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
  }
}

bool has_participants(BidsTree& tree, const fs::path& folder) {
  return std::ranges::any_of(tree.folders(folder),
                             [](const fs::path& one) { return one.filename().string().starts_with("sub-"); });
}

// Folders that look like parts of a dataset and are none.
void check_folders(const BidsDataset& dataset, BidsTree& tree, ProblemList& problems) {
  std::string meant = "give the folder of a BIDS dataset";
  for (const fs::path& folder : tree.folders(dataset.root)) {
    const std::string name = folder.filename().string();
    if (has_participants(tree, folder)) meant = "give the folder " + in_quotes(name) + " in it, which has some";
    if (!name.starts_with("sub-") && fs::is_directory(folder / "eeg")) {
      problems.warning(folder, "holds EEG but is not read, since its name does not begin with sub-; rename it if " +
                                   in_quotes(name) + " is a participant");
    }
  }
  if (dataset.participants.empty()) problems.error({}, "there is no sub- folder; " + meant);
}

// A folder of a participant or a session.
void check_place(const fs::path& folder, BidsTree& tree, ProblemList& problems) {
  for (const fs::path& file : tree.files(folder)) {
    if (!is_recording_file(file) || !file.stem().string().ends_with("_eeg")) continue;
    problems.warning(file, "is not read, since it lies beside the folder eeg; move it there, with its other files");
  }
  for (const fs::path& one : tree.folders(folder)) {
    std::string name = one.filename().string();
    if (name == "eeg") continue;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name == "eeg") problems.warning(one, "is not read, since its name is not eeg, in small letters; rename it");
  }
}

// EEG that is passed over, and that nobody would miss where the participant has some in the right place.
void check_places(const BidsDataset& dataset, BidsTree& tree, ProblemList& problems) {
  for (const BidsParticipant& participant : dataset.participants) {
    const fs::path theirs = dataset.root / ("sub-" + participant.id);
    check_place(theirs, tree, problems);
    for (const fs::path& folder : tree.folders(theirs)) {
      if (folder.filename().string().starts_with("ses-")) {
        check_place(folder, tree, problems);
      } else if (fs::is_directory(folder / "eeg")) {
        problems.warning(folder, "holds EEG but is not read, since its name does not begin with ses-; rename it");
      }
    }
  }
}

// A recording that is refused, the second of two with the same run, has its tables all the same.
bool is_beside_its_recording(BidsTree& tree, const fs::path& table) {
  const std::string name = table.filename().string();
  const std::string recording = name.substr(0, name.rfind('_')) + "_eeg.";
  return std::ranges::any_of(tree.files(table.parent_path()),
                             [&](const fs::path& file) { return file.filename().string().starts_with(recording); });
}

// Tables named like no recording apply to none, and nothing would be said of them.
void check_stray_tables(const BidsDataset& dataset, BidsTree& tree, ProblemList& problems) {
  std::set<fs::path> used;
  std::set<fs::path> folders;
  for (const BidsRun& run : dataset.runs) {
    folders.insert(run.eeg.parent_path());
    for (const char* suffix : {"events", "channels"}) {
      for (const fs::path& table : tree.applying(run.eeg, suffix, ".tsv")) used.insert(table);
    }
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& file : tree.files(folder)) {
      const std::string name = file.filename().string();
      const bool table = name.ends_with("_events.tsv") || name.ends_with("_channels.tsv");
      if (table && !used.contains(file) && !is_beside_its_recording(tree, file)) {
        problems.warning(file,
                         "belongs to no recording in this folder; name it like its recording, run-01 and run-1 "
                         "being different names");
      }
    }
  }
}

void check_everybody_has_eeg(const BidsDataset& dataset, ProblemList& problems) {
  for (const BidsParticipant& participant : dataset.participants) {
    const auto is_theirs = [&](const BidsRun& run) { return run.entities.subject == participant.id; };
    if (std::ranges::any_of(dataset.runs, is_theirs)) continue;
    problems.error(dataset.root / ("sub-" + participant.id), "the participant has no EEG that heed can read; add sub-" +
                                                                 participant.id + "/eeg/sub-" + participant.id +
                                                                 "_task-..._eeg with one of the endings " +
                                                                 recording_endings() + ", or remove the folder");
  }
}

void check_participants_table(const BidsDataset& dataset, ProblemList& problems) {
  const fs::path file = dataset.root / "participants.tsv";
  if (!fs::exists(file)) return;
  std::set<std::string> listed;
  try {
    const CheckedParticipants table = check_participants(read_text_file(file));
    for (std::size_t i = 0; i < table.participants.size(); ++i) {
      const std::string& id = table.participants[i].id;
      listed.insert(id);
      if (std::ranges::find(dataset.participants, id, &BidsParticipant::id) != dataset.participants.end()) continue;
      problems.error(file, "column participant_id: there is no folder sub-" + id + "; remove the row or add the folder",
                     table.rows[i]);
    }
  } catch (const Error&) {
    return;  // told by the scan
  }
  for (const BidsParticipant& participant : dataset.participants) {
    if (!listed.contains(participant.id)) problems.error(file, "sub-" + participant.id + " is not in it; add a row");
  }
}

// What one run of a participant has and another has not: a decoder is shared by all of them.
class ParticipantAgreement {
 public:
  explicit ParticipantAgreement(ProblemList& problems) : problems_(problems) {}

  void add(const BidsRun& run, const RunFacts& facts) {
    const std::string& subject = run.entities.subject;
    if (!facts.eeg_channels.empty()) {
      const auto& first = channels_.try_emplace(subject, run.name, facts.eeg_channels).first->second;
      if (first.second != facts.eeg_channels) {
        problems_.warning(run.eeg, "its EEG channels differ from those of " + first.first +
                                       "; a decoder needs the same in all runs of a participant");
      }
    }
    if (facts.trials.empty() || !run.events) return;
    std::set<std::string> speakers;
    for (const SpeakerPieces& speaker : facts.trials.front().speakers) speakers.insert(speaker.name);
    const auto& first = speakers_.try_emplace(subject, run.name, speakers).first->second;
    if (first.second != speakers) {
      problems_.warning(*run.events, "its speakers have other names than in " + first.first +
                                         "; name them by what they are to the listener (left, right) in all runs");
    }
  }

 private:
  ProblemList& problems_;
  std::map<std::string, std::pair<std::string, std::vector<std::string>>> channels_;
  std::map<std::string, std::pair<std::string, std::set<std::string>>> speakers_;
};

// Time of a trial for which attention is told; what two rows claim counts once.
Seconds labelled(const TrialPlan& trial) {
  Seconds total{};
  Seconds covered{};  // up to here
  for (const AttendedSpan& span : trial.attention) {
    const Seconds end = span.onset + span.duration;
    const Seconds begin = std::max(span.onset, covered);
    if (end > begin) total = total + (end - begin);
    covered = std::max(covered, end);
  }
  return total;
}

// Of the runs that are meant, and how many participants have them.
std::size_t keep_selected(BidsDataset& dataset, const RunSelection& selection) {
  if (dataset.runs.empty()) return dataset.participants.size();
  const std::vector<ParticipantRuns> kept = select_runs(dataset, selection);
  dataset.runs.clear();
  for (const ParticipantRuns& one : kept) dataset.runs.insert(dataset.runs.end(), one.runs.begin(), one.runs.end());
  return selection == RunSelection{} ? dataset.participants.size() : kept.size();
}

void count(const RunFacts& facts, DatasetReport& report) {
  report.recorded = report.recorded + facts.recorded;
  report.trials += facts.trials.size();
  for (const TrialPlan& trial : facts.trials) {
    report.heard = report.heard + trial.duration;
    report.labelled = report.labelled + labelled(trial);
  }
}

}  // namespace

std::size_t DatasetReport::count(Severity severity) const {
  return static_cast<std::size_t>(std::ranges::count(problems, severity, &Problem::severity));
}

DatasetReport check_dataset(const fs::path& root, const DatasetCheckOptions& options) {
  ScannedDataset scanned = scan_dataset(root);
  BidsDataset& dataset = scanned.dataset;
  ProblemList problems(root);
  check_description(root, problems);
  problems.add({}, std::move(scanned.problems));
  BidsTree tree(root);
  check_folders(dataset, tree, problems);
  check_places(dataset, tree, problems);
  check_everybody_has_eeg(dataset, problems);
  check_participants_table(dataset, problems);
  check_stray_tables(dataset, tree, problems);

  DatasetReport report{.name = dataset.name};
  if (options.selection.tasks.empty()) report.other_tasks = words_of_other_tasks(dataset);
  report.participants = keep_selected(dataset, options.selection);
  report.runs = dataset.runs.size();
  StimulusCheck stimuli(root / "stimuli", problems);
  ParticipantAgreement agreement(problems);
  for (std::size_t i = 0; i < dataset.runs.size(); ++i) {
    const RunFacts facts = check_run(dataset.runs[i], stimuli, problems);
    agreement.add(dataset.runs[i], facts);
    count(facts, report);
    if (options.progress) options.progress(i + 1, dataset.runs.size());
  }
  report.problems = problems.take();
  return report;
}

void require_stimuli(const BidsDataset& dataset, const BidsRun& run, const ListeningEvents& events, Hertz eeg_rate) {
  ProblemList problems(dataset.root);
  StimulusCheck stimuli(dataset.stimulus(""), problems);
  for (const StimulusPiece& piece : events.stimuli) {
    stimuli.check(piece, run.events.value_or(run.eeg), eeg_rate);
    for (const Problem& problem : problems.take()) {
      if (problem.severity != Severity::error) continue;
      throw Error(ErrorKind::bad_data, (dataset.root / problem.file).string() + ": " + problem.text());
    }
  }
}

}  // namespace heed::io
