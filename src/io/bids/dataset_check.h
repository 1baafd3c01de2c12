// SPDX-License-Identifier: MIT
// Everything that is wrong with a BIDS folder, at once: recordings, channels, events, stimuli, and how
// they fit together. Headers and tables are read, samples are not. docs/verbs/validate.md lists the checks.
#pragma once

#include <heed/data/recording.h>
#include <heed/data/units.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/problems.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace heed::io {

struct DatasetReport {
  std::string name{};
  std::string other_tasks{};     // what is left out, in words
  Problems problems{};           // of the dataset, then run by run
  std::size_t participants = 0;  // folders; of a selection, those in it
  std::size_t runs = 0;
  std::size_t trials = 0;
  Seconds recorded{};  // EEG of all runs that can be read
  Seconds heard{};     // of it, in trials
  Seconds labelled{};  // of that, with known attention

  [[nodiscard]] std::size_t count(Severity severity) const;
};

struct DatasetCheckOptions {
  // Called after each run: how many are done, of how many.
  std::function<void(std::size_t, std::size_t)> progress{};
  RunSelection selection{};  // these runs only; the dataset's own files in any case
};

// Throws not_found if there is no such folder or a label that no run has; io if it cannot be listed. Everything else is
// in the report.
[[nodiscard]] DatasetReport check_dataset(const std::filesystem::path& root, const DatasetCheckOptions& options = {});

// The pieces of a run alone, against their files. Throws bad_data for the first that is not there, cannot be read or
// does not hold what its row wants, naming the events file and the row.
void require_stimuli(const BidsDataset& dataset, const BidsRun& run, const ListeningEvents& events, Hertz eeg_rate);

}  // namespace heed::io
