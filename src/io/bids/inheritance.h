// SPDX-License-Identifier: MIT
// The folders of a dataset, each listed once, and which of its files apply to a recording: those from the
// dataset's folder down whose entities are all among the recording's.
#pragma once

#include <heed/data/error.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

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
