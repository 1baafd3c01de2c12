// SPDX-License-Identifier: MIT
// Attention with a little hindsight: the posterior of a window once up to MaxLag later windows are in.
// Waiting a few seconds buys much of the smoother's accuracy. O(N) to step, O(lag N) to look back.
#pragma once

#include <heed/core/attention_filter.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

namespace heed::core {

// The last Capacity values, oldest first. A push on a full buffer drops the oldest and says so.
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

template <std::floating_point Real, std::size_t MaxStates, std::size_t MaxLag>
class FixedLagFilter {
 public:
  static constexpr std::optional<FixedLagFilter> make(const StickyChain<Real>& chain,
                                                      std::span<const Real> initial = {}) noexcept {
    const auto filter = AttentionFilter<Real, MaxStates>::make(chain, initial);
    if (!filter) return std::nullopt;
    return FixedLagFilter(chain, *filter);
  }

  // As AttentionFilter's.
  Step step(std::span<const Real> log_likelihood) noexcept {
    const Step result = filter_.step(log_likelihood);
    if (result == Step::wrong_size) return result;
    Window window;
    std::ranges::copy(filter_.belief(), window.belief.begin());
    std::ranges::copy(filter_.weights(), window.weights.begin());
    windows_.push(window);
    return result;
  }

  // Windows that can be looked back on: ages 0 (the newest) to depth() - 1.
  [[nodiscard]] std::size_t depth() const noexcept { return windows_.size(); }
  [[nodiscard]] std::size_t states() const noexcept { return filter_.states(); }

  // posterior_j <- P(attending j `age` windows ago | all windows so far). False, and nothing written,
  // if age >= depth() or posterior has not states() entries. At the end of a trial ask for
  // ages lag-1, ..., 0: each row then has seen all there is.
  [[nodiscard]] bool look_back(std::size_t age, std::span<Real> posterior) const noexcept {
    if (age >= depth() || posterior.size() != states()) return false;
    std::ranges::fill(posterior, Real{1});
    for (std::size_t later = 0; later < age; ++later) {
      retreat(chain_, posterior, {windows_.from_newest(later).weights.data(), states()});
    }
    const auto& belief = windows_.from_newest(age).belief;
    for (std::size_t j = 0; j < states(); ++j) posterior[j] *= belief[j];
    normalise(posterior);
    return true;
  }

  constexpr void reset() noexcept {
    filter_.reset();
    windows_.clear();
  }

 private:
  struct Window {
    std::array<Real, MaxStates> belief{};
    std::array<Real, MaxStates> weights{};
  };

  constexpr FixedLagFilter(const StickyChain<Real>& chain, const AttentionFilter<Real, MaxStates>& filter) noexcept
      : chain_(chain), filter_(filter) {}

  StickyChain<Real> chain_;
  AttentionFilter<Real, MaxStates> filter_;
  RingBuffer<Window, MaxLag + 1> windows_;
};

}  // namespace heed::core
