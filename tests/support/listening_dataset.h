// SPDX-License-Identifier: MIT
// A BIDS folder with EEG that follows the attended envelope, written by heed's own writer, for tests to read back.
#pragma once

#include <io/bids/dataset_writer.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "support/decoding_cases.h"
#include "support/io_temporary_folder.h"

namespace heed::test {

struct ListeningCase {
  std::vector<std::string> participants{"01"};
  int runs = 2;
  Hertz rate{128};
  Index samples = 128 * 40;
  std::vector<std::string> channels{"Fz", "Cz", "Pz", "Oz"};
};

class ListeningDataset {
 public:
  explicit ListeningDataset(const ListeningCase& one = {}) : case_(one) {
    io::DatasetWriter writer(io::FolderLock(root()), {.name = "Small"});
    for (const std::string& id : one.participants) {
      io::ParticipantDraft draft = writer.begin(id);
      for (int run = 1; run <= one.runs; ++run) write_run(draft, id, run);
      writer.commit(draft, "made by a test");
    }
  }

  [[nodiscard]] std::filesystem::path root() const { return folder_.path() / "bids"; }
  [[nodiscard]] io::BidsDataset read() const { return io::read_dataset(root()); }
  [[nodiscard]] std::filesystem::path cache() const { return folder_.path() / "cache"; }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return root() / name; }

 private:
  void write_run(io::ParticipantDraft& draft, const std::string& id, int run) const {
    const std::uint64_t seed = (100 * std::stoul(id)) + static_cast<std::uint64_t>(run);
    const Trial trial =
        make_trial("x", {.seed = seed, .samples = case_.samples, .channels = std::ssize(case_.channels)});
    io::WrittenRun written;
    written.entities = {.subject = id, .task = "attend", .run = std::to_string(run)};
    written.recording.sampling_frequency = case_.rate;
    written.recording.samples = trial.eeg.cast<float>();
    const Seconds duration{static_cast<double>(case_.samples) / case_.rate.value};
    for (const std::string& name : case_.channels) {
      written.recording.channels.push_back({name, "uV", case_.rate});
      written.channels.push_back({.name = name, .type = "EEG", .unit = "uV"});
    }
    for (std::size_t s = 0; s < trial.stimuli.size(); ++s) {
      const std::string sound = "sub-" + id + "_run-" + std::to_string(run) + "_" + std::to_string(s) + ".tsv";
      draft.write_envelope(sound,
                           {.sampling_frequency = case_.rate, .columns = {"envelope"}, .values = trial.stimuli[s]});
      written.listening.stimuli.push_back(
          {.speaker = trial.speakers[s], .onset = {}, .duration = duration, .file = sound});
    }
    written.listening.attention.push_back({.speaker = trial.speakers[0], .onset = {}, .duration = duration});
    draft.write(written);
  }

  ListeningCase case_;
  TemporaryFolder folder_;
};

}  // namespace heed::test
