// SPDX-License-Identifier: MIT
// A BIDS folder: who is in it, which files make a run, and which runs are meant. Sidecars and tables are inherited:
// a file of the dataset, participant or session folder whose entities are among the run's applies to the run; of
// several the deepest with the most entities overrules, key by key in JSON, whole in tables.
#pragma once

#include <heed/data/units.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::io {

// Without their keys: "01" of sub-01. Empty: not in the name.
struct BidsEntities {
  std::string subject{};
  std::string session{};
  std::string task{};
  std::string acquisition{};
  std::string run{};
};

struct BidsRun {
  std::string name{};  // sub-01_task-attend_run-01, with every entity of the file's name
  BidsEntities entities{};
  std::filesystem::path eeg{};                      // the recording's header: .vhdr, .edf, .bdf ...
  std::optional<std::filesystem::path> events{};    // .tsv
  std::optional<std::filesystem::path> channels{};  // .tsv
  std::vector<std::filesystem::path> sidecars{};    // _eeg.json; the last overrules
};

struct BidsParticipant {
  std::string id{};                                           // "01", without sub-
  std::vector<std::pair<std::string, std::string>> values{};  // of the other columns of participants.tsv
};

struct BidsDataset {
  std::filesystem::path root{};
  std::string name{};                           // of dataset_description.json; else the folder's
  std::vector<BidsParticipant> participants{};  // every sub- folder, numbers by value
  std::vector<BidsRun> runs{};                  // by participant, then by name

  [[nodiscard]] std::filesystem::path stimulus(std::string_view stim_file) const;  // below stimuli/
};

// Throws not_found (no such folder, no EEG in it), bad_data (what read_dataset cannot be sure of: two files
// of one run, a file in another participant's folder, broken JSON), naming the file.
[[nodiscard]] BidsDataset read_dataset(const std::filesystem::path& root);

// What the sidecars of a run say, merged; nothing: not said, or n/a.
struct EegSidecar {
  std::optional<std::string> task{};            // TaskName
  std::optional<Hertz> sampling_frequency{};    // SamplingFrequency
  std::optional<Hertz> power_line_frequency{};  // PowerLineFrequency
  std::optional<std::string> reference{};       // EEGReference
  std::optional<std::size_t> eeg_channels{};    // EEGChannelCount
  std::optional<Seconds> duration{};            // RecordingDuration
};
[[nodiscard]] EegSidecar read_eeg_sidecar(const BidsRun& run);  // throws bad_data, io, naming the file

// Tasks in whose events nobody ever speaks, rest or an oddball, beside tasks in which somebody does: in words, "no
// events of task rest ..."; empty where there is none. Reads the heads of events.
[[nodiscard]] std::string words_of_other_tasks(const BidsDataset& dataset);

// Which runs are meant. Labels without their keys ("01"; "sub-01" is taken too); empty: all, but for tasks all in which
// somebody speaks. Numbers match by value: 1 means 01. A run may be given by its whole name, too.
struct RunSelection {
  std::vector<std::string> participants{};
  std::vector<std::string> sessions{};
  std::vector<std::string> tasks{};
  std::vector<std::string> runs{};
  std::vector<std::string> without_runs{};

  bool operator==(const RunSelection&) const = default;
};

struct ParticipantRuns {
  std::string id{};  // without sub-
  std::vector<BidsRun> runs{};
};

// In the dataset's order. Throws not_found for a label that no run has, naming those there are, and where nothing is
// left.
[[nodiscard]] std::vector<ParticipantRuns> select_runs(const BidsDataset& dataset, const RunSelection& selection);

}  // namespace heed::io
