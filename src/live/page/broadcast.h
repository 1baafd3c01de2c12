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

  // fleeting: only for those who are there; who catches up does not get it.
  void add(std::string piece, bool fleeting = false) {
    bytes_ += piece.size();
    pieces_.push_back({std::make_shared<const std::string>(std::move(piece)), fleeting});
    while (bytes_ > most_bytes_ && pieces_.size() > 1) {
      bytes_ -= pieces_.front().text->size();
      pieces_.pop_front();
      ++first_;
    }
  }

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
      const bool meant = !piece.fleeting || place.next >= place.joined;
      ++place.next;
      if (meant) return piece.text;
    }
    return nullptr;
  }
  [[nodiscard]] bool has_more(const Place& place) const noexcept { return place.next < end(); }

 private:
  struct Piece {
    SharedPiece text{};
    bool fleeting = false;
  };
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::deque<Piece> pieces_{};
  std::uint64_t first_ = 0;  // number of the oldest piece
  std::shared_ptr<const int> presence_ = std::make_shared<const int>();
};

}  // namespace heed::live
