// SPDX-License-Identifier: MIT
// Writes BIDS folders. A dataset is written one participant at a time: prepared out of sight it appears whole, with the
// sounds of its events; an interruption leaves what was there before, and the conversion can be resumed. A folder of
// results beside a dataset says what made it, and of what.
#pragma once

#include <heed/data/recording.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/channels_file.h>
#include <io/held_file.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

struct DatasetDescription {
  std::string name{};
  std::vector<std::string> authors{};
  std::string licence{};
  std::string doi{};  // of the data as they were published, "10.5281/zenodo.123"
  std::vector<std::string> links{};
  std::string readme{};
};

enum class EegFormat { brainvision, bdf };  // 32 bit floats, exact; 24 bit integers

struct DatasetWriteOptions {
  EegFormat format = EegFormat::brainvision;
  bool resume = false;  // a folder of an earlier conversion may be there; its participants stay as they are
};

struct WrittenRun {
  BidsEntities entities{};  // task is needed, session is not written
  Recording recording{};
  std::vector<BidsChannel> channels{};    // one for each of the recording
  std::vector<RecordingEvent> markers{};  // kept in the recording's own file
  ListeningEvents listening{};
  std::string reference = "n/a";
  Hertz power_line_frequency{50};
};

// Whether the entry of a folder is a participant on the way, or what an interruption left of one.
[[nodiscard]] bool is_draft(const std::filesystem::directory_entry& entry);

// One participant on the way. What is not committed is removed.
class ParticipantDraft {
 public:
  ParticipantDraft(std::filesystem::path root, std::string subject, EegFormat format);
  ~ParticipantDraft();
  ParticipantDraft(const ParticipantDraft&) = delete;
  ParticipantDraft& operator=(const ParticipantDraft&) = delete;
  ParticipantDraft(ParticipantDraft&& other) noexcept;

  // All throw cannot_create, io, and invalid_argument for what cannot be written so.
  void write(const WrittenRun& run);
  // A file below stimuli/. A sound that an earlier participant brought, or this one before it was interrupted, may be
  // there with the same contents; another of the same name is an error (bad_data).
  void write_envelope(const std::string& file, const Envelope& envelope);
  void copy_sound(const std::string& file, const std::filesystem::path& source);
  // 16 bit, .wav or .flac. Where has_sound says that it is there, it need not be made again.
  void write_sound(const std::string& file, const Sound& sound);
  [[nodiscard]] bool has_sound(const std::string& file) const;

  [[nodiscard]] const std::string& subject() const noexcept { return subject_; }
  [[nodiscard]] std::size_t runs() const noexcept { return runs_; }

 private:
  friend class DatasetWriter;
  void commit();

  std::filesystem::path root_;
  std::filesystem::path draft_;  // empty once it is committed
  std::string subject_;
  EegFormat format_;
  std::size_t runs_ = 0;
  std::vector<std::string> tasks_;
};

class DatasetWriter {
 public:
  // Throws cannot_create where the folder holds something else than `options` allow. What is left of participants whose
  // writing was interrupted is removed.
  DatasetWriter(FolderLock folder, DatasetDescription description, const DatasetWriteOptions& options = {});

  [[nodiscard]] bool has_participant(std::string_view subject) const;
  [[nodiscard]] ParticipantDraft begin(const std::string& subject) const;
  // The participant gets its place, and its row in participants.tsv; `source` is the file it came from, empty if none.
  void commit(ParticipantDraft& draft, const std::string& source);

 private:
  void write_description() const;
  void write_participants() const;
  void check_earlier() const;

  FolderLock lock_;
  std::filesystem::path root_;
  DatasetDescription description_;
  DatasetWriteOptions options_;
  std::map<std::string, std::string> sources_;  // subject: file
};

// sub-01_task-attend_acq-dry_run-02
[[nodiscard]] std::string run_name(const BidsEntities& entities);

// Letters and digits alone, as labels in names of BIDS are.
[[nodiscard]] std::string bids_label(std::string_view text);

// Results among the data would be taken for data; BIDS keeps derivatives/ free for them. Throws cannot_create for
// another folder inside the dataset.
void refuse_output_inside(const std::filesystem::path& dataset, const std::filesystem::path& folder);

// Makes the folder, and writes dataset_description.json unless one of heed's is there. Throws cannot_create where a
// file is in its place, or another program's description (the folder is somebody else's), and for a folder inside the
// dataset, but for derivatives/.
void make_derivative_folder(const std::filesystem::path& folder, const BidsDataset& source);

// sub-01/[ses-A/]eeg/<name of the run>_<suffix> below the folder; its folders are made.
[[nodiscard]] std::filesystem::path derivative_path(const std::filesystem::path& folder, const BidsRun& run,
                                                    std::string_view suffix);

}  // namespace heed::io
