// SPDX-License-Identifier: MIT
// A BIDS folder read to its end although parts of it are wrong: its folders, each listed once, which of its files apply
// to a recording, and every problem at once.
#pragma once

#include <heed/data/error.h>
#include <heed/io/bids_dataset.h>
#include <io/bids/problems.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

// read_dataset with every problem at once. Throws only where there is no such folder.
struct ScannedDataset {
  BidsDataset dataset{};
  Problems problems{};
};
[[nodiscard]] ScannedDataset scan_dataset(const std::filesystem::path& root);

// The text of one sidecar, upon what more general ones said. Throws bad_data, naming the key.
[[nodiscard]] EegSidecar parse_eeg_sidecar(std::string_view text, EegSidecar inherited = {});

// participants.tsv: the first column is participant_id. Throws bad_data with row and column.
[[nodiscard]] std::vector<BidsParticipant> parse_participants(std::string_view text);

struct CheckedParticipants {
  std::vector<BidsParticipant> participants{};
  std::vector<std::size_t> rows{};  // of each
  Problems problems{};
};
[[nodiscard]] CheckedParticipants check_participants(std::string_view text);

// Which files apply to a recording: those from the dataset's folder down whose entities are all among the recording's.
class BidsTree {
 public:
  explicit BidsTree(std::filesystem::path root) : root_(std::move(root)) {}

  // In order of their names, numbers by value; hidden ones left out. Empty where there is no such folder. Throws io.
  [[nodiscard]] const std::vector<std::filesystem::path>& files(const std::filesystem::path& folder);
  [[nodiscard]] const std::vector<std::filesystem::path>& folders(const std::filesystem::path& folder);

  // From the dataset's folder down, of one folder those with fewer entities first: the last overrules.
  [[nodiscard]] std::vector<std::filesystem::path> applying(const std::filesystem::path& recording,
                                                            std::string_view suffix, std::string_view extension);
  [[nodiscard]] std::optional<std::filesystem::path> closest(const std::filesystem::path& recording,
                                                             std::string_view suffix, std::string_view extension);

  // Below the dataset's folder, for messages.
  [[nodiscard]] std::string shown(const std::filesystem::path& file) const;
  // The error's message without the file it begins with.
  [[nodiscard]] static std::string without_place(const Error& error, const std::filesystem::path& file);

 private:
  struct Listing {
    std::vector<std::filesystem::path> files;
    std::vector<std::filesystem::path> folders;
  };
  const Listing& listing(const std::filesystem::path& folder);

  std::filesystem::path root_;
  std::map<std::filesystem::path, Listing> listings_;
};

}  // namespace heed::io
