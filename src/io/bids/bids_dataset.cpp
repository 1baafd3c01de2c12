// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/dataset_scan.h>
#include <io/bids/problems.h>
#include <io/discovery.h>
#include <io/json_object.h>
#include <io/recording/recording_format.h>
#include <io/text_file.h>
#include <io/text_pieces.h>
#include <io/tsv.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace heed::io {
namespace {

namespace fs = std::filesystem;

std::string leaf(const fs::path& path) { return path.filename().string(); }

// run-1 and run-01 are one run; so are task-rest and task-Rest on many disks.
std::string same_run_key(const FileEntities& entities) {
  std::string key;
  for (const auto& [name, value] : entities.pairs) {
    const std::size_t zeros = name == "run" ? std::min(value.find_first_not_of('0'), value.size()) : 0;
    key += name + "-" + (name == "sub" ? value : without_case(value.substr(zeros))) + "_";
  }
  return key;
}

class Scanner {
 public:
  explicit Scanner(const fs::path& root) : tree_(root) { result_.dataset.root = root; }

  ScannedDataset scan() {
    const fs::path& root = result_.dataset.root;
    read_description();
    for (const fs::path& folder : tree_.folders(root)) {
      if (!leaf(folder).starts_with("sub-")) continue;
      check_told_apart(folder);
      result_.dataset.participants.push_back({leaf(folder).substr(4), {}});
      add_recordings(folder / "eeg", leaf(folder).substr(4), {});
      for (const fs::path& session : tree_.folders(folder)) {
        if (leaf(session).starts_with("ses-")) {
          add_recordings(session / "eeg", leaf(folder).substr(4), leaf(session).substr(4));
        }
      }
    }
    read_participants();
    return std::move(result_);
  }

 private:
  void error(const fs::path& file, std::string message) {
    result_.problems.push_back({Severity::error, tree_.shown(file), 0, std::move(message)});
  }

  void check_told_apart(const fs::path& folder) {
    const auto [before, is_new] = folders_.try_emplace(without_case(leaf(folder)), leaf(folder));
    if (is_new) return;
    error(folder,
          "differs from " + before->second +
              " in upper and lower case only, which many disks do not tell apart; rename one of the participants");
  }

  void read_description() {
    const fs::path file = result_.dataset.root / "dataset_description.json";
    result_.dataset.name = leaf(fs::weakly_canonical(result_.dataset.root));
    if (!fs::exists(file)) return;
    try {
      const JsonObject json = JsonObject::parse(read_text_file(file));
      if (json.has_text("Name")) result_.dataset.name = json.text("Name");
    } catch (const Error& failure) {
      error(file, BidsTree::without_place(failure, file));
    }
  }

  void read_participants() {
    const fs::path file = result_.dataset.root / "participants.tsv";
    if (!fs::exists(file)) return;
    try {
      CheckedParticipants listed = check_participants(read_text_file(file));
      for (Problem& problem : listed.problems) {
        problem.file = tree_.shown(file);
        result_.problems.push_back(std::move(problem));
      }
      for (BidsParticipant& participant : listed.participants) {
        const auto known = std::ranges::find(result_.dataset.participants, participant.id, &BidsParticipant::id);
        if (known != result_.dataset.participants.end()) known->values = std::move(participant.values);
      }
    } catch (const Error& failure) {
      error(file, BidsTree::without_place(failure, file));
    }
  }

  void add_recordings(const fs::path& folder, const std::string& subject, const std::string& session) {
    for (const fs::path& file : tree_.files(folder)) {
      const FileEntities entities = parse_entities(file);
      if (entities.suffix != "eeg") continue;
      const std::string ending = file.extension().string();
      if (is_recording_file(file)) {
        if (belongs(file, entities, subject, session)) add_run(file, entities);
      } else if (!is_recording_part(file) && ending != ".json" && ending != ".fdt") {
        error(file, "heed does not read " + in_quotes(ending) + "; convert it to " + recording_endings());
      }
    }
  }

  bool belongs(const fs::path& file, const FileEntities& entities, const std::string& subject,
               const std::string& session) {
    if (entities.value("sub") != subject || entities.value("ses") != session) {
      error(file, "lies in the folder of sub-" + subject + (session.empty() ? "" : "/ses-" + session) +
                      " but its name says otherwise; move or rename it");
      return false;
    }
    if (!entities.value("task").empty()) return true;
    error(file, "its name has no task-; call it " +
                    in_quotes("sub-" + subject + "_task-attend_eeg" + file.extension().string()));
    return false;
  }

