// SPDX-License-Identifier: MIT
#include <live/session/calibration_rows.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace heed::live {
namespace {

// Beyond the rows that are wanted: as many may be missing, and training takes its time.
constexpr Seconds slack{60};
constexpr std::size_t most_marks = 1024;

}  // namespace

CalibrationRows::CalibrationRows(Shape shape, Index wanted)
    : shape_(std::move(shape)),
      wanted_(wanted),
      room_((2 * wanted) + static_cast<Index>(slack * shape_.rate)),
      eeg_(Matrix::Zero(room_, std::ssize(shape_.channels))),
      stimuli_(Matrix::Zero(room_, std::ssize(shape_.speakers) * std::ssize(shape_.targets))),
      missing_(static_cast<std::size_t>(room_)) {
  marks_.reserve(most_marks);
  told_.reserve(most_marks);
}

void CalibrationRows::push(std::span<const double> eeg, std::span<const MatrixView> stimuli, bool missing,
                           Seconds onset) noexcept {
  const Index row = count_.load(std::memory_order_relaxed);
  if (!begun_) {
    if (!is_complete() && marks_.size() < most_marks) marks_.push_back({row, onset});
    begun_ = true;
  }
  if (row < room_) {
    std::ranges::copy(eeg, eeg_.data() + (row * eeg_.cols()));
    double* place = stimuli_.data() + (row * stimuli_.cols());
    for (const MatrixView& one : stimuli) place = std::ranges::copy(one.row(0), place).out;
    missing_[static_cast<std::size_t>(row)] = missing ? 1 : 0;
  }
  good_ += missing ? 0 : 1;
  count_.store(row + 1, std::memory_order_release);
  const bool enough = good_ >= wanted_ || row + 1 >= 2 * wanted_;
  if (enough && !is_complete()) wanted_rows_ = row + 1;
}

void CalibrationRows::restart() noexcept {
  begun_ = false;
  trial_start_.store(count_.load(std::memory_order_relaxed), std::memory_order_release);
}

void CalibrationRows::tell(Seconds stamp, Speaker speaker) noexcept {
  if (is_complete() || told_.size() == most_marks) return;
  told_.push_back({begun_ ? marks_.size() - 1 : marks_.size(), stamp, speaker});
}

void CalibrationRows::feed(decode::StreamingScorer& scorer, Index first, Index end, std::vector<double>& scores) const {
  const auto speakers = shape_.speakers.size();
  const Index targets = std::ssize(shape_.targets);
  std::array<MatrixView, 64> stimuli{};  // as many speakers as gains can be given to
  const SampleRange all{0, 1};
  for (Index row = first; row < end; ++row) {
    const Index kept = std::min(row, room_ - 1);
    const bool missing = row >= room_ || missing_[static_cast<std::size_t>(kept)] != 0;
    for (std::size_t s = 0; s < speakers; ++s) {
      stimuli[s] = {stimuli_.data() + (kept * stimuli_.cols()) + (static_cast<Index>(s) * targets), 1, targets,
                    targets};
    }
    scorer.push({{eeg_.data() + (kept * eeg_.cols()), 1, eeg_.cols(), eeg_.cols()},
                 std::span(stimuli).first(speakers),
                 std::span(&all, missing ? 1 : 0)},
                scores);
    scores.clear();
  }
}

Index CalibrationRows::end_of(std::size_t trial) const noexcept {
  return trial + 1 < marks_.size() ? marks_[trial + 1].first : *wanted_rows_;
}

// By the rule of windows' labels: a change holds from the row that is nearest to its time.
void CalibrationRows::add_attention(std::size_t number, Trial& trial) const {
  const auto row_of = [&](Seconds stamp) {
    const auto row = static_cast<Index>(std::llround((stamp - trial.onset) * shape_.rate));
    return std::clamp<Index>(row, 0, trial.samples());
  };
  Index from = 0;
  Speaker speaker = unknown_speaker;
  const auto close = [&](Index until) {
    if (speaker != unknown_speaker && until > from) trial.attention.push_back({{from, until - from}, speaker});
    from = until;
  };
  for (const Told& told : told_) {
    if (told.trial != number) continue;
    close(std::max(from, row_of(told.stamp)));
    speaker = told.speaker;
  }
  close(trial.samples());
}

Trial CalibrationRows::trial_of(std::size_t number) const {
  const Index first = marks_[number].first;
  const Index rows = end_of(number) - first;
  const Index targets = std::ssize(shape_.targets);
  Trial trial{.name = "calibration/" + std::to_string(number + 1),
              .onset = marks_[number].onset,
              .sampling_frequency = shape_.rate,
              .channels = shape_.channels,
              .speakers = shape_.speakers,
              .targets = shape_.targets,
              .eeg = eeg_.middleRows(first, rows)};
  for (Index s = 0; s < std::ssize(shape_.speakers); ++s) {
    trial.stimuli.emplace_back(stimuli_.block(first, s * targets, rows, targets));
  }
  for (Index row = 0; row < rows; ++row) {
    if (missing_[static_cast<std::size_t>(first + row)] == 0) continue;
    const bool follows = !trial.missing.empty() && trial.missing.back().first + trial.missing.back().count == row;
    if (!follows) trial.missing.push_back({row, 0});
    ++trial.missing.back().count;
  }
  add_attention(number, trial);
  return trial;
}

std::vector<Trial> CalibrationRows::trials(Seconds shortest) const {
  std::vector<Trial> result;
  for (std::size_t k = 0; k < marks_.size(); ++k) {
    const auto rows = static_cast<double>(end_of(k) - marks_[k].first);
    if (rows >= shortest * shape_.rate) result.push_back(trial_of(k));
  }
  return result;
}

}  // namespace heed::live
