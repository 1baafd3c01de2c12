// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/data/version.h>
#include <heed/io/recording_file.h>
#include <heed/io/sound_file.h>
#include <io/atomic_file.h>
#include <io/bids/dataset_scan.h>
#include <io/bids/dataset_writer.h>
#include <io/bids/events_file.h>
#include <io/digest.h>
#include <io/json_object.h>
#include <io/text_file.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace heed::io {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view draft_beginning = ".heed-sub-";
constexpr std::string_view bids_version = "1.9.0";

Error cannot(const fs::path& path, const std::string& problem) {
  return {ErrorKind::cannot_create, path.string() + ": " + problem};
}

void make_folder(const fs::path& path) {
  std::error_code failure;
  fs::create_directories(path, failure);
  if (failure) throw cannot(path, "cannot be created as a folder (" + failure.message() + ")");
  if (!fs::is_directory(path)) throw cannot(path, "cannot be created as a folder (a file is in its place)");
}

void move(const fs::path& from, const fs::path& to) {
  std::error_code failure;
  fs::rename(from, to, failure);
  if (failure) throw cannot(to, "cannot be moved into place (" + failure.message() + ")");
}

bool have_equal_contents(const fs::path& one, const fs::path& other) {
  std::error_code failure;
  const auto bytes = fs::file_size(other, failure);
  if (failure) throw Error(ErrorKind::io, other.string() + ": cannot be read (" + failure.message() + ")");
  return fs::file_size(one, failure) == bytes && Digest().add_file(one).hex() == Digest().add_file(other).hex();
}

std::string text_of(const Json& json) { return json.dump(2) + "\n"; }

std::string eeg_sidecar(const WrittenRun& run) {
  const auto of_type = [&](std::string_view type) {
    return std::ranges::count(run.channels, type, &BidsChannel::type);
  };
  const Recording& recording = run.recording;
  return text_of(
      {{"TaskName", run.entities.task},
       {"SamplingFrequency", recording.sampling_frequency.value},
       {"EEGReference", run.reference},
       {"PowerLineFrequency", run.power_line_frequency.value},
       {"SoftwareFilters", "n/a"},
       {"EEGChannelCount", of_type("EEG")},
       {"EOGChannelCount", of_type("EOG")},
       {"MiscChannelCount", of_type("MISC")},
       {"RecordingDuration", static_cast<double>(recording.samples.rows()) / recording.sampling_frequency.value},
       {"RecordingType", "continuous"}});
}

// A plain name: what a file says may not lead out of the folder.
void check_name(const std::string& file) {
  const bool plain = !file.empty() && file != "." && file != ".." && file.find_first_of("/\\") == std::string::npos;
  if (!plain) throw Error(ErrorKind::bad_data, "'" + file + "' cannot be the name of a file in stimuli/");
}

bool is_of_heed(const fs::path& description) {
  const Json json = Json::parse(read_text_file(description), nullptr, false);
  if (!json.is_object() || !json.contains("GeneratedBy") || !json["GeneratedBy"].is_array()) return false;
  const Json& programs = json["GeneratedBy"];
  return std::any_of(programs.begin(), programs.end(), [](const Json& program) {
    return program.is_object() && program.contains("Name") && program["Name"] == "heed";
  });
}

}  // namespace

bool is_draft(const fs::directory_entry& entry) {
  return entry.path().filename().string().starts_with(draft_beginning);
}

std::string bids_label(std::string_view text) {
  std::string label;
  std::ranges::copy_if(text, std::back_inserter(label), [](char letter) {
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  });
  return label;
}

std::string run_name(const BidsEntities& entities) {
  std::string name = "sub-" + entities.subject + "_task-" + entities.task;
  if (!entities.acquisition.empty()) name += "_acq-" + entities.acquisition;
  if (!entities.run.empty()) name += "_run-" + entities.run;
  return name;
}

ParticipantDraft::ParticipantDraft(fs::path root, std::string subject, EegFormat format)
    : root_(std::move(root)),
      draft_(root_ / (std::string(draft_beginning) + subject)),
      subject_(std::move(subject)),
      format_(format) {
  make_folder(draft_ / ("sub-" + subject_) / "eeg");
  make_folder(draft_ / "stimuli");
}

ParticipantDraft::ParticipantDraft(ParticipantDraft&& other) noexcept
    : root_(std::move(other.root_)),
      draft_(std::exchange(other.draft_, {})),
      subject_(std::move(other.subject_)),
      format_(other.format_),
      runs_(other.runs_),
      tasks_(std::move(other.tasks_)) {}