  void add_run(const fs::path& file, const FileEntities& entities) {
    const auto [before, is_new] = files_.try_emplace(same_run_key(entities), file);
    if (!is_new) {
      error(file, "is the same run as " + leaf(before->second) + "; keep one, or give them different run-");
      return;
    }
    const auto value = [&](std::string_view key) { return std::string(entities.value(key)); };
    BidsRun run;
    run.name = leaf(file).substr(0, leaf(file).rfind("_eeg"));
    run.entities = {value("sub"), value("ses"), value("task"), value("acq"), value("run")};
    run.eeg = file;
    run.events = tree_.closest(file, "events", ".tsv");
    run.channels = tree_.closest(file, "channels", ".tsv");
    run.sidecars = tree_.applying(file, "eeg", ".json");
    result_.dataset.runs.push_back(std::move(run));
  }

  BidsTree tree_;
  ScannedDataset result_;
  std::map<std::string, std::string> folders_;  // of participants, without case
  std::map<std::string, fs::path> files_;       // by run
};

// Only what is said: a deeper sidecar that says n/a takes back what the others said.
template <typename Value, typename Read>
void take(const JsonObject& json, const char* key, std::optional<Value>& value, Read&& read) {
  if (!json.has(key)) return;
  value = json.has_text(key) && json.text(key) == missing_cell ? std::nullopt : std::optional<Value>(read(json, key));
}

void sort_by_name(std::vector<fs::path>& paths) {
  std::ranges::sort(paths, [](const fs::path& a, const fs::path& b) {
    return natural_less(a.filename().string(), b.filename().string());
  });
}

bool applies(const FileEntities& file, const FileEntities& recording) {
  return std::ranges::all_of(file.pairs, [&](const auto& pair) { return recording.value(pair.first) == pair.second; });
}

bool is_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string without_zeros(const std::string& number) {
  const std::size_t first = number.find_first_not_of('0');
  return first == std::string::npos ? "0" : number.substr(first);
}

bool is_same(const std::string& a, const std::string& b) {
  return a == b || (is_number(a) && is_number(b) && without_zeros(a) == without_zeros(b));
}

// One entity of file names, and the labels asked for.
struct Wanted {
  std::string key;  // "sub"
  std::string noun;
  std::function<const std::string&(const BidsRun&)> label;
  std::vector<std::string> labels;

  [[nodiscard]] bool means(const std::string& one, const BidsRun& run) const {
    return is_same(one, label(run)) || (key == "run" && one == run.name);
  }
  [[nodiscard]] bool holds(const BidsRun& run) const {
    return std::ranges::any_of(labels, [&](const std::string& one) { return means(one, run); });
  }
};

Wanted wanted(std::string key, std::string noun, std::string BidsEntities::*member, std::vector<std::string> labels) {
  for (std::string& label : labels) {
    if (label.starts_with(key + "-")) label.erase(0, key.size() + 1);
  }
  return {std::move(key), std::move(noun),
          [member](const BidsRun& run) -> const std::string& { return run.entities.*member; }, std::move(labels)};
}

// A table that cannot be read is told where its task is decoded, by the task's other runs.
bool has_speakers(const BidsRun& run) {
  if (!run.events) return false;
  try {
    TextPieces pieces(*run.events);
    return TsvReader(pieces).find("speaker").has_value();
  } catch (const Error&) {
    return false;
  }
}

// With one task, or where none has speakers, that is a mistake, to be told by whoever reads the events.
std::set<std::string> other_tasks(const BidsDataset& dataset) {
  std::set<std::string> others;
  std::set<std::string> listening;
  for (const BidsRun& run : dataset.runs) others.insert(run.entities.task);
  if (others.size() < 2) return {};
  for (const BidsRun& run : dataset.runs) {
    const std::string& task = run.entities.task;
    if (!listening.contains(task) && has_speakers(run)) listening.insert(task);
  }
  if (listening.empty()) return {};
  for (const std::string& task : listening) others.erase(task);
  return others;
}

void check_known(const BidsDataset& dataset, const Wanted& asked) {
  std::set<std::string> known;
  for (const BidsRun& run : dataset.runs) known.insert(asked.label(run));
  for (const std::string& label : asked.labels) {
    if (std::ranges::any_of(dataset.runs, [&](const BidsRun& run) { return asked.means(label, run); })) continue;
    std::string list;
    for (const std::string& one : known) list += one.empty() ? "" : " " + one;
    throw Error(ErrorKind::not_found, dataset.root.string() + ": has no " + asked.noun + " '" + label + "'; there " +
                                          (list.empty() ? "is none" : "are" + list));
  }
}

}  // namespace

