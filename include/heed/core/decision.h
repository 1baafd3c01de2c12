// SPDX-License-Identifier: MIT
// The one decision rule of heed: the most probable speaker; a tie for the top holds the previous
// decision, and at the first window takes the lowest index. Every tracker uses it.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

namespace heed::core {

template <std::floating_point Real>
class DecisionRule {
 public:
  // belief: one number per speaker, at least one; no NaN.
  constexpr std::size_t decide(std::span<const Real> belief) noexcept {
    // Without a branch: which speaker is ahead cannot be foretold, and a wrong guess costs more than the sums.
    std::size_t best = 0;
    unsigned tied = 0;
    Real largest = belief[0];
    for (std::size_t j = 1; j < belief.size(); ++j) {
      const bool above = belief[j] > largest;
      tied = (tied | static_cast<unsigned>(belief[j] == largest)) & static_cast<unsigned>(!above);
      best = above ? j : best;
      largest = above ? belief[j] : largest;
    }
    if (tied == 0 || first_) decided_ = best;
    first_ = false;
    return decided_;
  }

  constexpr void reset() noexcept { *this = {}; }

 private:
  std::size_t decided_ = 0;
  bool first_ = true;
};

extern template class DecisionRule<float>;
extern template class DecisionRule<double>;

}  // namespace heed::core
