// SPDX-License-Identifier: MIT
// The settings of a group made ready for one participant after the other: which scores and which p each is run with,
// and which cannot be run at all.
#pragma once

#include <study/results/outcome.h>
#include <study/tracking/group.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::study {

struct ReadySetting {
  Setting setting{};  // as run: the state-space model names the decoder whose correlations it takes
  std::string obstacle{};
  pipeline::TrackerChoice tracker{};
  const pipeline::Experiment* experiment = nullptr;  // null with an obstacle
};

// Numbers of settings by group: those the cohort has scores for.
[[nodiscard]] std::vector<std::vector<std::size_t>> groups_of(std::span<const Setting> settings,
                                                              const ScoreLibrary& scores);

class PreparedGroup {
 public:
  // `members`: ids of those who will be asked for. What is learnt from the whole cohort is, whoever they are.
  PreparedGroup(std::span<const Setting> settings, const ScoreLibrary& scores, const RunOptions& options,
                std::span<const std::string> members);
  PreparedGroup(const PreparedGroup&) = delete;  // settings point to its experiments
  PreparedGroup& operator=(const PreparedGroup&) = delete;

  [[nodiscard]] const ReadySetting& operator[](std::size_t setting) const { return ready_[setting]; }
  // Null where the cohort has no such trials: then every setting has an obstacle.
  [[nodiscard]] const pipeline::Experiment* experiment() const noexcept {
    return experiment_ ? &*experiment_ : nullptr;
  }
  [[nodiscard]] const Notes& notes() const noexcept { return notes_; }

 private:
  void prepare(const Setting& setting);
  void prepare_alone(const Setting& setting);
  [[nodiscard]] const pipeline::Experiment& with_markers(const Setting& setting);
  void say(const char* text) { notes_.push_back({"", NoteKind::chosen, text}); }

  const ScoreLibrary& scores_;
  RunOptions options_;
  std::vector<std::string> members_;
  std::optional<pipeline::Experiment> experiment_;
  std::optional<pipeline::Experiment> correlations_;  // the same on the scores of least squares
  std::vector<ReadySetting> ready_;
  Notes notes_;
};

}  // namespace heed::study