EegSidecar parse_eeg_sidecar(std::string_view sidecar_text, EegSidecar inherited) {
  const JsonObject json = JsonObject::parse(sidecar_text);
  const auto text = [](const JsonObject& from, const char* key) { return from.text(key); };
  const auto rate = [](const JsonObject& from, const char* key) { return Hertz{from.positive(key)}; };
  const auto time = [](const JsonObject& from, const char* key) { return Seconds{from.number(key)}; };
  const auto count = [](const JsonObject& from, const char* key) { return from.count(key); };
  take(json, "TaskName", inherited.task, text);
  take(json, "SamplingFrequency", inherited.sampling_frequency, rate);
  take(json, "PowerLineFrequency", inherited.power_line_frequency, rate);
  take(json, "EEGReference", inherited.reference, text);
  take(json, "EEGChannelCount", inherited.eeg_channels, count);
  take(json, "RecordingDuration", inherited.duration, time);
  return inherited;
}

fs::path BidsDataset::stimulus(std::string_view stim_file) const { return root / "stimuli" / stim_file; }

ScannedDataset scan_dataset(const fs::path& root) {
  std::error_code failure;
  if (!fs::exists(root, failure)) throw Error(ErrorKind::not_found, root.string() + ": no such folder");
  if (!fs::is_directory(root, failure)) {
    throw Error(ErrorKind::not_found, root.string() + ": is not a folder; give the folder of a BIDS dataset");
  }
  return Scanner(root).scan();
}

BidsDataset read_dataset(const fs::path& root) {
  ScannedDataset scanned = scan_dataset(root);
  try {
    throw_first_error(scanned.problems);
  } catch (const Error& error) {
    throw error.within(root.string());
  }
  if (scanned.dataset.runs.empty()) {
    throw Error(ErrorKind::not_found, root.string() + ": there is no EEG in it (sub-*/eeg/*_eeg with an ending of " +
                                          recording_endings() + "); give the folder of a BIDS dataset");
  }
  return std::move(scanned.dataset);
}

EegSidecar read_eeg_sidecar(const BidsRun& run) {
  EegSidecar result;
  for (const fs::path& file : run.sidecars) {
    const std::string text = read_text_file(file);
    try {
      result = parse_eeg_sidecar(text, std::move(result));
    } catch (const Error& error) {
      throw error.within(file.string());
    }
  }
  return result;
}

CheckedParticipants check_participants(std::string_view text) {
  CheckedParticipants result;
  const auto add_row = [&](const TsvReader& reader, std::size_t id) {
    const std::string_view name = reader.cell(id);
    if (!name.starts_with("sub-") || name.size() == 4) {
      throw reader.error(id, in_quotes(name) + " is not a participant; write sub- and a label");
    }
    BidsParticipant participant{std::string(name.substr(4)), {}};
    if (std::ranges::find(result.participants, participant.id, &BidsParticipant::id) != result.participants.end()) {
      throw reader.error(id, in_quotes(name) + " appears twice; a participant has one row");
    }
    for (std::size_t c = 0; c < reader.names().size(); ++c) {
      if (c != id) participant.values.emplace_back(reader.names()[c], reader.cell(c));
    }
    result.participants.push_back(std::move(participant));
    result.rows.push_back(reader.row());
  };
  check_table(text, result.problems, [&](TsvReader& reader) {
    const std::size_t id = needed_column(reader, "participant_id");
    check_rows(reader, result.problems, [&](const TsvReader& row) { add_row(row, id); });
  });
  return result;
}

std::vector<BidsParticipant> parse_participants(std::string_view text) {
  CheckedParticipants result = check_participants(text);
  throw_first_error(result.problems);
  return std::move(result.participants);
}

