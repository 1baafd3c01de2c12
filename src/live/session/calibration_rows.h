// SPDX-License-Identifier: MIT
// What a session keeps of its prepared signals for a decoder that is trained while it runs: rows of EEG and of every
// speaker, in trials. The session's thread writes, the one that trains reads what lies behind the count; neither waits.
// All storage is made before the first row.
#pragma once

#include <heed/data/trial.h>
#include <heed/decode/score.h>

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heed::live {

class CalibrationRows {
 public:
  struct Shape {
    std::vector<std::string> channels{};
    std::vector<std::string> speakers{};
    std::vector<std::string> targets{};
    Hertz rate{};
  };
  // So many good rows are wanted.
  CalibrationRows(Shape shape, Index wanted);

  // ---- by the session's thread ----
  // The next row of the trial that begins at `onset`. Rows for which there is no room are counted only.
  void push(std::span<const double> eeg, std::span<const MatrixView> stimuli, bool missing, Seconds onset) noexcept;
  void tell(Seconds stamp, Speaker speaker) noexcept;  // from `stamp` on, of the trial that runs or is about to begin
  void restart() noexcept;                             // the next row is the first of a trial
  [[nodiscard]] bool is_complete() const noexcept { return wanted_rows_.has_value(); }

  // ---- by any thread ----
  [[nodiscard]] Index trial_start() const noexcept { return trial_start_.load(std::memory_order_acquire); }
  [[nodiscard]] Index count() const noexcept { return count_.load(std::memory_order_acquire); }
  // Hands rows [first, end) to a scorer; what it makes of them is left in `scores`. Rows that were not kept are
  // missing.
  void feed(decode::StreamingScorer& scorer, Index first, Index end, std::vector<double>& scores) const;
  // Of rows that were wanted; only once they are complete. Trials shorter than `shortest` are left out.
  [[nodiscard]] std::vector<Trial> trials(Seconds shortest) const;

 private:
  struct TrialMark {
    Index first = 0;
    Seconds onset{};
  };
  struct Told {
    std::size_t trial = 0;
    Seconds stamp{};
    Speaker speaker = unknown_speaker;
  };

  [[nodiscard]] Trial trial_of(std::size_t number) const;
  [[nodiscard]] Index end_of(std::size_t trial) const noexcept;
  void add_attention(std::size_t number, Trial& trial) const;

  Shape shape_;
  Index wanted_;
  Index room_;
  Matrix eeg_;
  Matrix stimuli_;                      // speaker after speaker
  std::vector<unsigned char> missing_;  // not vector<bool>: two threads touch neighbouring rows
  std::vector<TrialMark> marks_{};
  std::vector<Told> told_{};
  Index good_ = 0;
  std::optional<Index> wanted_rows_{};  // rows that training sees: frozen
  bool begun_ = false;
  std::atomic<Index> count_{0};
  std::atomic<Index> trial_start_{0};
};

}  // namespace heed::live
