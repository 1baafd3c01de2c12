// SPDX-License-Identifier: MIT
// A small BIDS dataset without a fault, for tests to break: two participants, a run each of 20 s at 64 Hz with two
// EEG channels and an eye channel, and an envelope for each of two speakers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/io_temporary_folder.h"

namespace heed::test {

class BidsFolder {
 public:
  explicit BidsFolder(const std::vector<std::string>& participants = {"01", "02"}) {
    write("dataset_description.json", R"({"Name": "Small", "BIDSVersion": "1.9.0"})");
    write("task-attend_eeg.json", R"({"TaskName": "attend", "SamplingFrequency": 64, "EEGReference": "Cz"})");
    write("stimuli/left.tsv", envelope(64 * 20));
    write("stimuli/left.json", R"({"SamplingFrequency": 64, "StartTime": 0, "Columns": ["envelope"]})");
    write("stimuli/right.tsv", envelope(64 * 20));
    write("stimuli/right.json", R"({"SamplingFrequency": 64})");
    for (const std::string& id : participants) {
      const std::string subject = "sub-" + id;
      add_run((std::filesystem::path(subject) / "eeg" / subject).string() + "_task-attend_run-1");
    }
  }

  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

  // NOLINTNEXTLINE(modernize-use-nodiscard)
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    return folder_.write(name, text);
  }

  void remove(const std::string& name) const { std::filesystem::remove_all(path() / name); }

  // stem: sub-01/eeg/sub-01_task-attend_run-1
  void add_run(const std::string& stem) const {
    add_recording(stem);
    write(stem + "_channels.tsv",
          "name\ttype\tunits\tsampling_frequency\nFp1\tEEG\tuV\t64\nCz\tEEG\tuV\t64\nEye\tEOG\tuV\t64\n");
    write(stem + "_events.tsv", events);
  }

  void add_recording(const std::string& stem, const std::string& interval = "15625") const {
    const std::string leaf = std::filesystem::path(stem).filename().string();
    write(
        stem + "_eeg.vhdr",
        "Brain Vision Data Exchange Header File Version 1.0\n\n[Common Infos]\nDataFile=" + leaf +
            "_eeg.eeg\nMarkerFile=" + leaf +
            "_eeg.vmrk\nDataFormat=BINARY\nDataOrientation=MULTIPLEXED\nNumberOfChannels=3\nSamplingInterval=" +
            interval +
            "\n\n[Binary Infos]\nBinaryFormat=INT_16\n\n[Channel Infos]\nCh1=Fp1,,1,uV\nCh2=Cz,,1,uV\nCh3=Eye,,1,uV\n");
    write(stem + "_eeg.vmrk", "Brain Vision Data Exchange Marker File, Version 1.0\n\n[Common Infos]\nDataFile=" +
                                  leaf + "_eeg.eeg\n\n[Marker Infos]\nMk1=New Segment,,1,1,0\n");
    write(stem + "_eeg.eeg", std::string(std::size_t{20} * 64 * 3 * 2, '\1'));
  }

  static std::string envelope(int rows) {
    std::string text = "envelope\n";
    for (int i = 0; i < rows; ++i) text += std::to_string(i % 7) + "\n";
    return text;
  }

  static constexpr const char* events =
      "onset\tduration\ttrial_type\tspeaker\tstim_file\n"
      "0\t20\tstimulus\tleft\tleft.tsv\n"
      "0\t20\tstimulus\tright\tright.tsv\n"
      "0\t12\tattend\tleft\tn/a\n"
      "12\t8\tattend\tright\tn/a\n";

 private:
  TemporaryFolder folder_;
};

}  // namespace heed::test
