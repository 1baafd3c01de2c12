// SPDX-License-Identifier: MIT
// The last Capacity values, oldest first. A push on a full buffer drops the oldest and says so.
#pragma once

#include <array>
#include <cstddef>

namespace heed::core {

template <typename Value, std::size_t Capacity>
class RingBuffer {
  static_assert(Capacity > 0, "a ring buffer holds at least one value");

 public:
  // True if the oldest value was dropped for it.
  constexpr bool push(const Value& value) noexcept {
    values_[(first_ + size_) % Capacity] = value;
    if (size_ < Capacity) {
      ++size_;
      return false;
    }
    first_ = (first_ + 1) % Capacity;
    return true;
  }

  // Precondition: age < size(). from_newest(0) is the value pushed last.
  [[nodiscard]] constexpr const Value& from_newest(std::size_t age) const noexcept {
    return values_[(first_ + size_ - 1 - age) % Capacity];
  }
  // Precondition: index < size(). [0] is the oldest.
  [[nodiscard]] constexpr const Value& operator[](std::size_t index) const noexcept {
    return values_[(first_ + index) % Capacity];
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] static constexpr std::size_t capacity() noexcept { return Capacity; }
  constexpr void clear() noexcept { size_ = first_ = 0; }

 private:
  std::array<Value, Capacity> values_{};
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace heed::core