ParticipantDraft::~ParticipantDraft() {
  std::error_code ignored;
  if (!draft_.empty()) fs::remove_all(draft_, ignored);
}

void ParticipantDraft::write(const WrittenRun& run) {
  if (std::ssize(run.channels) != run.recording.samples.cols()) {
    throw Error(ErrorKind::invalid_argument, "a run needs one BidsChannel for each channel of its recording");
  }
  BidsEntities entities = run.entities;
  entities.subject = subject_;
  const fs::path folder = draft_ / ("sub-" + subject_) / "eeg";
  const std::string name = run_name(entities);
  if (format_ == EegFormat::brainvision) {
    write_brainvision(folder / (name + "_eeg.vhdr"), run.recording, run.markers);
  } else {
    write_bdf(folder / (name + "_eeg.bdf"), run.recording, run.markers);
  }
  write_text_file(folder / (name + "_eeg.json"), eeg_sidecar(run));
  write_text_file(folder / (name + "_channels.tsv"), channels_text(run.channels));
  write_text_file(folder / (name + "_events.tsv"), events_text(run.listening));
  if (std::ranges::find(tasks_, entities.task) == tasks_.end()) tasks_.push_back(entities.task);
  ++runs_;
}

void ParticipantDraft::write_envelope(const std::string& file, const Envelope& envelope) {
  check_name(file);
  io::write_envelope(draft_ / "stimuli" / file, envelope);
}

void ParticipantDraft::copy_sound(const std::string& file, const fs::path& source) {
  check_name(file);
  std::error_code failure;
  for (const fs::path& kept : {root_ / "stimuli" / file, draft_ / "stimuli" / file}) {
    if (!fs::exists(kept, failure)) continue;
    if (have_equal_contents(kept, source)) return;
    throw Error(ErrorKind::bad_data, source.string() + ": another sound of this name is in " + kept.string());
  }
  fs::copy_file(source, draft_ / "stimuli" / file, failure);
  if (failure) throw cannot(root_ / "stimuli" / file, "cannot be copied (" + failure.message() + ")");
}

void ParticipantDraft::write_sound(const std::string& file, const Sound& sound) {
  check_name(file);
  const fs::path written = draft_ / "stimuli" / file;
  const fs::path earlier = root_ / "stimuli" / file;  // of a participant, or of this one before it was interrupted
  const auto another = [&] { return Error(ErrorKind::bad_data, file + ": another sound of this name is in stimuli/"); };
  if (fs::exists(written)) throw another();
  write_audio(written, sound);
  if (fs::exists(earlier) && !have_equal_contents(earlier, written)) throw another();
}

bool ParticipantDraft::has_sound(const std::string& file) const {
  return fs::exists(root_ / "stimuli" / file) || fs::exists(draft_ / "stimuli" / file);
}

// Sounds first: a participant's events never point to what is not there.
void ParticipantDraft::commit() {
  make_folder(root_ / "stimuli");
  for (const auto& entry : fs::directory_iterator(draft_ / "stimuli")) {
    move(entry.path(), root_ / "stimuli" / entry.path().filename());
  }
  move(draft_ / ("sub-" + subject_), root_ / ("sub-" + subject_));
  std::error_code ignored;
  fs::remove_all(std::exchange(draft_, {}), ignored);
}

DatasetWriter::DatasetWriter(FolderLock folder, DatasetDescription description, const DatasetWriteOptions& options)
    : lock_(std::move(folder)), root_(lock_.folder()), description_(std::move(description)), options_(options) {
  if (lock_.is_empty()) return;
  if (!options_.resume) {
    throw cannot(root_, "is not empty; choose another folder, or resume what heed began to write there");
  }
  check_earlier();
  std::vector<fs::path> drafts;
  for (const auto& entry : fs::directory_iterator(root_)) {
    if (is_draft(entry)) drafts.push_back(entry.path());
  }
  std::error_code ignored;
  for (const fs::path& draft : drafts) fs::remove_all(draft, ignored);
}

// Of the same data, or nothing but drafts of a conversion that got no further.
void DatasetWriter::check_earlier() const {
  const fs::path file = root_ / "dataset_description.json";
  if (!fs::exists(file)) {
    for (const auto& entry : fs::directory_iterator(root_)) {
      if (is_draft(entry) || FolderLock::is_passing(entry)) continue;
      throw cannot(root_, "holds " + entry.path().filename().string() +
                              " and no dataset_description.json: heed did not write this; choose another folder");
    }
    return;
  }
  const JsonObject earlier = JsonObject::parse(read_text_file(file));
  if (earlier.has_text("Name") && earlier.text("Name") == description_.name) return;
  throw cannot(root_, "is another dataset, by its dataset_description.json; choose another folder");
}