const BidsTree::Listing& BidsTree::listing(const fs::path& folder) {
  const auto [known, is_new] = listings_.try_emplace(folder);
  if (!is_new || !fs::is_directory(folder)) return known->second;
  try {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().filename().string().starts_with('.')) continue;
      std::error_code unreadable;  // a link to itself: told when it is opened
      (entry.is_directory(unreadable) ? known->second.folders : known->second.files).push_back(entry.path());
    }
  } catch (const fs::filesystem_error& failure) {
    throw Error(ErrorKind::io, folder.string() + ": cannot be searched (" + failure.code().message() + ")");
  }
  sort_by_name(known->second.files);
  sort_by_name(known->second.folders);
  return known->second;
}

const std::vector<fs::path>& BidsTree::files(const fs::path& folder) { return listing(folder).files; }
const std::vector<fs::path>& BidsTree::folders(const fs::path& folder) { return listing(folder).folders; }

std::vector<fs::path> BidsTree::applying(const fs::path& recording, std::string_view suffix,
                                         std::string_view extension) {
  const FileEntities wanted = parse_entities(recording);
  std::vector<fs::path> result;
  fs::path folder = root_;
  fs::path below = recording.lexically_relative(root_).parent_path();
  for (auto step = below.begin();; ++step) {
    std::vector<fs::path> here;
    for (const fs::path& file : files(folder)) {
      if (file.extension() != extension) continue;
      const FileEntities entities = parse_entities(file);
      if (entities.suffix == suffix && applies(entities, wanted)) here.push_back(file);
    }
    std::ranges::stable_sort(here, {}, [](const fs::path& file) { return parse_entities(file).pairs.size(); });
    result.insert(result.end(), here.begin(), here.end());
    if (step == below.end()) return result;
    folder /= *step;
  }
}

std::optional<fs::path> BidsTree::closest(const fs::path& recording, std::string_view suffix,
                                          std::string_view extension) {
  const std::vector<fs::path> all = applying(recording, suffix, extension);
  return all.empty() ? std::nullopt : std::optional(all.back());
}

std::string BidsTree::shown(const fs::path& file) const { return file.lexically_relative(root_).string(); }

std::string BidsTree::without_place(const Error& error, const fs::path& file) {
  const std::string_view message = error.what();
  const std::string place = file.string() + ": ";
  return std::string(message.starts_with(place) ? message.substr(place.size()) : message);
}

std::string words_of_other_tasks(const BidsDataset& dataset) {
  const std::set<std::string> tasks = other_tasks(dataset);
  if (tasks.empty()) return "";
  std::string list;
  for (const std::string& task : tasks) list += (list.empty() ? "" : ", ") + task;
  return "no events of " + std::string(tasks.size() == 1 ? "task " : "tasks ") + list +
         " have a column speaker, so their runs are left out";
}

std::vector<ParticipantRuns> select_runs(const BidsDataset& dataset, const RunSelection& selection) {
  const std::vector<Wanted> kept{wanted("sub", "participant", &BidsEntities::subject, selection.participants),
                                 wanted("ses", "session", &BidsEntities::session, selection.sessions),
                                 wanted("task", "task", &BidsEntities::task, selection.tasks),
                                 wanted("run", "run", &BidsEntities::run, selection.runs)};
  const Wanted dropped = wanted("run", "run", &BidsEntities::run, selection.without_runs);
  for (const Wanted& one : kept) check_known(dataset, one);
  check_known(dataset, dropped);

  const std::set<std::string> others = selection.tasks.empty() ? other_tasks(dataset) : std::set<std::string>{};
  std::vector<ParticipantRuns> result;
  for (const BidsRun& run : dataset.runs) {
    if (others.contains(run.entities.task)) continue;
    const bool fits =
        std::ranges::all_of(kept, [&](const Wanted& one) { return one.labels.empty() || one.holds(run); });
    if (!fits || dropped.holds(run)) continue;
    const std::string& id = run.entities.subject;
    if (result.empty() || result.back().id != id) result.push_back({id, {}});
    result.back().runs.push_back(run);
  }
  if (result.empty()) {
    throw Error(ErrorKind::not_found,
                dataset.root.string() + ": no run matches everything that was asked for; relax the selection");
  }
  return result;
}

}  // namespace heed::io
