// SPDX-License-Identifier: MIT
// Who was attended, as somebody told: changes by time, and the label of each window. Never looked at by the session; it
// goes beside the decision, by the rule of the offline chain.
#pragma once

#include <heed/data/series.h>
#include <heed/data/units.h>
#include <heed/decode/window_sums.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace heed::live {

class AttentionMarks {
 public:
  AttentionMarks(Hertz rate, Seconds window, Seconds hop) : rate_(rate), window_(window), hop_(hop) {
    changes_.reserve(256);
  }

  // From `stamp` on. In order of time.
  void mark(Seconds stamp, Speaker speaker) { changes_.push_back({stamp, speaker}); }
  void clear() noexcept { changes_.clear(); }
  // As told last; nothing: never.
  [[nodiscard]] std::optional<Speaker> last() const noexcept {
    return changes_.empty() ? std::nullopt : std::optional(changes_.back().speaker);
  }

  // Of the window that begins so many hops after `onset`: unknown unless all its samples have one label. Windows are
  // asked for in order.
  [[nodiscard]] Speaker label(Seconds onset, Index window) {
    const auto row = [&](const Change& change) {
      return static_cast<Index>(std::llround((change.stamp - onset) * rate_));
    };
    const Seconds start = static_cast<double>(window) * hop_;
    const Index begin = row_at(start);
    const Index end = row_at(start + window_);
    Speaker at_begin = unknown_speaker;
    std::size_t next = 0;
    for (; next < changes_.size() && row(changes_[next]) <= begin; ++next) at_begin = changes_[next].speaker;
    // The last one before the window still holds.
    if (next > 1) changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(next - 1));
    next = std::min<std::size_t>(next, 1);
    for (std::size_t k = next; k < changes_.size() && row(changes_[k]) < end; ++k) {
      const bool overruled = k + 1 < changes_.size() && row(changes_[k + 1]) == row(changes_[k]);
      if (!overruled && changes_[k].speaker != at_begin) return unknown_speaker;
    }
    return at_begin;
  }

 private:
  struct Change {
    Seconds stamp{};
    Speaker speaker = unknown_speaker;
  };

  [[nodiscard]] Index row_at(Seconds time) const {
    return decode::first_of_cell(static_cast<Index>(std::llround(time / decode::cell_length)), rate_);
  }

  Hertz rate_;
  Seconds window_;
  Seconds hop_;
  std::vector<Change> changes_{};
};

}  // namespace heed::live
