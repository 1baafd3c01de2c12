// SPDX-License-Identifier: MIT
// Rows of one signal at the decoder's rate that wait for those of the others, counted from the trial's first row.
#pragma once

#include <heed/data/matrix.h>
#include <heed/data/units.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace heed::live {

// Allocates where more wait than there is room for.
class RowQueue {
 public:
  RowQueue(Index columns, Index room) : columns_(columns) {
    values_.reserve(static_cast<std::size_t>(room * columns));
    rows_.reserve(static_cast<std::size_t>(room));
  }

  void push(std::span<const double> row, bool missing, Seconds arrival) {
    values_.insert(values_.end(), row.begin(), row.end());
    rows_.push_back({arrival, missing});
  }

  [[nodiscard]] Index first() const noexcept { return first_; }  // row number of the oldest
  [[nodiscard]] Index end() const noexcept { return first_ + waiting(); }
  [[nodiscard]] Index waiting() const noexcept { return static_cast<Index>(rows_.size() - used_); }
  [[nodiscard]] bool has(Index row) const noexcept { return row >= first_ && row < end(); }
  [[nodiscard]] std::span<const double> values(Index row) const noexcept {
    return {values_.data() + (at(row) * static_cast<std::size_t>(columns_)), static_cast<std::size_t>(columns_)};
  }
  [[nodiscard]] bool is_missing(Index row) const noexcept { return rows_[at(row)].missing; }
  [[nodiscard]] Seconds arrival(Index row) const noexcept { return rows_[at(row)].arrival; }

  // Nobody asks for rows before this one again. Rows that are still to come and lie before it are counted, not kept.
  void drop_before(Index row) noexcept {
    const Index gone = std::clamp<Index>(row - first_, 0, waiting());
    used_ += static_cast<std::size_t>(gone);
    first_ += gone;
    if (used_ * 2 < rows_.capacity() && used_ < rows_.size()) return;
    const auto columns = static_cast<std::size_t>(columns_);
    values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(used_ * columns));
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(used_));
    used_ = 0;
  }

  void clear() noexcept {
    values_.clear();
    rows_.clear();
    used_ = 0;
    first_ = 0;
  }

 private:
  struct Row {
    Seconds arrival{};
    bool missing = false;
  };

  [[nodiscard]] std::size_t at(Index row) const noexcept { return used_ + static_cast<std::size_t>(row - first_); }

  Index columns_;
  Index first_ = 0;
  std::size_t used_ = 0;  // rows at the front that are dropped and still there
  std::vector<double> values_{};
  std::vector<Row> rows_{};
};

}  // namespace heed::live
