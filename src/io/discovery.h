// SPDX-License-Identifier: MIT
// Which files a user meant, and whose they are: folders are searched, files with the same sub- entity belong to one
// participant. What a name says is written as in BIDS, key-value pairs joined by underscores, then a suffix:
// sub-01_window-05s_scores.tsv: sub = 01, window = 05s, suffix = scores.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed::io {

struct FileEntities {
  std::vector<std::pair<std::string, std::string>>
      pairs;           // in the name's order; e.g. sub ses task run window decoder desc
  std::string suffix;  // last part if it is no pair; else empty

  // Empty where the name has no such pair; the first if it has two.
  [[nodiscard]] std::string_view value(std::string_view key) const noexcept;
};

[[nodiscard]] FileEntities parse_entities(const std::filesystem::path& file);

// The file's name without extension, and without the suffix if it is one heed reads (scores, posterior,
// reconstruction):
// sub-01_run-2 of sub-01_run-2_scores.tsv, listener_a of listener_a.tsv.
[[nodiscard]] std::string name_without_suffix(const std::filesystem::path& file);

// Who the file is about: "01" of sub-01, else name_without_suffix; "stdin" for "-".
[[nodiscard]] std::string participant_id(const std::filesystem::path& file);

inline constexpr std::string_view scores_ending = "_scores.tsv";
inline constexpr std::string_view posterior_ending = "_posterior.tsv";

// The name as disks see it that do not tell upper from lower case (of ASCII), like most of macOS and Windows. Two names
// that differ in nothing else are one file there, and the results of one would replace those of the other.
[[nodiscard]] std::string without_case(std::string_view name);

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

// Throws bad_data where two participants differ in upper and lower case only.
[[nodiscard]] std::vector<ParticipantFiles> group_by_participant(std::span<const std::filesystem::path> files);

// One participant's files by their window- entity, in order of the files. Throws as check_one_choice where they differ
// in decoder- or desc-.
[[nodiscard]] std::vector<ParticipantFiles> group_by_window(const ParticipantFiles& participant);

// Files of one participant made in different ways are alternatives, not trials: throws bad_data, naming
// the choice, where they differ in window-, decoder- or desc-.
void check_one_choice(const ParticipantFiles& participant);

}  // namespace heed::io
