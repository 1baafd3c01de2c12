// SPDX-License-Identifier: MIT
// Which files a user meant, and whose they are: folders are searched, files with the same sub- entity
// belong to one participant. Nothing depends on the order the files are given in.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::io {

inline constexpr std::string_view scores_ending = "_scores.tsv";
inline constexpr std::string_view posterior_ending = "_posterior.tsv";

// The order of names in which numbers count by value: run-2 before run-10.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b) noexcept;

// Files as given, folders searched to the bottom for names with this ending; in order of file name,
// numbers by value (run-2 before run-10). Throws not_found (no such path, nothing in a folder),
// invalid_argument (nothing given), bad_data (a file that comes twice).
[[nodiscard]] std::vector<std::filesystem::path> find_files(std::span<const std::filesystem::path> paths,
                                                            std::string_view ending);
// The same for names with any of these endings.
[[nodiscard]] std::vector<std::filesystem::path> find_files(std::span<const std::filesystem::path> paths,
                                                            std::span<const std::string_view> endings);

struct ParticipantFiles {
  std::string subject;  // of the sub- entity; empty: a file by itself
  std::vector<std::filesystem::path> files;
};

[[nodiscard]] std::vector<ParticipantFiles> group_by_participant(std::span<const std::filesystem::path> files);

// One participant's files by their window- entity, in order of the files. Throws as check_one_choice where they differ
// in decoder- or desc-.
[[nodiscard]] std::vector<ParticipantFiles> group_by_window(const ParticipantFiles& participant);

// Files of one participant made in different ways are alternatives, not trials: throws bad_data, naming
// the choice, where they differ in window-, decoder- or desc-.
void check_one_choice(const ParticipantFiles& participant);

}  // namespace heed::io
