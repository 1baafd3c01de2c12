// SPDX-License-Identifier: MIT
// The cells of a study: every participant at every setting. A cohort may have several parts, of two and of three
// speakers, say; a setting is then a cell of the participants of its part only.
#pragma once

#include <study/setting.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heed::study {

struct GridParticipant {
  std::string id{};  // without sub-
  int speakers = 2;  // of the part of the cohort
};

// Numbers of a participant and a setting in their grid.
struct CellPlace {
  std::size_t participant = 0;
  std::size_t setting = 0;
  friend auto operator<=>(const CellPlace&,
                          const CellPlace&) = default;  // NOLINT(modernize-use-nullptr): compared with 0
};

class CellGrid {
 public:
  // The participants of a part follow each other, those of the baseline first.
  CellGrid(std::vector<Setting> settings, std::vector<GridParticipant> participants);

  [[nodiscard]] const std::vector<Setting>& settings() const noexcept { return settings_; }
  [[nodiscard]] const std::vector<GridParticipant>& participants() const noexcept { return participants_; }

  // Cells are numbered participant by participant.
  [[nodiscard]] std::size_t size() const noexcept { return first_.back(); }
  [[nodiscard]] CellPlace operator[](std::size_t number) const;
  // Of one participant, and of one setting, rising.
  [[nodiscard]] std::span<const std::size_t> settings_of(std::size_t participant) const;
  [[nodiscard]] std::vector<std::size_t> participants_of(std::size_t setting) const;

 private:
  struct Part {
    int speakers = 0;
    std::vector<std::size_t> settings{};
  };
  std::vector<Setting> settings_;
  std::vector<GridParticipant> participants_;
  std::vector<Part> parts_;
  std::vector<std::size_t> part_of_;  // [participant]
  std::vector<std::size_t> first_;    // [participant]: its first cell; then the number of all
};

}  // namespace heed::study
