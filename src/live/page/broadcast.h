// SPDX-License-Identifier: MIT
// What every viewer gets, one piece after the other, kept once for all of them: the newest pieces, bounded in bytes.
// Whoever is too slow, or comes later, goes on with the oldest piece that is left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace heed::live {

using SharedPiece = std::shared_ptr<const std::string>;

class Broadcast {
 public:
  explicit Broadcast(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  enum class Life {
    kept,
    passing,   // until it is let go
    fleeting,  // for those who are there alone
  };
  void add(std::string piece, Life life = Life::kept) {
    bytes_ += piece.size();
    pieces_.push_back({std::make_shared<const std::string>(std::move(piece)), life});
    while (bytes_ > most_bytes_ && pieces_.size() > 1) {
      bytes_ -= pieces_.front().text->size();
      pieces_.pop_front();
      ++first_;
    }
  }

  // Nobody catches up with what passes and came before this number.
  void let_go(std::uint64_t number) noexcept { passed_ = number; }

  // Nobody catches up with what was before.
  void clear() noexcept {
    first_ = end();
    pieces_.clear();
    bytes_ = 0;
  }

  // The number of the next piece to come.
  [[nodiscard]] std::uint64_t end() const noexcept { return first_ + pieces_.size(); }

  // Where somebody stands, for as long as they stay.
  struct Place {
    std::uint64_t next = 0;
    std::uint64_t joined = 0;  // end() when they came
    std::shared_ptr<const void> presence{};
  };
  [[nodiscard]] Place from(std::uint64_t next) const noexcept { return {next, end(), presence_}; }
  [[nodiscard]] bool has_audience() const noexcept { return presence_.use_count() > 1; }

  // The next piece for somebody there; nothing: none yet.
  [[nodiscard]] SharedPiece take(Place& place) const {
    for (place.next = std::max(place.next, first_); place.next < end();) {
      const Piece& piece = pieces_[static_cast<std::size_t>(place.next - first_)];
      const bool meant = is_for(place, piece.life);
      ++place.next;
      if (meant) return piece.text;
    }
    return nullptr;
  }
  [[nodiscard]] bool has_more(const Place& place) const noexcept { return place.next < end(); }

 private:
  struct Piece {
    SharedPiece text{};
    Life life = Life::kept;
  };
  [[nodiscard]] bool is_for(const Place& place, Life life) const noexcept {
    if (life == Life::passing) return place.next >= passed_;
    return life == Life::kept || place.next >= place.joined;
  }

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::deque<Piece> pieces_{};
  std::uint64_t first_ = 0;   // number of the oldest piece
  std::uint64_t passed_ = 0;  // of the oldest one that passes and was not let go
  std::shared_ptr<const int> presence_ = std::make_shared<const int>();
};

}  // namespace heed::live