bool DatasetWriter::has_participant(std::string_view subject) const {
  return fs::exists(root_ / ("sub-" + std::string(subject)));
}

ParticipantDraft DatasetWriter::begin(const std::string& subject) const {
  if (subject.empty() || bids_label(subject) != subject) {
    throw Error(ErrorKind::invalid_argument,
                "'" + subject + "' cannot be the label of a participant; use letters and digits only");
  }
  return {root_, subject, options_.format};
}

void DatasetWriter::commit(ParticipantDraft& draft, const std::string& source) {
  const std::string subject = draft.subject_;
  write_description();
  for (const std::string& task : draft.tasks_) {
    write_text_file(root_ / ("task-" + task + "_events.json"), events_sidecar_text());
  }
  // The row comes first: a participant that is there is taken for finished, and nobody would write its row any more.
  sources_[subject] = source;
  write_participants();
  draft.commit();
}

void DatasetWriter::write_description() const {
  Json json{{"Name", description_.name}, {"BIDSVersion", bids_version}, {"DatasetType", "raw"}};
  if (!description_.licence.empty()) json["License"] = description_.licence;
  if (!description_.authors.empty()) json["Authors"] = description_.authors;
  if (!description_.links.empty()) json["ReferencesAndLinks"] = description_.links;
  if (!description_.doi.empty()) json["SourceDatasets"] = Json::array({{{"DOI", "doi:" + description_.doi}}});
  json["GeneratedBy"] = Json::array({{{"Name", "heed"}, {"Version", version()}}});
  write_text_file(root_ / "dataset_description.json", text_of(json));
  write_text_file(root_ / "README", description_.readme);
}

// Rows of an earlier conversion are kept.
void DatasetWriter::write_participants() const {
  const fs::path file = root_ / "participants.tsv";
  std::map<std::string, std::string> rows = sources_;
  if (fs::exists(file)) {
    for (const BidsParticipant& participant : parse_participants(read_text_file(file))) {
      rows.emplace(participant.id, participant.values.empty() ? "" : participant.values.front().second);
    }
  }
  const bool of_files = std::ranges::any_of(rows, [](const auto& row) { return !row.second.empty(); });
  std::string table = of_files ? "participant_id\tsource_file\n" : "participant_id\n";
  for (const auto& [subject, source] : rows) {
    table += "sub-" + subject;
    if (of_files) table += "\t" + (source.empty() ? std::string("n/a") : source);
    table += "\n";
  }
  write_text_file(file, table);
  if (!of_files) return;
  write_text_file(
      root_ / "participants.json",
      text_of({{"source_file", {{"Description", "File of the published data the participant came from"}}}}));
}

void refuse_output_inside(const fs::path& dataset, const fs::path& folder) {
  const auto inside = fs::weakly_canonical(folder).lexically_relative(fs::weakly_canonical(dataset));
  if (inside.empty() || *inside.begin() == ".." || *inside.begin() == "derivatives") return;
  throw Error(ErrorKind::cannot_create, folder.string() + ": lies inside the dataset; write to " +
                                            (dataset / "derivatives" / "heed").string() + " or to a folder elsewhere");
}

void make_derivative_folder(const fs::path& folder, const BidsDataset& source) {
  refuse_output_inside(source.root, folder);
  make_folder(folder);
  const auto path = folder / "dataset_description.json";
  if (fs::exists(path)) {
    if (is_of_heed(path)) return;
    throw Error(ErrorKind::cannot_create, folder.string() + ": is a dataset that heed did not make, by its " +
                                              "dataset_description.json; choose another folder");
  }
  const Json json{{"Name", source.name + ": attention decoded by heed"},
                  {"BIDSVersion", "1.8.0"},
                  {"DatasetType", "derivative"},
                  {"GeneratedBy", Json::array({{{"Name", "heed"}, {"Version", version()}}})}};
  write_text_file(path, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

fs::path derivative_path(const fs::path& folder, const BidsRun& run, std::string_view suffix) {
  auto parent = folder / ("sub-" + run.entities.subject);
  if (!run.entities.session.empty()) parent /= "ses-" + run.entities.session;
  parent /= "eeg";
  make_folder(parent);
  return parent / (run.name + "_" + std::string(suffix));
}

}  // namespace heed::io
