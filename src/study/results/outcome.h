// SPDX-License-Identifier: MIT
// The outcomes of a study: what came of every participant at every setting. A cohort may have several parts, of two and
// of three speakers, say; a setting then has outcomes of the participants of its part only.
#pragma once

#include <data/study.h>
#include <heed/data/note.h>
#include <study/setting.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heed::study {

// What came of one participant at one setting.
struct Outcome {
  std::vector<NamedTable> tables{};  // rows of this participant; none where it was left out
  Notes notes{};
  std::string left_out{};  // why the cohort can give nothing at this setting; empty: it can
  // Null where it has no such table.
  [[nodiscard]] const ResultTable* find(std::string_view table) const noexcept;
};

struct GridParticipant {
  std::string id{};  // without sub-
  int speakers = 2;  // of the part of the cohort
};

// Numbers of a participant and a setting in their grid.
struct OutcomePlace {
  std::size_t participant = 0;
  std::size_t setting = 0;
  friend auto operator<=>(const OutcomePlace&,
                          const OutcomePlace&) = default;  // NOLINT(modernize-use-nullptr): compared with 0
};

class OutcomeGrid {
 public:
  // The participants of a part follow each other, those of the baseline first.
  OutcomeGrid(std::vector<Setting> settings, std::vector<GridParticipant> participants);

  [[nodiscard]] const std::vector<Setting>& settings() const noexcept { return settings_; }
  [[nodiscard]] const std::vector<GridParticipant>& participants() const noexcept { return participants_; }

  // How many outcomes there are, and how many those of the first participants have.
  [[nodiscard]] std::size_t size() const noexcept { return first_.back(); }
  [[nodiscard]] std::size_t size_of_first(std::size_t participants) const { return first_[participants]; }
  [[nodiscard]] std::vector<OutcomePlace> all() const;  // participant by participant
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
  std::vector<std::size_t> first_;    // [participant]: outcomes of those before; then the number of all
};

}  // namespace heed::study
